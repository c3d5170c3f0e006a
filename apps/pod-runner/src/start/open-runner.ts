import {
  ApiOutages,
  ControllerManager,
  openAgentClient,
  systemClock,
  type Clock,
  type Informer,
} from '@smalt/controller-runtime';
import { openImageStore, type ImageStore } from '@smalt/image-store';
import type { KubeClient } from '@smalt/kube';
import { DEFAULT_PODS_DIRECTORY, openCgroups, type Cgroups } from '@smalt/pod-sandbox';
import { HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';

import { LocalClaims } from '../claims/local-claims.ts';
import { KnownCluster } from '../cluster/known-cluster.ts';
import { addRunnerMetrics, type RunnerMetrics } from '../metrics/runner-metrics.ts';
import { nodeKind } from '../node/node-object.ts';
import { NodeKeeper } from '../node/node-keeper.ts';
import { ownAddress, readNodeFacts } from '../node/read-node-facts.ts';
import type { PodRunnerOptions } from '../pod-runner-options.ts';
import { LocalPods, POD_LEAVES } from '../pods/local-pods.ts';
import { podKind, type RunnerPod } from '../pods/pod.ts';
import { PodWorker } from '../pods/pod-worker.ts';
import { ProcessorManager } from '../processors/processor-manager.ts';
import { checkReserved } from '../processors/check-reserved.ts';
import { readHostProcessors } from '../processors/read-host-processors.ts';
import { PodTokens } from '../tokens/pod-tokens.ts';

const USER_AGENT = 'smalt-pod-runner/0.1.0';
const DEFAULT_VOLUMES_DIRECTORY = '/var/lib/smalt/volumes';
const DEFAULT_MAX_PODS = 500;
const DEFAULT_RESERVED_MIB = 256;
const DEFAULT_HEARTBEAT_MS = 10_000;

/** What a runner opens at its start. */
export interface RunnerResources {
  readonly client: KubeClient;
  readonly manager: ControllerManager;
  readonly local: LocalPods;
  readonly worker: PodWorker;
  readonly claims: LocalClaims;
  readonly cluster: KnownCluster;
  readonly tokens: PodTokens;
  readonly keeper: NodeKeeper;
  readonly images: ImageStore;
  readonly metrics: MetricsRegistry;
  readonly runnerMetrics: RunnerMetrics;
  readonly health: HealthRegistry;
  readonly apiOutages: ApiOutages;
  readonly clock: Clock;
  readonly volumesDirectory: string;
  readonly pods: Informer<RunnerPod>;
  /** Told that something of a pod may have changed here. */
  readonly onLocalChange: { call: (key: string) => void };
}

/** Opens everything, into a stack that closes it in reverse order. */
export async function openRunner(options: PodRunnerOptions, stack: AsyncDisposableStack): Promise<RunnerResources> {
  const { nodeName, logger, clock = systemClock, podsDirectory = DEFAULT_PODS_DIRECTORY } = options;
  const { metrics = new MetricsRegistry(), health = new HealthRegistry() } = options;
  const { images = openImageStore(), volumesDirectory = DEFAULT_VOLUMES_DIRECTORY } = options;
  const apiOutages = new ApiOutages(options.kubeConfig.server, logger, clock);
  const client = stack.use(openAgentClient({ ...options, userAgent: USER_AGENT, metrics, apiOutages }));
  const manager = new ControllerManager({ client, logger, metrics, health, clock });
  const onLocalChange = { call: (_key: string): void => undefined };
  const { local, cgroups, processors } = await openLocal(options, { podsDirectory, onLocalChange }, stack);
  const runnerMetrics = addRunnerMetrics(metrics, {
    podCount: () => local.runningCount,
    givenProcessorCount: () => processors?.givenCount ?? 0,
  });
  const claims = new LocalClaims({
    client,
    logger,
    nodeName,
    volumesDirectory,
    usesPath: (path) => local.usesPath(path),
  });
  const pods = podInformer(manager, nodeName);
  const cluster = openCluster({ client, clock, podsDirectory, local, apiOutages });
  const tokens = new PodTokens({ client, clock, local, pods: pods.cache });
  const address = options.address ?? ownAddress();
  const node = { address, nodeName, cgroups, processors, logger, clock, metrics: runnerMetrics };
  const shared = { client, cluster, images, claims, tokens, local, ...node, ...launching(options) };
  const worker = new PodWorker({ ...shared, pods: client.resource(podKind), cache: pods.cache });
  const keeper = openKeeper(
    { ...options, podsDirectory, address },
    { client, clock, manager, apiOutages, metrics: runnerMetrics },
  );
  const opened = { client, manager, local, worker, claims, keeper, images, metrics, runnerMetrics, health, apiOutages };
  return { ...opened, cluster, tokens, clock, volumesDirectory, pods, onLocalChange };
}

function openCluster({
  local,
  apiOutages,
  ...parts
}: Pick<RunnerResources, 'client' | 'clock' | 'local' | 'apiOutages'> & {
  readonly podsDirectory: string;
}): KnownCluster {
  const hasRunningPods = (): Promise<boolean> => local.isAnyRunning();
  return new KnownCluster({ ...parts, hasRunningPods, onFailure: (error) => apiOutages.fail(error) });
}

interface LocalParts {
  readonly local: LocalPods;
  /** Both undefined where pods are only recorded. */
  readonly cgroups: Cgroups | undefined;
  readonly processors: ProcessorManager | undefined;
}

async function openLocal(
  options: PodRunnerOptions,
  { podsDirectory, onLocalChange }: Pick<RunnerResources, 'onLocalChange'> & { readonly podsDirectory: string },
  stack: AsyncDisposableStack,
): Promise<LocalParts> {
  const { cgroupRoot = '', logger, runsProcesses } = options;
  const cgroups = runsProcesses === false ? undefined : await openCgroups();
  let processors: ProcessorManager | undefined;
  const local = stack.use(
    new LocalPods({
      podsDirectory,
      cgroups,
      cgroupRoot,
      onChange: (key) => onLocalChange.call(key),
      onEnd: async (uid) => await processors?.release(uid),
      onInvalid: (error) => logger.warn({ error }, 'the record of a pod is damaged; it counts as never started'),
    }),
  );
  await local.load();
  if (cgroups !== undefined) processors = await openProcessors(options, { podsDirectory, cgroups, local });
  return { local, cgroups, processors };
}

/** Throws `bad-setting` for processors that cannot be reserved. */
async function openProcessors(
  { reservedProcessors: reserved = [], logger }: PodRunnerOptions,
  { podsDirectory: directory, cgroups, local }: OpenedPlaces,
): Promise<ProcessorManager> {
  const processors = await readHostProcessors();
  checkReserved(reserved, { processors, canConfine: cgroups.canConfine });
  const pathOf = (uid: string): string => local.cgroupsOf(uid).pod;
  const onProblems = (problems: readonly string[]): void => {
    if (problems.length > 0) logger.warn({ problems }, 'pods of this node are not kept to their processors');
  };
  const options = { directory, cgroups, processors, reserved, pathOf, leaves: POD_LEAVES, onProblems };
  return await ProcessorManager.open(options, local.uids);
}

interface OpenedPlaces {
  readonly podsDirectory: string;
  readonly cgroups: Cgroups;
  readonly local: LocalPods;
}

function launching({ smaltCommand = [], launcherEnvironment = {}, logger }: PodRunnerOptions) {
  const told = new Set<string>();
  return {
    smaltCommand,
    launcherEnvironment,
    onUnlimited: (problems: readonly string[]) => {
      for (const problem of problems.filter((each) => !told.has(each))) {
        told.add(problem);
        logger.warn({ problem }, 'pods of this node are not limited as they ask for');
      }
    },
  };
}

function openKeeper(
  options: PodRunnerOptions & { readonly podsDirectory: string; readonly address: string },
  parts: {
    readonly client: KubeClient;
    readonly clock: Clock;
    readonly manager: ControllerManager;
    readonly metrics: RunnerMetrics;
    readonly apiOutages: ApiOutages;
  },
): NodeKeeper {
  const { nodeName, podsDirectory, address, capacity } = options;
  const { maxPods = DEFAULT_MAX_PODS, reservedMemoryMiB = DEFAULT_RESERVED_MIB, reservedProcessors = [] } = options;
  const reservation = { maxPods, reservedMemoryMiB, reservedProcessorCount: reservedProcessors.length };
  const select = { fieldSelector: equals('metadata.name', nodeName) };
  const node = parts.manager.informers.for(nodeKind, { select });
  return new NodeKeeper({
    ...parts,
    heartbeatMs: options.heartbeatMs ?? DEFAULT_HEARTBEAT_MS,
    readFacts: () => readNodeFacts({ nodeName, podsDirectory, address, capacity, ...reservation }),
    onFailure: (error) => parts.apiOutages.fail(error),
    isGone: () => node.hasSynced && node.cache.get(nodeName) === undefined,
  });
}

function podInformer(manager: ControllerManager, nodeName: string): Informer<RunnerPod> {
  return manager.informers.for(podKind, { select: { fieldSelector: equals('spec.nodeName', nodeName) } });
}

function equals(field: string, value: string) {
  return { requirements: [{ field, isEqual: true, value }] } as const;
}
