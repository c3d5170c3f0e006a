import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { systemClock, type Clock } from '@smalt/controller-runtime';
import { createLogger } from '@smalt/service-runtime';
import type { VirtualMachineInstance, VirtualMachineInstanceMigrationState } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { HypervisorSessions } from '../hypervisor-sessions/hypervisor-sessions.ts';
import { PlayedSource } from './fixtures/played-source.ts';
import type { MigrationEvent } from './migration-event.ts';
import { MigrationSource, type MigrationSourceOptions } from './migration-source.ts';

const KEPT_MS = 600_000;
const COMING_MS = 30_000;
/** No name of a domain, so that it fits whatever id a played libvirt tells. */
const PLAYED_UID = 'u-1';
const signal = new AbortController().signal;
const logger = createLogger({ name: 'test', level: 'silent', destination: process.stderr });

let daemon: TestDaemon;

beforeAll(async () => {
  daemon = await startTestDaemon();
}, 30_000);

afterAll(() => daemon[Symbol.asyncDispose]());

describe('the end that guests leave', () => {
  it('begins on the answer of the write that announced it, and once', async () => {
    await using bed = openBed();
    const announced = await bed.pass(leaving({}));

    bed.source.onWritten(announced);
    bed.source.onWritten(announced);
    await bed.pass(announced);

    expect(announced.status?.migrationState?.startTimestamp).toEqual(expect.any(String));
    expect(bed.events.filter(({ reason }) => reason === 'Migrating')).toHaveLength(1);
  });

  it('begins nothing that somebody else has announced before it is asked to', async () => {
    await using bed = openBed();

    bed.source.onWritten(leaving({ startTimestamp: new Date(0).toISOString() }));

    expect(bed.events).toEqual([]);
  });

  it('gives the connection that it opens ahead half a minute, until the migration begins', async () => {
    await using bed = openBed();
    const announced = await bed.pass(leaving({}));

    expect(bed.timers.map(({ milliseconds }) => milliseconds)).toEqual([COMING_MS]);
    bed.source.onWritten(announced);
    expect(bed.timers).toEqual([]);
  });

  it('forgets how a migration ended after a while, though no other begins', async () => {
    await using bed = openBed();
    // Nothing is left of the guest here: it has moved.
    const begun = leaving({ startTimestamp: new Date(0).toISOString() });
    await bed.pass(begun);
    await expect.poll(() => bed.timers.map(({ milliseconds }) => milliseconds), { timeout: 10_000 }).toEqual([KEPT_MS]);
    const before = await bed.pass(begun);

    for (const { run } of bed.timers.splice(0)) run();
    const after = await bed.pass(begun);

    expect(before.status?.migrationState?.completed).toBe(true);
    expect(after.status?.migrationState).not.toHaveProperty('completed');
    expect(bed.events.map(({ reason }) => reason)).toEqual(['Migrating', 'Migrated', 'Migrating']);
  });

  it('lets nothing go on that somebody else has announced, though it announced the same on an old view', async () => {
    const held = new PlayedSource();
    await using bed = openBed(played(held));
    await bed.pass(leaving({}, PLAYED_UID));
    const begun = leaving({ startTimestamp: new Date(0).toISOString() }, PLAYED_UID);

    bed.source.onWritten(begun);
    await bed.pass(begun);

    await expect.poll(() => failureOf(bed.pass(begun)), { timeout: 10_000 }).toContain('Nobody can tell');
    expect([held.isThere, held.isLetGo]).toEqual([true, false]);
  });

  it('tells of a record that cannot be read until it can be', async () => {
    let problem: Error | undefined = new Error('EIO: i/o error, read');
    const read = async (): Promise<undefined> => {
      if (problem !== undefined) throw problem;
    };
    const guest = Object.assign(new PlayedSource(), { runs: true });
    // It is asked for that before the guest is sent.
    const session = { ...guest.session, domainGetXmlDesc: waitForEver };
    await using bed = openBed({ ...played(guest, session), directories: { read, writeVerdict: async () => false } });
    let told = leaving({ startTimestamp: new Date(0).toISOString() }, PLAYED_UID);
    const look = async (): Promise<string | undefined> => failureOf(bed.pass(told).then((each) => (told = each)));
    await expect.poll(look, { timeout: 10_000 }).toContain('EIO');

    problem = undefined;

    await expect.poll(look, { timeout: 10_000 }).toBeUndefined();
  });

  it('leaves no timer behind', async () => {
    const bed = openBed();
    await bed.pass(leaving({ startTimestamp: new Date(0).toISOString() }));
    await expect.poll(() => bed.timers.length, { timeout: 10_000 }).toBe(1);

    await bed[Symbol.asyncDispose]();

    expect(bed.timers).toEqual([]);
  });
});

interface Timer {
  readonly milliseconds: number;
  readonly run: () => void;
}

/** A node whose libvirt is played. */
function played(guest: PlayedSource, session: object = guest.session): Partial<MigrationSourceOptions> {
  return { sessions: { find: () => Object({ session }) } };
}

async function waitForEver(_: object, { signal: until }: { readonly signal: AbortSignal }): Promise<never> {
  await once(until, 'abort');
  throw until.reason;
}

async function failureOf(passing: Promise<VirtualMachineInstance>): Promise<string | undefined> {
  return (await passing).status?.migrationState?.failureReason;
}

function openBed(change: Partial<MigrationSourceOptions> = {}) {
  const events: MigrationEvent[] = [];
  const timers: Timer[] = [];
  const clock: Clock = {
    ...systemClock,
    later: (milliseconds, run) => {
      const timer = { milliseconds, run };
      timers.push(timer);
      return () => void timers.splice(0, timers.length, ...timers.filter((each) => each !== timer));
    },
  };
  const sessions = new HypervisorSessions({ drivers: { test: { uri: daemon.uri } }, logger });
  const source = new MigrationSource({
    nodeName: 'n1',
    sessions,
    directories: { read: async () => undefined, writeVerdict: async () => false },
    peerUri: '{driver}+tcp://{address}/default',
    wake: () => undefined,
    tell: (_, event) => void events.push(event),
    clock,
    logger,
    ignore: () => undefined,
    ...change,
  });
  const pass = async (instance: VirtualMachineInstance): Promise<VirtualMachineInstance> => {
    const migrationState = await source.step(instance, signal);
    return { ...instance, status: { ...instance.status, ...(migrationState && { migrationState }) } };
  };
  const close = async (): Promise<void> => {
    await source[Symbol.asyncDispose]();
    await sessions[Symbol.asyncDispose]();
  };
  return { source, events, timers, pass, [Symbol.asyncDispose]: close };
}

function leaving(state: VirtualMachineInstanceMigrationState, uid: string = randomUUID()): VirtualMachineInstance {
  const ready = { migrationUid: 'm1', sourceNode: 'n1', targetNode: 'n2', targetNodeAddress: '127.0.0.1:1' };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'guest', namespace: 'default', uid },
    spec: { hypervisor: 'test', domain: { devices: {} } },
    status: { nodeName: 'n1', migrationState: { ...ready, ...state } },
  };
}
