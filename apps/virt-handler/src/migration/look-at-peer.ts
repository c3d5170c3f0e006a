import { connect, isLibvirtError } from '@smalt/libvirt';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { Whereabouts } from './guest-whereabouts.ts';
import { lookForGuest } from './look-for-guest.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** Asks the libvirt of another node what it has of a guest. */
export async function lookAtPeer(
  peerUri: string,
  instance: VirtualMachineInstance,
  signal: AbortSignal,
): Promise<Whereabouts> {
  try {
    await using peer = await connect(peerUri, { signal, connectTimeoutMs: CONNECT_TIMEOUT_MS });
    return (await lookForGuest(peer, instance, signal)).whereabouts;
  } catch (error) {
    signal.throwIfAborted();
    if (!isLibvirtError(error)) throw error;
    return 'unreachable';
  }
}
