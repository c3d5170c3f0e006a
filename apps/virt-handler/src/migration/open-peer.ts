import { connect, type Connection, type KeepaliveOptions } from '@smalt/libvirt';

import { VirtHandlerError } from '../virt-handler-error.ts';
import { isSameHost, sameHostText, type HostIdentity } from './is-same-host.ts';

export interface PeerAddress {
  /** The libvirt of the target. */
  readonly peerUri: string;
  /** The libvirt of this node. */
  readonly session: HostIdentity;
  /** How long a target may be silent before the guest stays. */
  readonly patience: KeepaliveOptions;
}

/** Connects to the libvirt of a target. Throws `unsafe-node` when that is the one of this host. */
export async function openPeer({ peerUri, session, patience }: PeerAddress, signal: AbortSignal): Promise<Connection> {
  const peer = await connect(peerUri, { signal, keepalive: patience });
  try {
    if (await isSameHost(session, peer, signal)) throw new VirtHandlerError('unsafe-node', sameHostText(peerUri));
    return peer;
  } catch (error) {
    await peer[Symbol.asyncDispose]();
    throw error;
  }
}
