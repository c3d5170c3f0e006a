import { join } from 'node:path';

import { ApiOutages, Informers, openAgentClient, systemClock, type Clock } from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import { ovsNodeKind } from '@smalt/ovs-api';
import { createIgnore, HealthRegistry, MetricsRegistry, type Ignore } from '@smalt/service-runtime';
import { defaultHealthSettings } from '@smalt/switch-health';

import { addAgentMetrics, type AgentMetrics } from '../metrics/agent-metrics.ts';
import { addSwitchMetrics } from '../metrics/add-switch-metrics.ts';
import { openObserver } from '../observe/open-observer.ts';
import type { SwitchObserver } from '../observe/switch-observer.ts';
import {
  DEFAULT_NAMESPACE,
  DEFAULT_TIMES,
  DEFAULT_WRITES_PER_MINUTE,
  RUN_DIRECTORIES,
  type AgentTimes,
  type OvsAgentOptions,
} from '../ovs-agent-options.ts';
import { HealthKeeper } from '../report/health-keeper.ts';
import { StatusReporter } from '../report/status-reporter.ts';
import { WatchedOvsNode } from '../report/watched-ovs-node.ts';
import { RunningCaptures } from '../troubleshoot/capture/running-captures.ts';

const NAME = 'smalt-ovs-agent';
const VERSION = '0.1.0';

/** What an agent opens at its start. */
export interface AgentResources {
  readonly nodeName: string;
  readonly namespace: string;
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly apiOutages: ApiOutages;
  readonly node: WatchedOvsNode;
  readonly observer: SwitchObserver;
  readonly keeper: HealthKeeper;
  readonly reporter: StatusReporter;
  readonly metrics: MetricsRegistry;
  readonly health: HealthRegistry;
  readonly agentMetrics: AgentMetrics;
  readonly ignore: Ignore;
  readonly clock: Clock;
  /** Who judges mirrors has to know of captures that run. */
  readonly runningCaptures: RunningCaptures;
}

/** Opens everything, into a stack that closes it in reverse order. */
export function openAgent(options: OvsAgentOptions, stack: AsyncDisposableStack): AgentResources {
  const { nodeName, namespace = DEFAULT_NAMESPACE, logger, clock = systemClock, random = Math.random } = options;
  const { metrics = new MetricsRegistry(), health = new HealthRegistry() } = options;
  const times = { ...DEFAULT_TIMES, ...options.times };
  const apiOutages = new ApiOutages(options.kubeConfig.server, logger, clock);
  const client = stack.use(openAgentClient({ ...options, userAgent: `${NAME}/${VERSION}`, metrics, apiOutages }));
  const informers = new Informers(client, { clock, onFailure: (error) => apiOutages.fail(error) });
  const node = new WatchedOvsNode(informers, { namespace, nodeName });
  const agentMetrics = addAgentMetrics(metrics, { nodeName, version: VERSION });
  const ignore = createIgnore(metrics, logger);
  const runningCaptures = new RunningCaptures();
  const shared = { clock, random, ignore, agentMetrics, runningCaptures };
  const observer = openSwitch({ ...options, times }, shared, stack);
  const reporter = openReporter({ ...options, times }, { ...shared, nodeName, namespace, client, node });
  const show = addSwitchMetrics(metrics);
  const keeper = new HealthKeeper({
    facts: () => observer.facts(),
    onChange: (listener) => observer.onChange(listener),
    settings: { ...defaultHealthSettings, ...options.judgement },
    clock,
    onJudged: (facts, status) => {
      show({ facts, status });
      reporter.state(status);
    },
  });
  const opened = { nodeName, namespace, client, informers, apiOutages, node, observer, keeper, reporter };
  return { ...opened, metrics, health, agentMetrics, ignore, clock, runningCaptures };
}

function openReporter(
  options: OvsAgentOptions & { readonly times: AgentTimes },
  shared: Pick<AgentResources, 'nodeName' | 'namespace' | 'client' | 'node' | 'clock' | 'agentMetrics'> & {
    readonly random: () => number;
  },
): StatusReporter {
  const { nodeName, namespace, client, node, clock, random, agentMetrics } = shared;
  return new StatusReporter({
    nodeName,
    namespace,
    node,
    client: client.resource(ovsNodeKind),
    countersMs: options.times.countersMs,
    writesPerMinute: options.writesPerMinute ?? DEFAULT_WRITES_PER_MINUTE,
    clock,
    random,
    logger: options.logger,
    countWrite: (result) => agentMetrics.countStatusWrite(result),
  });
}

function openSwitch(
  options: OvsAgentOptions & { readonly times: AgentTimes },
  shared: Pick<AgentResources, 'clock' | 'ignore' | 'agentMetrics' | 'runningCaptures'> & {
    readonly random: () => number;
  },
  stack: AsyncDisposableStack,
): SwitchObserver {
  const { root = '/', runDirectories = RUN_DIRECTORIES.map((directory) => join(root, directory)) } = options;
  return openObserver(
    {
      runDirectories,
      proc: join(root, 'proc'),
      sysfs: options.sysfs ?? join(root, 'sys'),
      root,
      times: options.times,
      southbound: options.southbound,
      libvirtUri: options.libvirtUri,
      logger: options.logger,
      clock: shared.clock,
      random: shared.random,
      ignore: shared.ignore,
      metrics: shared.agentMetrics,
      runningCaptures: () => shared.runningCaptures.ids,
    },
    stack,
  );
}
