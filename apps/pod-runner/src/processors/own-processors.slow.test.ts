import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

import { printProcessors, type PodSandbox } from '@smalt/pod-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launcherPod, startRunnerBed, type RunnerBed } from '../fixtures/runner-bed.ts';
import { nodeKind } from '../node/node-object.ts';
import type { RunnerPod } from '../pods/pod.ts';

const MEMORY = { memory: '64Mi' };
/** All processors but the first, which is reserved. */
const FREE = availableParallelism() - 1;

let bed: RunnerBed;

beforeAll(async () => {
  bed = await startRunnerBed();
});

afterAll(() => bed[Symbol.asyncDispose]());

describe.runIf(FREE > 0)('a runner that reserves a processor', () => {
  it('gives others away for life, keeps everybody else off them, also after it was started anew, and takes them back', async () => {
    await using first = await bed.startRunner({ reservedProcessors: [0], heartbeatMs: 200 });
    const shared = await running(launcherPod('shared'));
    const before = await allowed(shared);

    const own = await running(asking('own', FREE));

    expect(before).toBe(printProcessors([0, ...others()]));
    expect(own.processors).toEqual(others());
    expect([await allowed(own), await allowed(shared)]).toEqual([printProcessors(others()), '0']);
    await using guest = await guestOf(own);
    expect(await guest.allowed()).toBe(printProcessors(others()));

    await first[Symbol.asyncDispose]();
    await using second = await bed.startRunner({ reservedProcessors: [0], heartbeatMs: 200 });
    await bed.create(asking('late', 1));
    const late = await bed.until('late', ({ status }) => status?.phase === 'Failed');

    expect(late.status).toMatchObject({
      reason: 'UnexpectedAdmissionError',
      message: `1 processors of its own are asked for and 0 of this node are free: ${FREE} belong to other pods and 1 are reserved (setting reservedProcessors)`,
    });
    expect([await allowed(own), await allowed(shared)]).toEqual([printProcessors(others()), '0']);
    expect(second.metrics.expose()).toContain(`smalt_pod_runner_own_processors ${FREE}`);

    await bed.pods.delete('own', { namespace: 'default', gracePeriodSeconds: 1 });
    await bed.untilGone('own');
    await expect.poll(() => allowed(shared)).toBe(before);
    const next = await running(asking('next', FREE));
    expect(next.processors).toEqual(others());
  }, 60_000);

  it('tells the scheduler what can be had', async () => {
    const node = await bed.client.resource(nodeKind).get('n1');

    expect([node.status?.capacity?.['cpu'], node.status?.allocatable?.['cpu']].map(Number)).toEqual([FREE + 1, FREE]);
  });
});

it('refuses to reserve what is not there', async () => {
  await expect(bed.startRunner({ reservedProcessors: [4096] })).rejects.toThrow('there is no processor 4096 here');
});

function others(): readonly number[] {
  return Array.from({ length: FREE }, (_, index) => index + 1);
}

/** A pod that is guaranteed so many processors. */
function asking(name: string, count: number): ReturnType<typeof launcherPod> {
  const pod = launcherPod(name);
  const amounts = { ...MEMORY, cpu: String(count) };
  const containers = pod.spec.containers.map((each) => ({
    ...each,
    resources: { requests: amounts, limits: amounts },
  }));
  return { ...pod, spec: { ...pod.spec, containers } };
}

async function running(draft: ReturnType<typeof launcherPod>): Promise<PodSandbox> {
  const pod = await bed.create(draft);
  return await bed.sandboxOf(await bed.until(pod.metadata.name, isRunning));
}

function isRunning({ status }: RunnerPod): boolean {
  return status?.phase === 'Running';
}

/** On which processors the launcher of a pod may run, as the kernel says. */
async function allowed({ launcher }: PodSandbox): Promise<string> {
  return await allowedOf(launcher?.processId ?? 0);
}

async function guestOf(sandbox: PodSandbox): Promise<AsyncDisposable & { readonly allowed: () => Promise<string> }> {
  const guest = await bed.startGuest(sandbox);
  return { allowed: () => allowedOf(guest.pid ?? 0), [Symbol.asyncDispose]: async () => void guest.kill() };
}

async function allowedOf(processId: number): Promise<string> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8');
  return /^Cpus_allowed_list:\s*(.*)$/mu.exec(status)?.[1] ?? '';
}
