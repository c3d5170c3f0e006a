import { createHash } from 'node:crypto';

/** What an interface of an instance is known by, on every node and over restarts. */
export interface InterfaceIdentity {
  readonly namespace: string;
  /** Of the instance. */
  readonly instance: string;
  /** Of the network, in `spec.networks`. */
  readonly network: string;
}

/**
 * The hardware address of an interface that names none: locally administered, and the same wherever it is made. Nobody who does
 * not know the seed can foretell it; instances that have none are older than seeds, and keep what they have.
 */
export function macOf(identity: InterfaceIdentity, seed?: string): string {
  const purpose = seed === undefined ? 'mac' : `mac ${seed}`;
  const bytes = digestOf(purpose, identity).subarray(0, 5);
  return ['02', ...Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))].join(':');
}

/** The id of an interface at a port of Open vSwitch: a UUID, as libvirt asks for, and as lasting as the MAC address. */
export function ovsInterfaceIdOf(identity: InterfaceIdentity): string {
  const bytes = Buffer.from(digestOf('ovs', identity).subarray(0, 16));
  // Version 8 is for ids that are made in a way of one's own (RFC 9562).
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Bytes that look random and are the same for the same interface and purpose. */
export function digestOf(purpose: string, { namespace, instance, network }: InterfaceIdentity): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([purpose, namespace, instance, network]))
    .digest();
}

/** How an interface is named in messages. */
export function describeInterface({ namespace, instance, network }: InterfaceIdentity): string {
  return `${namespace}/${instance} (network ${network})`;
}

/** How the holder of something is named to who asked for it: names of other namespaces are nobody else's business. */
export function describeHolder(holder: InterfaceIdentity, asking: InterfaceIdentity): string {
  return holder.namespace === asking.namespace ? describeInterface(holder) : 'a guest of another namespace';
}

export function isSameInterface(one: InterfaceIdentity, other: InterfaceIdentity): boolean {
  return one.namespace === other.namespace && one.instance === other.instance && one.network === other.network;
}
