import {
  EventRecorder,
  eventKind,
  Informers,
  openAgentClient,
  StatusWriter,
  systemClock,
  type Clock,
  ApiOutages,
} from '@smalt/controller-runtime';
import { hypervisorKind } from '@smalt/fleet-api';
import type { KubeClient } from '@smalt/kube';
import { openSession } from '@smalt/libvirt';
import { createIgnore, HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';
import { openSystemd, type Systemd } from '@smalt/systemd';

import type { AgentContext } from './agent-context.ts';
import { AGENT_CONDITIONS } from './agent-conditions.ts';
import { claimStateDirectory } from './claim-state-directory.ts';
import { countLibvirtCalls } from './count-libvirt-calls.ts';
import { addAgentMetrics, type AgentMetrics } from './metrics/agent-metrics.ts';
import type { NodeAgentOptions } from './node-agent-options.ts';
import { openLibvirt, type OpenedLibvirt } from './open-libvirt.ts';
import { AGENT_FIELDS } from './status/status-fields.ts';
import { WrittenStatusBoard } from './status/written-status-board.ts';
import { WatchedHypervisor } from './watched-hypervisor.ts';

const FIELD_MANAGER = 'smalt-node-agent';
const VERSION = '0.1.0';
const USER_AGENT = `${FIELD_MANAGER}/${VERSION}`;
/** A node is of little use without its daemon: looked for more often than a session would by itself. */
const RECONNECT = { initialMs: 100, maxMs: 5_000 };

/** What an agent opens at its start, for all its parts. */
export interface AgentResources {
  readonly context: AgentContext;
  readonly hypervisor: WatchedHypervisor;
  readonly board: WrittenStatusBoard;
  readonly libvirt: OpenedLibvirt;
  readonly systemd: Systemd | undefined;
  readonly agentMetrics: AgentMetrics;
  readonly clock: Clock;
  readonly apiOutages: ApiOutages;
  /** Without parameters, which may be anything. */
  readonly libvirtUri: string;
}

/** Opens everything, into a stack that closes it in reverse order. */
export async function openAgentResources(
  options: NodeAgentOptions,
  stack: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<AgentResources> {
  const { nodeName, stateDirectory, logger, clock = systemClock } = options;
  const { metrics = new MetricsRegistry(), health = new HealthRegistry() } = options;
  await claimStateDirectory(stateDirectory);
  const onDeath = (delayMs: number): void => logger.warn({ delayMs }, 'libvirtd died and is started again');
  const libvirt = stack.use(await openLibvirt({ choice: options.libvirt, onDeath }, signal));
  const apiOutages = new ApiOutages(options.kubeConfig.server, logger, clock);
  const client = stack.use(openAgentClient({ ...options, userAgent: USER_AGENT, metrics, apiOutages }));
  const systemd = stack.use(await openHostSystemd(options));
  const opened = openSession(libvirt.uri, { whenDown: 'fail', backOff: RECONNECT });
  const session = stack.use(countLibvirtCalls(opened, metrics));
  const ignore = createIgnore(metrics, logger);
  const onFailure = (error: unknown): void => apiOutages.fail(error);
  const informers = new Informers(client, { clock, onFailure });
  const hypervisor = new WatchedHypervisor(informers, nodeName);
  const libvirtUri = withoutParameters(libvirt.uri);
  const agentMetrics = addAgentMetrics(metrics, { nodeName, version: VERSION, libvirtUri });
  const board = openBoard(options, { client, hypervisor, agentMetrics, clock });
  const recorder = new EventRecorder(client.resource(eventKind), {
    component: FIELD_MANAGER,
    host: nodeName,
    clock,
    onFailure: (error) => ignore(error, 'an event is not worth a failure'),
  });
  const namespace = options.namespace ?? options.kubeConfig.namespace;
  const shared = { client, informers, hypervisor, board, recorder, metrics, health, logger, ignore, session };
  const context = { ...shared, nodeName, namespace, stateDirectory, now: () => new Date(clock.now()) };
  return { context, hypervisor, board, libvirt, systemd, agentMetrics, clock, apiOutages, libvirtUri };
}

function openBoard(
  { nodeName, units = [], logger }: NodeAgentOptions,
  parts: Pick<AgentResources, 'hypervisor' | 'agentMetrics' | 'clock'> & { readonly client: KubeClient },
): WrittenStatusBoard {
  const { client, hypervisor, agentMetrics, clock } = parts;
  const writer = new StatusWriter(client.resource(hypervisorKind), hypervisor.informer, FIELD_MANAGER);
  return new WrittenStatusBoard({
    hypervisor,
    write: (status, signal) => writer.apply(nodeName, status, signal),
    fields: AGENT_FIELDS,
    conditionTypes: [...AGENT_CONDITIONS, ...units],
    clock,
    logger,
    metrics: agentMetrics,
  });
}

async function openHostSystemd({
  busPath,
  inhibitCommand = [],
  logger,
}: NodeAgentOptions): Promise<Systemd | undefined> {
  const [program, ...words] = inhibitCommand;
  return await openSystemd({
    busPath,
    inhibitCommand: program === undefined ? undefined : [program, ...words],
    onWarning: (error) => logger.debug({ error }, 'the bus sent something odd'),
  });
}

function withoutParameters(uri: string): string {
  return uri.replace(/\?.*$/s, '');
}
