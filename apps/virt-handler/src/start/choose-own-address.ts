import type { NetworkInterfaceInfo } from 'node:os';

import { VirtHandlerError } from '../virt-handler-error.ts';

/** Bridges and devices that programs make on one machine for its guests and containers. Others have the same addresses. */
const INNER =
  /^(docker|br-[0-9a-f]{12}$|virbr|lxcbr|lxdbr|podman|cni|cbr|flannel|cali|cilium|kube-|nerdctl|veth|vnet|tap|tun|smalt)/;

export interface OwnAddressQuestion {
  readonly interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;
  /** The bridge of guests, which has the same address on every node. */
  readonly guestBridge: string;
  /** The setting that gives the address instead. */
  readonly setting: string;
}

/**
 * The first address of this machine that others can reach: of a card, not of the loopback, and not of a bridge for guests or
 * containers. Throws `bad-setting`, which begins with the setting, when there is none.
 */
export function chooseOwnAddress({ interfaces, guestBridge, setting }: OwnAddressQuestion): string {
  const outside = Object.entries(interfaces)
    .filter(([name]) => name !== guestBridge && !INNER.test(name))
    .flatMap(([, addresses = []]) => addresses)
    .filter(({ internal, address }) => !internal && !/^(fe[89ab][0-9a-f]:|169\.254\.)/i.test(address));
  const first = outside.find(({ family }) => family === 'IPv4') ?? outside[0];
  if (first) return first.address;
  const message = `${setting}: no card of this machine has an address that others could reach; give the address of this node in ${setting}`;
  throw new VirtHandlerError('bad-setting', message, { field: setting });
}
