import { dirname } from 'node:path';

import { connect, ConnectListAllDomainsFlags, isLibvirtError, type Connection, type Domain } from '@smalt/libvirt';
import { listSandboxes, openCgroups } from '@smalt/pod-sandbox';

/** How long guests may take to shut down in order. */
const PATIENCE_MS = 5_000;

/** Asks all guests of a libvirt to shut down, and ends those that have not soon. */
export async function endGuests(uri: string): Promise<void> {
  await using connection = await connect(uri);
  await using events = await connection.domainEvents({
    kinds: ['lifecycle'],
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const asked = await activeDomains(connection);
  await Promise.all(asked.map((domain) => unlessGone(connection.domainShutdown({ domain }))));
  if (asked.length > 0) await untilNoneIsActive(connection, events);
  const left = await activeDomains(connection);
  await Promise.all(left.map((domain) => unlessGone(connection.domainDestroy({ domain }))));
}

/** Ends the launchers that are left: those of pods whose guest had not been started. */
export async function endLaunchers(podsDirectory: string, signal: AbortSignal): Promise<void> {
  const sandboxes = await listSandboxes(podsDirectory);
  if (sandboxes.length === 0) return;
  const cgroups = await openCgroups();
  for (const { guestCgroup } of sandboxes) {
    if (guestCgroup === undefined) continue;
    await cgroups.kill(dirname(guestCgroup), signal);
    await cgroups.remove(dirname(guestCgroup));
  }
}

async function untilNoneIsActive(connection: Connection, events: AsyncIterable<unknown>): Promise<void> {
  try {
    if ((await activeDomains(connection)).length === 0) return;
    for await (const _event of events) if ((await activeDomains(connection)).length === 0) return;
  } catch (error) {
    // Their time is over.
    if (!isLibvirtError(error, 'aborted')) throw error;
  }
}

async function activeDomains(connection: Connection): Promise<readonly Domain[]> {
  return await connection.connectListAllDomains({ flags: ConnectListAllDomainsFlags.active });
}

/** A guest that has ended meanwhile, or that has no button to press, is no reason to stop. */
async function unlessGone(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isLibvirtError(error)) throw error;
  }
}
