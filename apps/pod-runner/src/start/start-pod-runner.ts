import { mkdir } from 'node:fs/promises';

import { mappedSource, runPart, runTogether, source } from '@smalt/controller-runtime';
import { labelRequirement, type KubernetesObject } from '@smalt/kubernetes';
import { DEFAULT_PODS_DIRECTORY } from '@smalt/pod-sandbox';
import { untilAborted } from '@smalt/service-runtime';

import { localClass, LOCAL_CLASS, NODE_LABEL } from '../claims/local-volume.ts';
import { tryLauncher } from '../launch/try-launcher.ts';
import { hasProjectedVolume } from '../tokens/pod-tokens.ts';
import type { PodRunnerOptions } from '../pod-runner-options.ts';
import type { PodRunner } from '../pod-runner.ts';
import { claimKind, storageClassKind, volumeKind } from '../volumes/volume-kinds.ts';
import { watchImages } from '../volumes/watch-images.ts';
import { checkOptions } from './check-options.ts';
import { lockDirectory } from './lock-directory.ts';
import { openRunner, type RunnerResources } from './open-runner.ts';

const CONCURRENCY = 16;
const MANAGER = 'smalt-pod-runner';

/**
 * Registers the node and runs its launcher pods until it is disposed of or the signal fires; what it has started runs on
 * then. Rejects only for what will never work.
 */
export async function startPodRunner(options: PodRunnerOptions, signal: AbortSignal): Promise<PodRunner> {
  checkOptions(options);
  signal.throwIfAborted();
  await using stack = new AsyncDisposableStack();
  const { podsDirectory = DEFAULT_PODS_DIRECTORY, smaltCommand = [], launcherEnvironment = {} } = options;
  await mkdir(podsDirectory, { recursive: true, mode: 0o711 });
  stack.use(await lockDirectory(podsDirectory));
  if (options.runsProcesses !== false) await tryLauncher(smaltCommand, launcherEnvironment, signal);
  const resources = await openRunner(options, stack);
  addControllers(resources, options);
  stack.use(resources.health.add(registrationCheck(resources)));
  const stop = new AbortController();
  const ended = run(resources, options, AbortSignal.any([signal, stop.signal]));
  // Whoever disposes of the runner hears of it; nobody has to ask for `ended`.
  ended.catch(() => undefined);
  stack.defer(async () => {
    stop.abort();
    await Promise.allSettled([ended]);
  });
  const owned = stack.move();
  return { metrics: resources.metrics, ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function addControllers(resources: RunnerResources, { nodeName }: PodRunnerOptions): void {
  const { manager, worker, pods, tokens, onLocalChange, volumesDirectory } = resources;
  const controller = manager.add({
    name: 'pods',
    sources: [source(pods)],
    concurrency: CONCURRENCY,
    reconcile: (key, signal) => worker.reconcile(key, signal),
  });
  onLocalChange.call = (key) => controller.enqueue(key);
  manager.add({
    name: 'tokens',
    sources: [source(pods, ({ old, current }) => hasProjectedVolume(current ?? old))],
    reconcile: (key, signal) => tokens.reconcile(key, signal),
  });
  if (volumesDirectory !== '') addVolumes(resources, nodeName);
}

/** Volumes of the class `smalt-local` go with their claims. */
function addVolumes({ manager, pods, claims }: RunnerResources, nodeName: string): void {
  const select = { labelSelector: { requirements: [labelRequirement(NODE_LABEL, '=', [nodeName])] } };
  const volumes = manager.informers.for(volumeKind, { select });
  const watchedClaims = manager.informers.for(claimKind, { select });
  manager.add({
    name: 'volumes',
    sources: [
      source(volumes),
      // With a pod may go the last use of a volume.
      mappedSource(pods, ({ current }) => (current === undefined ? volumes.cache.list().map(nameOf) : [])),
      mappedSource(watchedClaims, ({ old, current }) => [(current ?? old)?.spec.volumeName ?? []].flat()),
    ],
    reconcile: (name, signal) => claims.reclaim(name, volumes.cache.get(name), signal),
  });
}

function nameOf({ metadata }: KubernetesObject): string {
  return metadata.name;
}

async function run(resources: RunnerResources, options: PodRunnerOptions, signal: AbortSignal): Promise<void> {
  const { cluster, manager, worker, pods, keeper, images, runnerMetrics, clock, onLocalChange } = resources;
  const supervision = { logger: options.logger, clock, metrics: runnerMetrics };
  const part = (name: string, work: (own: AbortSignal) => Promise<void>) => (until: AbortSignal) =>
    runPart({ name, run: work }, supervision, until);
  const sweep = async (until: AbortSignal): Promise<void> => {
    await pods.whenSynced(until);
    await worker.sweep(until);
    await untilAborted(until);
  };
  await untilKnown(cluster, signal);
  if (signal.aborted) return;
  const wake = (): void => worker.waiting.forEach((key) => onLocalChange.call(key));
  await runTogether(
    [
      (until) => manager.run(until),
      part('sweep', sweep),
      part('node', (until) => keeper.run(until)),
      part('images', (until) => watchImages(images.directory, wake, until)),
      ...(resources.volumesDirectory === '' ? [] : [part('class', (until) => applyClass(resources, until))]),
    ],
    signal,
  );
}

async function untilKnown(cluster: RunnerResources['cluster'], signal: AbortSignal): Promise<void> {
  try {
    await cluster.open(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function applyClass({ client }: RunnerResources, signal: AbortSignal): Promise<void> {
  const options = { fieldManager: MANAGER, force: true, signal };
  await client.resource(storageClassKind).apply(LOCAL_CLASS, localClass(), options);
  await untilAborted(signal);
}

function registrationCheck({ keeper, apiOutages }: RunnerResources) {
  return {
    name: 'node-registered',
    kinds: ['readyz'],
    check: () => {
      if (!keeper.isRegistered) throw new Error(`the Node is not registered: ${apiOutages.reason ?? 'not tried yet'}`);
    },
  } as const;
}
