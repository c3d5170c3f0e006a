import { randomUUID } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { systemClock, type Clock } from '@smalt/controller-runtime';
import { createLogger } from '@smalt/service-runtime';
import type { VirtualMachineInstance, VirtualMachineInstanceMigrationState } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { HypervisorSessions } from '../hypervisor-sessions/hypervisor-sessions.ts';
import { InstanceDirectories } from '../sync/end/instance-directories.ts';
import { MigrationTarget } from './migration-target.ts';

const signal = new AbortController().signal;
const logger = createLogger({ name: 'test', level: 'silent', destination: process.stderr });

let daemon: TestDaemon;

beforeAll(async () => {
  daemon = await startTestDaemon();
}, 30_000);

afterAll(() => daemon[Symbol.asyncDispose]());

describe('the end that guests come to', () => {
  it('asks once in a while whether the source is off, and not in every pass', async () => {
    await using bed = await openBed();
    const instance = coming({ startTimestamp: new Date(0).toISOString() });

    for (let pass = 0; pass < 3; pass++) await bed.target.step(instance, signal);
    const before = bed.asked.length;
    for (const run of bed.timers.splice(0)) run();
    await bed.target.step(instance, signal);

    expect([before, bed.asked.length]).toEqual([1, 2]);
    expect(bed.woken).toEqual(['default/guest']);
  });

  it('does not ask before the source has begun', async () => {
    await using bed = await openBed();
    bed.volumes.end.resolve();
    bed.networks.end.resolve();

    await bed.target.step(coming({}), signal);

    expect(bed.asked).toEqual([]);
  });

  it('makes files and networks side by side', async () => {
    await using bed = await openBed();
    const step = bed.target.step(coming({}), signal);
    await Promise.all([bed.volumes.begun, bed.networks.begun]);

    bed.volumes.end.resolve();
    bed.networks.end.resolve();

    expect((await step)?.targetNodeAddress).toBe('192.0.2.2');
  });

  it('tells of a failure only when nothing goes on any more', async () => {
    await using bed = await openBed();
    let isOver = false;
    const step = bed.target.step(coming({}), signal).finally(() => (isOver = true));
    await Promise.all([bed.volumes.begun, bed.networks.begun]);

    bed.networks.end.reject(new Error('no room'));
    await bed.networks.end.promise.catch(() => undefined);
    await new Promise(setImmediate);
    const early = isOver;
    bed.volumes.end.resolve();

    expect((await step)?.targetNodeAddress).toBeUndefined();
    expect(early).toBe(false);
    expect(bed.told).toEqual([expect.stringContaining('no room')]);
  });
});

/** A part of the preparation that ends when it is told to. */
function openPart() {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const run = async (): Promise<readonly never[]> => {
    begun.resolve();
    await end.promise;
    return [];
  };
  return { begun: begun.promise, end, run };
}

async function openBed() {
  const owned = new AsyncDisposableStack();
  const { path: stateDirectory } = owned.use(await mkdtempDisposable(join(tmpdir(), 'target-')));
  const sessions = owned.use(new HypervisorSessions({ drivers: { test: { uri: daemon.uri } }, logger }));
  await sessions.find('test')?.session.connected();
  const [asked, woken, told]: [string[], string[], string[]] = [[], [], []];
  const timers: (() => void)[] = [];
  const clock: Clock = { ...systemClock, later: (_, run) => (timers.push(run), () => undefined) };
  const [volumes, networks] = [openPart(), openPart()];
  const target = new MigrationTarget({
    nodeName: 'n2',
    address: '192.0.2.2',
    sessions,
    directories: new InstanceDirectories(stateDirectory, { nodeName: 'n2', bootId: 'b' }),
    volumes: { prepare: volumes.run, release: async () => undefined },
    networks: { connect: networks.run, disconnect: async () => undefined },
    sandboxes: { find: async (podUid) => sandboxOf(podUid), moveToGuestCgroup: async () => undefined },
    wake: (key) => void woken.push(key),
    isProvenOff: async (nodeName) => (asked.push(nodeName), false),
    tell: (_, { message }) => void told.push(message),
    clock,
    logger,
    ignore: () => undefined,
  });
  return { target, asked, woken, told, timers, volumes, networks, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function sandboxOf(podUid: string) {
  return { podUid, namespace: 'default', name: 'pod', launcher: undefined, guestCgroup: 'guest', volumes: {} };
}

function coming(state: VirtualMachineInstanceMigrationState): VirtualMachineInstance {
  // A pod that is not there is waited for, and nothing is prepared.
  const targetPod = state.startTimestamp === undefined ? 'pod' : 'missing';
  const handed = { migrationUid: 'm1', sourceNode: 'n1', targetNode: 'n2', targetPod };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'guest', namespace: 'default', uid: randomUUID() },
    spec: { hypervisor: 'test', domain: { devices: {} } },
    status: { nodeName: 'n1', activePods: { 'pod-uid': 'n2' }, migrationState: { ...handed, ...state } },
  };
}
