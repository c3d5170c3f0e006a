import {
  ControllerManager,
  countClientRequests,
  eventKind,
  EventRecorder,
  source,
  systemClock,
  type ControllerManagerOptions,
  type ControllerSource,
} from '@smalt/controller-runtime';
import { KubeClient } from '@smalt/kube';
import { createIgnore, HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';

import { namespaceKind, nodeKind, slimNamespace, slimNode } from './cluster-node.ts';
import { claimKind, classKind, slimClaim, slimClass, slimVolume, volumeKind } from './cluster-volume.ts';
import { KnownCluster } from './known-cluster.ts';
import { schedulePod } from './schedule-pod.ts';
import { podKind, slimPod } from './scheduled-pod.ts';
import type { SchedulerContext } from './scheduler-context.ts';
import { createSchedulerMetrics } from './scheduler-metrics.ts';
import type { Scheduler, SchedulerOptions } from './scheduler-options.ts';
import { WaitingPods } from './waiting-pods.ts';

const COMPONENT = 'default-scheduler';
const USER_AGENT = 'smalt-scheduler/0.1.0';
const LEASE = 'smalt-scheduler';
/** Decisions are made one after the other; so many are written at a time. */
const CONCURRENCY = 32;

/** Starts a scheduler. It works until it is disposed of or the signal fires, whatever is away meanwhile. */
export async function startScheduler(options: SchedulerOptions, signal: AbortSignal): Promise<Scheduler> {
  signal.throwIfAborted();
  await using stack = new AsyncDisposableStack();
  const { logger, clock = systemClock, metrics = new MetricsRegistry(), health = new HealthRegistry() } = options;
  const onExchange = countClientRequests(metrics);
  const { kubeConfig: config, environment } = options;
  const client = stack.use(new KubeClient({ config, userAgent: USER_AGENT, environment, onExchange }));
  const manager = new ControllerManager({ client, logger, metrics, health, clock, ...managerOptions(options) });
  const context = contextOf(options, { client, manager, metrics, clock });
  addController(context, manager, stack);
  const stop = new AbortController();
  const ended = manager.run(AbortSignal.any([signal, stop.signal]));
  // Whoever disposes of the scheduler hears of it; nobody has to ask for `ended`.
  ended.catch(() => undefined);
  stack.defer(async () => {
    stop.abort(new Error('the scheduler was stopped'));
    await Promise.allSettled([ended]);
  });
  const owned = stack.move();
  return { ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

interface Parts {
  readonly client: KubeClient;
  readonly manager: ControllerManager;
  readonly metrics: MetricsRegistry;
  readonly clock: SchedulerContext['clock'];
}

function contextOf({ logger, schedulerName }: SchedulerOptions, parts: Parts): SchedulerContext {
  const { client, manager, metrics, clock } = parts;
  const ignore = createIgnore(metrics, logger);
  const onFailure = (error: unknown): void => ignore(error, 'an event is not worth a failure');
  return {
    client,
    schedulerName,
    pods: manager.informers.for(podKind, { transform: slimPod }),
    nodes: manager.informers.for(nodeKind, { transform: slimNode }),
    namespaces: manager.informers.for(namespaceKind, { transform: slimNamespace }),
    claims: manager.informers.for(claimKind, { transform: slimClaim }),
    volumes: manager.informers.for(volumeKind, { transform: slimVolume }),
    classes: manager.informers.for(classKind, { transform: slimClass }),
    recorder: new EventRecorder(client.resource(eventKind), { component: COMPONENT, clock, onFailure }),
    metrics: createSchedulerMetrics(metrics),
    logger,
    ignore,
    clock,
  };
}

function addController(context: SchedulerContext, manager: ControllerManager, stack: AsyncDisposableStack): void {
  const { pods, clock, metrics } = context;
  const waiting = stack.use(new WaitingPods(clock, (key) => controller.enqueue(key)));
  const cluster = new KnownCluster(context, () => waiting.wake());
  metrics.watchWaiting(() => waiting.size);
  const scheduling = { ...context, cluster, waiting };
  const controller = manager.add({
    name: 'scheduler',
    sources: [source(pods), ...surroundings(context)],
    concurrency: CONCURRENCY,
    reconcile: (key, signal) => schedulePod(scheduling, key, signal),
  });
}

function silent(): boolean {
  return false;
}

/** They bring no keys of their own: nothing is placed before all of them are known. */
function surroundings({ nodes, namespaces, claims, volumes, classes }: SchedulerContext): ControllerSource[] {
  const cluster = [source(nodes, silent), source(namespaces, silent)];
  return [...cluster, source(claims, silent), source(volumes, silent), source(classes, silent)];
}

function managerOptions({
  leaderElection,
  stopTimeoutMs,
}: SchedulerOptions): Pick<ControllerManagerOptions, 'leaderElection' | 'stopTimeoutMs'> {
  if (leaderElection === undefined) return { stopTimeoutMs };
  return { stopTimeoutMs, leaderElection: { ...leaderElection, name: LEASE } };
}
