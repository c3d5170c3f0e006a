import { DomainUndefineFlags, isNoDomain, isOperationInvalid, type Connection, type Domain } from '@smalt/libvirt';

/** What is asked of a daemon to end a guest. */
export type GuestEnding = Pick<Connection, 'domainDestroyFlags' | 'domainUndefineFlags'>;

const ALL = DomainUndefineFlags.managedSave | DomainUndefineFlags.snapshotsMetadata | DomainUndefineFlags.nvram;

/** Ends a guest and forgets it; one that is gone already is fine. Only for what surely runs elsewhere, or can run nowhere. */
export async function endGuest(daemon: GuestEnding, domain: Domain, signal: AbortSignal): Promise<void> {
  await unlessGone(daemon.domainDestroyFlags({ domain }, { signal }));
  // One without a definition is gone with its process.
  await unlessGone(daemon.domainUndefineFlags({ domain, flags: ALL }, { signal }));
}

async function unlessGone(call: Promise<void>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!isNoDomain(error) && !isOperationInvalid(error)) throw error;
  });
}
