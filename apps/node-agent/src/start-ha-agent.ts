import { mkdir } from 'node:fs/promises';

import {
  EventRecorder,
  eventKind,
  Informers,
  StatusWriter,
  systemClock,
  type Clock,
  runPart,
  runTogether,
  type Task,
} from '@smalt/controller-runtime';
import { hypervisorKind } from '@smalt/fleet-api';
import type { HaAgentDeps, HaAgentSettings } from '@smalt/ha-agent';
import { KubeClient, type KubeConfig } from '@smalt/kube';
import { openSession } from '@smalt/libvirt';
import { createIgnore, HealthRegistry, MetricsRegistry, type Logger } from '@smalt/service-runtime';

import { countLibvirtCalls } from './count-libvirt-calls.ts';
import { addAgentMetrics, type AgentMetrics } from './metrics/agent-metrics.ts';
import { WrittenStatusBoard } from './status/written-status-board.ts';
import { WatchedHypervisor } from './watched-hypervisor.ts';

/** Not that of the node agent, which may run beside it. */
const FIELD_MANAGER = 'smalt-ha-agent';
const VERSION = '0.1.0';

/** What an HA agent that runs alone is told. */
export interface HaAgentOptions {
  readonly nodeName: string;
  readonly libvirtUri: string;
  readonly stateDirectory: string;
  readonly ha: HaAgentSettings;
  readonly logger: Logger;
  /** Where the condition `HaAgent` is stated; nowhere without one. */
  readonly kubeConfig?: KubeConfig | undefined;
  readonly metrics?: MetricsRegistry | undefined;
  readonly health?: HealthRegistry | undefined;
  readonly clock?: Clock | undefined;
}

export interface RunningHaAgent extends AsyncDisposable {
  /** Resolves when the agent has stopped, and rejects when it cannot go on. */
  readonly ended: Promise<void>;
}

/** Starts an HA agent without the rest of the node agent. */
export async function startHaAgent(options: HaAgentOptions, signal: AbortSignal): Promise<RunningHaAgent> {
  const { nodeName, stateDirectory, logger, clock = systemClock } = options;
  const { metrics = new MetricsRegistry(), health = new HealthRegistry() } = options;
  await using stack = new AsyncDisposableStack();
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  const session = stack.use(countLibvirtCalls(openSession(options.libvirtUri, { whenDown: 'fail' }), metrics));
  const agentMetrics = addAgentMetrics(metrics, {
    nodeName,
    version: VERSION,
    libvirtUri: session.uri.replace(/\?.*$/s, ''),
  });
  const reporting = openReporting(options, stack, { agentMetrics, clock });
  // The node agent shares this package, and loads it only where it is used.
  const { createHaAgent } = await import('@smalt/ha-agent');
  const agent = createHaAgent({
    session,
    nodeName,
    stateDirectory,
    settings: options.ha,
    logger,
    metrics,
    health,
    ignore: createIgnore(metrics, logger),
    now: () => new Date(clock.now()),
    ...reporting.outlets,
  });
  const stop = new AbortController();
  const supervision = { logger, clock, metrics: agentMetrics };
  const tasks = [(until: AbortSignal) => runPart(agent, supervision, until), ...reporting.tasks];
  const ended = runTogether(tasks, AbortSignal.any([signal, stop.signal]));
  ended.catch(() => undefined);
  stack.defer(async () => {
    stop.abort();
    await Promise.allSettled([ended]);
  });
  const owned = stack.move();
  return { ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

interface Reporting {
  readonly outlets: Pick<HaAgentDeps, 'status' | 'recorder'>;
  readonly tasks: readonly Task[];
}

function openReporting(
  { kubeConfig, nodeName, logger }: HaAgentOptions,
  stack: AsyncDisposableStack,
  { agentMetrics, clock }: { readonly agentMetrics: AgentMetrics; readonly clock: Clock },
): Reporting {
  if (kubeConfig === undefined) return { outlets: {}, tasks: [] };
  const client = stack.use(new KubeClient({ config: kubeConfig, userAgent: `${FIELD_MANAGER}/${VERSION}` }));
  const onFailure = (error: unknown): void => logger.debug({ error }, 'the API is away');
  const informers = new Informers(client, { clock, onFailure });
  const hypervisor = new WatchedHypervisor(informers, nodeName);
  const writer = new StatusWriter(client.resource(hypervisorKind), hypervisor.informer, FIELD_MANAGER);
  const write: StatusWrite = (status, writing) => writer.apply(nodeName, status, writing);
  const facts = { fields: [], conditionTypes: ['HaAgent'] };
  const board = new WrittenStatusBoard({ hypervisor, write, ...facts, clock, logger, metrics: agentMetrics });
  const recorder = new EventRecorder(client.resource(eventKind), {
    component: FIELD_MANAGER,
    host: nodeName,
    onFailure,
  });
  const nobody = { apiVersion: 'kvm.cloud.sap/v1', kind: 'Hypervisor', metadata: { name: nodeName } };
  return {
    outlets: {
      status: (condition) => board.state(FIELD_MANAGER, { conditions: [condition] }),
      recorder: ({ type, reason, message }) =>
        void recorder.record(hypervisor.current ?? nobody, type, reason, message),
    },
    tasks: [(until) => informers.run(until), (until) => board.run(until)],
  };
}

type StatusWrite = ConstructorParameters<typeof WrittenStatusBoard>[0]['write'];
