import type { GivenAddresses } from '../../network/network-plugin.ts';
import type { RunningInstance } from '../../sync/running-instances.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';
import { explainLibvirtError } from '../guest/explain-libvirt-error.ts';
import { requireRunning } from '../guest/require-running.ts';
import type { GuestLink } from './relay.ts';
import { openSocketLink } from './socket-link.ts';

const NO_ADDRESS =
  'no port can be forwarded: this node gave the guest no address, and who has one that the guest names is not certain; connect to the guest by its own network, or give it an interface in the pod network behind nat';

export interface GuestPort {
  readonly port: number;
  readonly addresses: GivenAddresses;
}

/**
 * Connects to a TCP port of a guest, by the network of this node: at the address that the node itself gave it, where it keeps
 * all others from using it. An address that the guest claims may be anybody's, and is never connected to.
 */
export async function openGuestPort(
  running: RunningInstance,
  { port, addresses }: GuestPort,
  signal: AbortSignal,
): Promise<GuestLink> {
  try {
    await requireRunning(running, { signal });
  } catch (error) {
    throw explainLibvirtError(error);
  }
  const host = await addresses.givenAddress(running.instance);
  if (host === undefined) throw new VirtHandlerError('conflict', NO_ADDRESS);
  return await openSocketLink({ host, port }, `port ${port} of the guest (${host})`, signal);
}
