import type { EventRecorder, AgentPart, ApiOutages } from '@smalt/controller-runtime';
import { hypervisorKind } from '@smalt/fleet-api';
import type { KubeClient } from '@smalt/kube';
import type { HealthRegistry, Logger, MetricsRegistry } from '@smalt/service-runtime';

import type { Presence, WatchedHypervisor } from './watched-hypervisor.ts';

export interface MissingHypervisorParts {
  readonly nodeName: string;
  readonly hypervisor: WatchedHypervisor;
  readonly client: KubeClient;
  readonly recorder: EventRecorder;
  readonly health: HealthRegistry;
  readonly metrics: MetricsRegistry;
  readonly logger: Logger;
  readonly apiOutages: Pick<ApiOutages, 'reason'>;
}

/** Says in one sentence why nothing is reported, and what to do; nothing when all is well. */
function missingText(nodeName: string, presence: Presence, apiFailure?: string): string | undefined {
  switch (presence) {
    case 'present':
      return undefined;
    case 'unknown':
      return `it is not known yet whether there is a Hypervisor ${nodeName}: ${apiFailure ?? 'the API server has not answered yet'}`;
    case 'no-hypervisor':
      return `there is no Hypervisor ${nodeName}: have the operator make it from the Node of that name, create it with kubectl, or start the agent with --register`;
    case 'node-gone':
      return `the Node ${nodeName} is gone, and its Hypervisor is about to go: stop this agent, or join the node to the cluster again`;
  }
}

/**
 * Sees to it that somebody notices when there is no Hypervisor to report on: in the log, once; at `/readyz`; in a metric;
 * in an event on the Node. With `register` the Hypervisor is made instead.
 */
export function createMissingHypervisorPart(parts: MissingHypervisorParts, register: boolean): AgentPart {
  const exists = parts.metrics.gauge({
    name: 'smalt_agent_hypervisor_exists',
    help: 'Whether there is a Hypervisor of this node to report on.',
  });
  return {
    name: 'hypervisor',
    run: async (signal) => {
      using _check = parts.health.add(existsCheck(parts));
      await parts.hypervisor.informer.whenSynced(signal);
      let last: Presence | undefined;
      const look = async (): Promise<void> => {
        const { presence } = parts.hypervisor;
        if (presence === last) return;
        last = presence;
        exists.cell([]).set(presence === 'present' ? 1 : 0);
        if (presence === 'no-hypervisor' && register) await createHypervisor(parts, signal);
        else await tell(parts, presence);
      };
      await followPresence(parts.hypervisor, look, signal);
    },
  };
}

async function followPresence(
  hypervisor: WatchedHypervisor,
  look: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const failed = Promise.withResolvers<void>();
  const attempt = (): void => void look().catch(failed.reject);
  const stop = hypervisor.onChange(attempt);
  attempt();
  signal.addEventListener('abort', () => failed.resolve(), { once: true });
  if (signal.aborted) failed.resolve();
  await failed.promise.finally(stop);
}

function existsCheck({
  nodeName,
  hypervisor,
  apiOutages,
}: MissingHypervisorParts): Parameters<HealthRegistry['add']>[0] {
  return {
    name: 'hypervisor-exists',
    kinds: ['readyz'],
    check: () => {
      const text = missingText(nodeName, hypervisor.presence, apiOutages.reason);
      if (text !== undefined) throw new Error(text);
    },
  };
}

async function tell(parts: MissingHypervisorParts, presence: Presence): Promise<void> {
  const { nodeName, logger, recorder } = parts;
  const text = missingText(nodeName, presence);
  if (text === undefined) {
    logger.info({ hypervisor: nodeName }, 'reporting on the Hypervisor');
    return;
  }
  logger.warn({ hypervisor: nodeName }, text);
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName } };
  await recorder.record(node, 'Warning', presence === 'node-gone' ? 'NodeGone' : 'HypervisorMissing', text);
}

async function createHypervisor(parts: MissingHypervisorParts, signal: AbortSignal): Promise<void> {
  const { client, nodeName, logger } = parts;
  const options = { fieldManager: 'smalt-registration', signal };
  // The server fills the defaults of the spec in.
  await client.resource(hypervisorKind).apply(nodeName, { spec: {} }, options);
  logger.info({ hypervisor: nodeName }, 'made the Hypervisor of this node');
}
