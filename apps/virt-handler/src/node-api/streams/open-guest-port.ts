import { networkInterfaces } from 'node:os';

import type { RunningInstance } from '../../sync/running-instances.ts';
import { explainLibvirtError } from '../guest/explain-libvirt-error.ts';
import { requireRunning } from '../guest/require-running.ts';
import { chooseGuestAddress } from './choose-guest-address.ts';
import type { GuestLink } from './relay.ts';
import { openSocketLink } from './socket-link.ts';

/** Connects to a TCP port of a guest, by the network of this node. */
export async function openGuestPort(running: RunningInstance, port: number, signal: AbortSignal): Promise<GuestLink> {
  try {
    await requireRunning(running, { signal });
  } catch (error) {
    throw explainLibvirtError(error);
  }
  const own = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
  const host = chooseGuestAddress(running.instance, own);
  return await openSocketLink({ host, port }, `port ${port} of the guest (${host})`, signal);
}
