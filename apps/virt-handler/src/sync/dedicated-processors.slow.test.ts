import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

import { startHost, type BedHost } from '@smalt/bed-libvirt';
import { openCgroups, openSandboxes, parseProcessors, type Cgroups, type PodSandbox } from '@smalt/pod-sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { bareMachine, driversOf } from './fixtures/qemu-guest.ts';
import { SyncBed, type RunningHandler } from './fixtures/sync-bed.ts';
import type { Sandboxes } from './sandboxes.ts';

const ROOT = `/smalt-own-test-${process.pid}`;
const LEAVES = ['launcher', 'guest'];

let host: BedHost;
let bed: SyncBed;
let cgroups: Cgroups;
let handler: RunningHandler;

beforeAll(async () => {
  host = await startHost();
  bed = await SyncBed.start(driversOf(host));
  cgroups = await openCgroups();
  const real = await openSandboxes();
  const sandboxes: Sandboxes = {
    find: (...asked) => bed.node.sandboxes.find(...asked),
    moveToGuestCgroup: (...asked) => real.moveToGuestCgroup(...asked),
  };
  handler = await bed.startHandler({ sandboxes });
});

afterAll(async () => {
  await handler[Symbol.asyncDispose]();
  await bed[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  await cgroups.kill(ROOT, AbortSignal.timeout(10_000));
  await cgroups.remove(ROOT);
}, 60_000);

it('puts each processor of a guest on one of its pod, and no two guests on the same', async () => {
  const [first, second] = await Promise.all([runs('first', [0]), runs('second', [1])]);

  expect(first).toEqual({ processors: [[0]], others: [0] });
  expect(second).toEqual({ processors: [[1]], others: [1] });
}, 60_000);

it.runIf(availableParallelism() > 1)(
  'keeps what the emulator does off the processor of the guest',
  async () => {
    const cpu = { model: 'qemu64', dedicatedCpuPlacement: true, isolateEmulatorThread: true };

    expect(await runs('isolated', [0, 1], cpu)).toEqual({ processors: [[0]], others: [1] });
  },
  60_000,
);

it.runIf(availableParallelism() > 1)(
  'puts several processors of a guest on several of its pod',
  async () => {
    const cpu = { model: 'qemu64', cores: 2, dedicatedCpuPlacement: true };

    expect(await runs('several', [0, 1], cpu)).toEqual({ processors: [[0], [1]], others: [0, 1] });
  },
  60_000,
);

it('refuses a guest whose pod has too few, and says what to look at', async () => {
  const cpu = { model: 'qemu64', cores: 2, dedicatedCpuPlacement: true };
  await bed.place('poor', { spec: machine(cpu), pod: await podWith('poor', [0]) });

  const { status } = await bed.until('poor', (poor) => poor.status?.conditions?.[0]?.type === 'Synchronized');

  expect(status?.conditions?.[0]?.message).toContain(
    '2 processors of its own are needed and its pod has 1; is the CPU manager of the node static?',
  );
}, 60_000);

interface Affinities {
  /** Where the processors of the guest may run, one after the other. */
  readonly processors: readonly (readonly number[])[];
  /** Where all other threads may run. */
  readonly others: readonly number[];
}

/** Runs a guest in a pod with these processors, and reads from the kernel where its threads may run. */
async function runs(name: string, own: readonly number[], cpu: object = {}): Promise<Affinities> {
  const pod = await podWith(name, own);
  await bed.place(name, { spec: machine({ model: 'qemu64', dedicatedCpuPlacement: true, ...cpu }), pod });
  await bed.untilPhase(name, 'Running');
  const [processId = 0] = await cgroups.processIds(pod.guestCgroup ?? '');
  const threads = await Promise.all((await readdir(`/proc/${processId}/task`)).map((id) => thread(processId, id)));
  const processors = threads.filter((each) => each.name.startsWith('CPU ')).map(({ cpus }) => cpus);
  const others = new Set(threads.filter((each) => !each.name.startsWith('CPU ')).flatMap(({ cpus }) => cpus));
  return { processors, others: [...others] };
}

async function thread(
  processId: number,
  id: string,
): Promise<{ readonly name: string; readonly cpus: readonly number[] }> {
  const status = await readFile(`/proc/${processId}/task/${id}/status`, 'utf8');
  const name = /^Name:\s*(.*)$/mu.exec(status)?.[1] ?? '';
  return { name, cpus: parseProcessors(/^Cpus_allowed_list:\s*(.*)$/mu.exec(status)?.[1] ?? '') };
}

function machine(cpu: object): ReturnType<typeof bareMachine> {
  const { domain, ...spec } = bareMachine();
  return { ...spec, domain: { ...domain, cpu } };
}

/** A pod as a runner with a static CPU manager makes it. */
async function podWith(name: string, processors: readonly number[]): Promise<PodSandbox> {
  const path = `${ROOT}/${name}`;
  await cgroups.make({ path, leaves: LEAVES, limits: {} });
  expect(await cgroups.confine(path, LEAVES, processors)).toEqual([]);
  const about = { podUid: `pod-of-${name}`, namespace: 'default', name: `virt-launcher-${name}` };
  return { ...about, launcher: undefined, guestCgroup: `${path}/guest`, processors, volumes: {} };
}
