import type { Connection } from '@smalt/libvirt';

import { readHostUuid } from '../hypervisor-sessions/read-host-capabilities.ts';

/** What is asked of a daemon to tell its host from others. */
export type HostIdentity = Pick<Connection, 'connectGetCapabilities'>;

const LOOK_TIMEOUT_MS = 10_000;

/**
 * Whether two daemons are on one host, by the UUID that libvirt gives it; also when one of them does not tell. What such a
 * peer has of a guest shows nothing about the target of a migration, whose address then leads elsewhere.
 */
export async function isSameHost(here: HostIdentity, peer: HostIdentity, signal: AbortSignal): Promise<boolean> {
  const options = { timeoutMs: LOOK_TIMEOUT_MS, signal };
  const [ours, theirs] = await Promise.all([
    here.connectGetCapabilities(options),
    peer.connectGetCapabilities(options),
  ]);
  const own = readHostUuid(ours);
  const other = readHostUuid(theirs);
  return own === undefined || other === undefined || own === other;
}

/** What a person does about it. */
export function sameHostText(peerUri: string): string {
  return `${peerUri} leads to the libvirt of this host and not to that of the target, or one of them has no host UUID; give each node a migration.address of its own`;
}
