import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findProcess } from '@smalt/pod-sandbox';
import { expect, it, vi } from 'vitest';

import { LocalPods } from './local-pods.ts';

const UID = '6a7f0000-0000-4000-8000-000000000001';
const HOUR_MS = 3_600_000;

it.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])('counts how long a launcher is stopping by a clock that nobody sets %s', async (_where, jumpMs) => {
  await using bed = await openBed();
  const local = await bed.runner();

  await local.stop(UID, bed.clock);
  bed.clock.steadyMs += 5_000;
  bed.clock.wallMs += 5_000 + jumpMs;

  expect(await local.stoppingForMs(UID, bed.clock)).toBe(5_000);
});

it.each([
  ['nobody has set it', 5_000, 5_000],
  ['it was set back', 5_000 - HOUR_MS, 0],
])(
  'goes on with what the runner before has noted, by the clock on the wall when %s',
  async (_what, passedMs, forMs) => {
    await using bed = await openBed();
    await (await bed.runner()).stop(UID, bed.clock);
    bed.clock.wallMs += passedMs;
    const next = await bed.runner();

    const first = await next.stoppingForMs(UID, bed.clock);
    bed.clock.steadyMs += 1_000;
    bed.clock.wallMs += HOUR_MS;

    expect([first, await next.stoppingForMs(UID, bed.clock)]).toEqual([forMs, forMs + 1_000]);
  },
);

it('tells a launcher to end that the runner before was about to tell', async () => {
  await using bed = await openBed();
  const before = await bed.runner();
  using _death = vi.spyOn(process, 'kill').mockImplementationOnce(() => {
    throw new Error('killed here');
  });
  await expect(before.stop(UID, bed.clock)).rejects.toThrow('killed here');
  const next = await bed.runner();

  const forMs = await next.stoppingForMs(UID, bed.clock);
  const ended = once(bed.launcher, 'exit');
  await next.stop(UID, bed.clock);

  expect(forMs).toBeUndefined();
  expect(await ended).toEqual([null, 'SIGTERM']);
  expect(await (await bed.runner()).stoppingForMs(UID, bed.clock)).toBe(0);
});

it('takes a pod whose record makes no sense for one that was never started, but none whose record cannot be read', async () => {
  await using bed = await openBed();
  await writeFile(bed.recordFile, '{}');
  const damaged = await (await bed.runner()).state(UID);
  await rm(bed.recordFile);
  await mkdir(bed.recordFile);

  const unreadable = bed.runner();

  expect(damaged).toEqual({ kind: 'nothing' });
  await expect(unreadable).rejects.toMatchObject({ code: 'EISDIR' });
});

interface Bed extends AsyncDisposable {
  readonly launcher: ChildProcess;
  readonly recordFile: string;
  readonly clock: TwoClocks;
  /** What a runner that starts now knows of the pod. */
  runner(): Promise<LocalPods>;
}

/** The clock on the wall, which can be set, and the one that cannot. */
class TwoClocks {
  wallMs = Date.parse('2026-01-01T00:00:00Z');
  steadyMs = 0;

  now(): number {
    return this.wallMs;
  }

  monotonic(): number {
    return this.steadyMs;
  }
}

/** A pod whose launcher runs. */
async function openBed(): Promise<Bed> {
  await using stack = new AsyncDisposableStack();
  const { path: podsDirectory } = stack.use(await mkdtempDisposable(join(tmpdir(), 'smalt-local-pods-')));
  const launcher = spawn('sleep', ['60'], { stdio: 'ignore' });
  stack.defer(() => void launcher.kill('SIGKILL'));
  await once(launcher, 'spawn');
  const runner = async (): Promise<LocalPods> => {
    const told = { onChange: () => undefined, onEnd: async () => undefined, onInvalid: () => undefined };
    // Without cgroups it watches nothing, and has nothing to close.
    const local = new LocalPods({ podsDirectory, cgroups: undefined, cgroupRoot: '', ...told });
    await local.load();
    return local;
  };
  const pod = { podUid: UID, namespace: 'default', name: 'vm', guestCgroup: undefined, volumes: {} };
  const first = await runner();
  await first.begin(UID, 'default/vm');
  await first.record({ ...pod, launcher: await findProcess(launcher.pid ?? 0) });
  const owned = stack.move();
  const recordFile = join(podsDirectory, UID, 'sandbox.json');
  return { launcher, recordFile, clock: new TwoClocks(), runner, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
