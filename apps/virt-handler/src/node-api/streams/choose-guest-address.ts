import { BlockList, isIP } from 'node:net';

import type { VirtualMachineInstance } from '@smalt/vm-api';

import { VirtHandlerError } from '../../virt-handler-error.ts';

/**
 * Where a port of a guest is reached: the first address of its first interface. A guest may claim any address through its
 * agent, so those of the node itself, and those that never are a guest's, are not taken.
 */
export function chooseGuestAddress(
  { status }: Pick<VirtualMachineInstance, 'status'>,
  ownAddresses: readonly string[],
): string {
  const [first] = status?.interfaces ?? [];
  const claimed = first?.ipAddress ?? first?.ipAddresses?.[0] ?? '';
  const address = claimed.split('/')[0] ?? '';
  const family = isIP(address);
  if (family === 0)
    throw new VirtHandlerError('conflict', 'no network interfaces are present: the guest has no address yet');
  const forbidden = neverAGuest(ownAddresses);
  if (forbidden.check(address, family === 6 ? 'ipv6' : 'ipv4')) {
    throw new VirtHandlerError('conflict', `the guest says that its address is ${address}, which cannot be`);
  }
  return address;
}

function neverAGuest(ownAddresses: readonly string[]): BlockList {
  const list = new BlockList();
  list.addSubnet('0.0.0.0', 8);
  list.addSubnet('127.0.0.0', 8);
  list.addSubnet('169.254.0.0', 16);
  list.addSubnet('224.0.0.0', 3);
  list.addSubnet('::', 127, 'ipv6');
  list.addSubnet('fe80::', 10, 'ipv6');
  list.addSubnet('ff00::', 8, 'ipv6');
  for (const address of ownAddresses) list.addAddress(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return list;
}
