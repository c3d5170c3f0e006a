import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { connect, ConnectListAllDomainsFlags, isLibvirtError, type Connection, type Domain } from '@smalt/libvirt';
import { listSandboxes, openCgroups } from '@smalt/pod-sandbox';

import { guestPatienceMs } from './guest-patience.ts';

export interface EndGuestsOptions {
  readonly print: (line: string) => void;
  /** Waits for so many milliseconds, or until the signal fires. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

interface Guest {
  readonly domain: Domain;
  readonly patienceMs: number;
  /** Fires when it has ended. */
  readonly gone: AbortController;
}

/** Asks all guests of a libvirt to shut down, and ends each that has not when its own grace period is over. */
export async function endGuests(uri: string, { print, wait = pause }: EndGuestsOptions): Promise<void> {
  await using connection = await connect(uri);
  const over = new AbortController();
  await using events = await connection.domainEvents({ kinds: ['lifecycle'], signal: over.signal });
  const guests = await activeGuests(connection);
  if (guests.length === 0) return;
  print(waitingText(guests));
  const watching = watchEnds(connection, guests, events);
  await Promise.all(
    guests.map(async ({ domain, patienceMs, gone }) => {
      await unlessGone(connection.domainShutdown({ domain }));
      await wait(patienceMs, gone.signal);
      if (!gone.signal.aborted) await unlessGone(connection.domainDestroy({ domain }));
    }),
  );
  over.abort();
  await watching;
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

async function activeGuests(connection: Connection): Promise<readonly Guest[]> {
  const domains = await activeDomains(connection);
  return await Promise.all(
    domains.map(async (domain) => {
      const xml = await unlessGone(connection.domainGetXmlDesc({ domain }));
      return { domain, patienceMs: guestPatienceMs(xml ?? ''), gone: new AbortController() };
    }),
  );
}

function waitingText(guests: readonly Guest[]): string {
  const seconds = Math.ceil(Math.max(...guests.map(({ patienceMs }) => patienceMs)) / 1_000);
  const count = guests.length === 1 ? '1 guest' : `${guests.length} guests`;
  return `waiting up to ${seconds} s for ${count} to shut down; Ctrl-C again leaves them running`;
}

async function watchEnds(
  connection: Connection,
  guests: readonly Guest[],
  events: AsyncIterable<unknown>,
): Promise<void> {
  try {
    for await (const _event of events) {
      const active = new Set((await activeDomains(connection)).map(({ name }) => name));
      guests.filter(({ domain }) => !active.has(domain.name)).forEach(({ gone }) => gone.abort());
    }
  } catch (error) {
    // All have ended, or will not by themselves.
    if (!isLibvirtError(error)) throw error;
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

async function activeDomains(connection: Connection): Promise<readonly Domain[]> {
  return await connection.connectListAllDomains({ flags: ConnectListAllDomainsFlags.active });
}

/** A guest that has ended meanwhile, or that has no button to press, is no reason to stop. */
async function unlessGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (!isLibvirtError(error)) throw error;
    return undefined;
  }
}
