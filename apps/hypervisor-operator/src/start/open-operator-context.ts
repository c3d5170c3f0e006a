import {
  ControllerManager,
  countClientRequests,
  EventRecorder,
  eventKind,
  systemClock,
  type ControllerManagerOptions,
} from '@smalt/controller-runtime';
import { evictionKind, hypervisorKind } from '@smalt/fleet-api';
import { KubeClient } from '@smalt/kube';
import { parseLabelSelector, type LabelSelector } from '@smalt/kubernetes';
import { ovsNodeKind } from '@smalt/ovs-api';
import { createIgnore, HealthRegistry, messageOf, MetricsRegistry } from '@smalt/service-runtime';

import { clusterNodeKind } from '../nodes/cluster-node.ts';
import { leaseName } from './lease-name.ts';
import { OperatorError } from '../operator-error.ts';
import type { OpenedCompute, OperatorOptions } from '../operator-options.ts';
import type { OperatorContext } from '../operator-context.ts';
import { requireFields, type WrittenKind } from './require-fields.ts';
import { isServed, requireKinds } from './served-kinds.ts';
import { slimHypervisor } from '../frame/slim-hypervisor.ts';
import { slimNode } from '../nodes/slim-node.ts';

const COMPONENT = 'hypervisor-operator';
const VERSION = '0.1.0';
/** What the controllers write to a status; the rest is told by agents. */
const writtenKinds: readonly WrittenKind[] = [
  {
    kind: hypervisorKind,
    fields: [
      'aggregates',
      'conditions',
      'evicted',
      'hypervisorId',
      'internalIp',
      'lifecycleState',
      'serviceId',
      'smokeTest',
      'traits',
    ],
  },
  {
    kind: evictionKind,
    fields: ['conditions', 'hypervisorServiceId', 'instances', 'outstandingInstances', 'outstandingRamMb', 'progress'],
  },
];

export interface OpenedOperator {
  readonly context: OperatorContext;
  readonly manager: ControllerManager;
  readonly opened: OpenedCompute;
}

/** Opens what the controllers share, into a stack that closes it in reverse order. */
export async function openOperatorContext(
  options: OperatorOptions,
  stack: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<OpenedOperator> {
  const { kubeConfig, environment, logger, clock = systemClock } = options;
  const { metrics = new MetricsRegistry(), health = new HealthRegistry() } = options;
  const userAgent = `${COMPONENT}/${VERSION}`;
  const onExchange = countClientRequests(metrics);
  const client = stack.use(new KubeClient({ config: kubeConfig, userAgent, environment, onExchange }));
  const ignore = createIgnore(metrics, logger);
  await requireKinds(client, [hypervisorKind, evictionKind], signal);
  await requireFields({ client, clock, ignore }, writtenKinds, signal);
  const hasOvsNodes = await isServed(client, ovsNodeKind, signal);
  const opened = stack.use(options.openCompute({ client, metrics, clock, userAgent }));
  const manager = new ControllerManager({ client, logger, metrics, health, clock, ...managerOptions(options) });
  const recorder = new EventRecorder(client.resource(eventKind), {
    component: COMPONENT,
    clock,
    onFailure: (error) => ignore(error, 'an event is not worth a failure'),
  });
  const { informers } = manager;
  const select = { labelSelector: selectorOf(options) };
  const context = {
    client,
    informers,
    hypervisors: informers.for(hypervisorKind, { select, transform: slimHypervisor }),
    evictions: informers.for(evictionKind),
    nodes: informers.for(clusterNodeKind, { select, transform: slimNode }),
    ovsNodes: hasOvsNodes ? informers.for(ovsNodeKind) : undefined,
    compute: opened.compute,
    recorder,
    metrics,
    health,
    logger,
    ignore,
    clock,
  };
  return { context, manager, opened };
}

function selectorOf({ labelSelector = '' }: OperatorOptions): LabelSelector | undefined {
  if (labelSelector === '') return undefined;
  try {
    return parseLabelSelector(labelSelector);
  } catch (error) {
    throw new OperatorError('bad-setting', `labelSelector: ${messageOf(error)}`, { cause: error });
  }
}

function managerOptions({
  labelSelector = '',
  leaderElection,
  stopTimeoutMs,
}: OperatorOptions): Pick<ControllerManagerOptions, 'leaderElection' | 'stopTimeoutMs'> {
  if (leaderElection === undefined) return { stopTimeoutMs };
  const name = leaseName(labelSelector);
  return { stopTimeoutMs, leaderElection: { ...leaderElection, name } };
}
