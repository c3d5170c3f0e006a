import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isProcessRunning } from '@smalt/pod-sandbox';
import { createLogger } from '@smalt/service-runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { launcherPod, startRunnerBed, type RunnerBed } from '../fixtures/runner-bed.ts';
import { openRunner, type RunnerResources } from '../start/open-runner.ts';
import type { RunnerPod } from './pod.ts';

let bed: RunnerBed;

beforeAll(async () => {
  bed = await startRunnerBed();
});

afterAll(() => bed[Symbol.asyncDispose]());

it('ends nothing of a pod that the API still knows, though the cache does not', async () => {
  await using stack = new AsyncDisposableStack();
  const { worker, cluster, local } = await openDeaf(stack, 'deaf');
  await cluster.open(signal());
  const { metadata } = await bed.create(launcherPod('known'));
  await local.begin(metadata.uid ?? '', 'default/known');
  await local.begin('11111111-dead-4000-beef-000000000000', 'default/known');

  await worker.sweep(signal());
  const kept = local.uids;
  await bed.pods.delete('known', { namespace: 'default', gracePeriodSeconds: 0 });
  await worker.sweep(signal());

  expect(kept).toEqual([metadata.uid]);
  expect(local.uids).toEqual([]);
});

it('ends nothing while another cluster answers', async () => {
  await using stack = new AsyncDisposableStack();
  const { worker, cluster, local } = await openDeaf(stack, 'moved');
  await cluster.open(signal());
  await local.begin('22222222-dead-4000-beef-000000000000', 'default/stranger');
  await writeFile(join(bed.directory, 'moved', 'cluster'), 'another');

  const sweeping = worker.sweep(signal());

  await expect(sweeping).rejects.toMatchObject({ code: 'other-cluster' });
  expect(local.uids).toHaveLength(1);
});

it('refuses to run beside the running pods of another cluster, and leaves them alone', async () => {
  const first = await bed.startRunner();
  await bed.create(launcherPod('stranger'));
  const sandbox = await bed.sandboxOf(await bed.until('stranger', isRunning));
  await first[Symbol.asyncDispose]();
  await bed.pods.delete('stranger', { namespace: 'default', gracePeriodSeconds: 0 });
  await writeFile(join(bed.podsDirectory, 'cluster'), 'another');

  await using second = await bed.startRunner();

  await expect(second.ended).rejects.toThrow(/are of the cluster another, and the API is that of .*right kubeconfig/);
  expect(sandbox.launcher && (await isProcessRunning(sandbox.launcher))).toBe(true);
});

/** A runner that has opened everything and hears of nothing. */
async function openDeaf(stack: AsyncDisposableStack, name: string): Promise<RunnerResources> {
  const logger = createLogger({ name: 'test', level: 'error', destination: { write: () => undefined } });
  const places = { podsDirectory: join(bed.directory, name), volumesDirectory: '', images: bed.images };
  const options = { nodeName: 'n1', kubeConfig: bed.client.config, logger, runsProcesses: false, ...places };
  return await openRunner(options, stack);
}

function isRunning({ status }: RunnerPod): boolean {
  return status?.phase === 'Running';
}

function signal(): AbortSignal {
  return AbortSignal.timeout(15_000);
}
