/** How an interface of the instance is connected on the node. */
export type DomainNetwork = TapNetwork | BridgeNetwork | PciNetwork | PasstNetwork;

interface NetworkBase {
  /** Its name in `spec.networks` and in `interfaces`. */
  readonly name: string;
  /** The hardware address that it has for good, unless the interface names one. */
  readonly mac?: string | undefined;
  readonly mtu?: number | undefined;
}

/** A tap device that was made beforehand, and stays when the domain goes. */
export interface TapNetwork extends NetworkBase {
  readonly kind: 'tap';
  readonly tap: string;
  /** How many queues it was made with. */
  readonly queues?: number | undefined;
}

/** A bridge to which libvirt connects the interface. */
export interface BridgeNetwork extends NetworkBase {
  readonly kind: 'bridge';
  /** What its device on the host is called; libvirt finds a name if not given. */
  readonly device?: string | undefined;
  readonly bridge: string;
  /** The id of the port, if the bridge is one of Open vSwitch. */
  readonly ovsInterfaceId?: string | undefined;
  /** The VLAN that its frames are in outside the guest; for bridges of Open vSwitch. */
  readonly vlan?: number | undefined;
  readonly queues?: number | undefined;
}

/** A function of a network card, handed to the guest. */
export interface PciNetwork extends NetworkBase {
  readonly kind: 'pci';
  readonly address: string;
}

/** User mode networking by passt. */
export interface PasstNetwork extends NetworkBase {
  readonly kind: 'passt';
  /** The interface of the node whose address the guest gets. */
  readonly device?: string | undefined;
}
