import { connect, isLibvirtError } from '@smalt/libvirt';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { Whereabouts } from './guest-whereabouts.ts';
import { hostUptimeMs } from './host-uptime.ts';
import { isSameHost, sameHostText, type HostIdentity } from './is-same-host.ts';
import { lookForGuest } from './look-for-guest.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** The libvirt of another node, and that of this one. */
export interface Peer {
  readonly peerUri: string;
  readonly session: HostIdentity;
}

export interface PeerView {
  readonly whereabouts: Whereabouts;
  /** Why the answer of the peer counts for nothing. */
  readonly problem?: string;
  /** For how long its host is up, if it has nothing of the guest: one that was booted may have forgotten it. */
  readonly uptimeMs?: number;
}

/** Asks the libvirt of another node what it has of a guest. An address that leads back to this node counts as no answer. */
export async function lookAtPeer(
  { peerUri, session }: Peer,
  instance: VirtualMachineInstance,
  signal: AbortSignal,
): Promise<PeerView> {
  try {
    await using peer = await connect(peerUri, { signal, connectTimeoutMs: CONNECT_TIMEOUT_MS });
    if (await isSameHost(session, peer, signal)) {
      return { whereabouts: 'unreachable', problem: sameHostText(peerUri) };
    }
    const { whereabouts } = await lookForGuest(peer, instance, signal);
    const uptimeMs = whereabouts === 'absent' ? await hostUptimeMs(peer, signal) : undefined;
    return { whereabouts, ...(uptimeMs === undefined ? {} : { uptimeMs }) };
  } catch (error) {
    signal.throwIfAborted();
    if (!isLibvirtError(error)) throw error;
    return { whereabouts: 'unreachable' };
  }
}
