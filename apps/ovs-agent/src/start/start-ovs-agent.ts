import {
  leaseKind,
  NodeClaim,
  ownIdentity,
  ownLockPlace,
  runPart,
  runTogether,
  type AgentIdentity,
} from '@smalt/controller-runtime';
import type { HealthRegistry } from '@smalt/service-runtime';

import type { OvsAgentOptions } from '../ovs-agent-options.ts';
import type { OvsAgent } from '../ovs-agent.ts';
import type { Troubleshooting } from '../troubleshoot/start-troubleshooting.ts';
import { checkOptions } from './check-options.ts';
import { openAgent, type AgentResources } from './open-agent.ts';

/**
 * Starts an agent. It reports until it is disposed of or the signal fires, whatever is away meanwhile: a daemon, the
 * database, the API. Rejects only for what will never work, such as options that make no sense.
 */
export async function startOvsAgent(options: OvsAgentOptions, signal: AbortSignal): Promise<OvsAgent> {
  checkOptions(options);
  signal.throwIfAborted();
  await using stack = new AsyncDisposableStack();
  const resources = openAgent(options, stack);
  const troubleshooting = await openTroubleshooting(options, resources, signal);
  if (troubleshooting !== undefined) stack.use(troubleshooting);
  const identity = await ownIdentity(new Date(resources.clock.now()));
  for (const check of checksOf(resources)) stack.use(resources.health.add(check));
  const stop = new AbortController();
  const ended = runAgent(resources, { options, identity }, AbortSignal.any([signal, stop.signal]));
  // Whoever disposes of the agent hears of it; nobody has to ask for `ended`.
  ended.catch(() => undefined);
  stack.defer(async () => {
    stop.abort();
    await Promise.allSettled([ended]);
  });
  const owned = stack.move();
  return {
    access: resources.observer,
    metrics: resources.metrics,
    troubleshootingPort: troubleshooting?.port,
    ended,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Assembly {
  readonly options: OvsAgentOptions;
  readonly identity: AgentIdentity;
}

async function runAgent(resources: AgentResources, assembly: Assembly, signal: AbortSignal): Promise<void> {
  const { informers, observer, keeper, reporter, agentMetrics, clock } = resources;
  const supervision = { logger: assembly.options.logger, clock, metrics: agentMetrics };
  const claim = claimNode(resources, assembly);
  const report = async (reporting: AbortSignal): Promise<void> => {
    agentMetrics.setReporting(true);
    try {
      // Each time anew: what another agent has told meanwhile must not be written over by who does not know it.
      await inherit(resources, reporting);
      await reporter.run(reporting);
    } finally {
      agentMetrics.setReporting(false);
    }
  };
  const judge = async (until: AbortSignal): Promise<void> => {
    await observer.ready(until);
    await keeper.run(until);
  };
  await runTogether(
    [
      (until) => informers.run(until),
      (until) => runPart({ name: 'observe', run: (own) => observer.run(own) }, supervision, until),
      (until) => runPart({ name: 'judge', run: judge }, supervision, until),
      (until) => claim.run(report, until),
    ],
    signal,
  );
}

function claimNode(resources: AgentResources, { options, identity }: Assembly): NodeClaim {
  const { client, nodeName, namespace, clock, apiOutages } = resources;
  const { logger, lease, lockDirectory } = options;
  return new NodeClaim(client.resource(leaseKind), {
    name: `smalt-ovs-agent-${nodeName}`,
    namespace,
    identity,
    lock: lockDirectory === undefined ? undefined : ownLockPlace(lockDirectory, nodeName, logger),
    times: lease,
    clock,
    logger,
    onObstacle: (obstacle) => {
      if (obstacle?.kind === 'rival') {
        logger.warn({ reporting: obstacle.identity }, 'another agent reports on this node; waiting. Stop one of them');
      }
      if (obstacle?.kind === 'refused') {
        const text =
          'this agent may not keep the Lease of the node, so it does not report: let it get, create and update Leases';
        logger.warn({ lease: obstacle.lease, reason: obstacle.reason }, text);
      }
    },
    onFailure: (error) => apiOutages.fail(error),
  });
}

/** What an earlier run, or another agent, has told keeps its time. Until the API can be asked it is judged without. */
async function inherit({ node, keeper, observer }: AgentResources, signal: AbortSignal): Promise<void> {
  try {
    await Promise.all([node.informer.whenSynced(signal), observer.ready(signal)]);
  } catch (error) {
    if (!signal.aborted) throw error;
    return;
  }
  keeper.inherit(node.current?.status);
}

async function openTroubleshooting(
  { troubleshooting: settings, logger }: OvsAgentOptions,
  resources: AgentResources,
  signal: AbortSignal,
): Promise<Troubleshooting | undefined> {
  if (settings === undefined) return undefined;
  const { observer, client, namespace, nodeName, ignore, metrics, reporter, runningCaptures } = resources;
  // Only an agent that serves it has to pay for it.
  const { startTroubleshooting } = await import('../troubleshoot/start-troubleshooting.ts');
  const object = { namespace, name: nodeName };
  const started = Promise.withResolvers<Troubleshooting>();
  const onAnnotations = (): void => void started.promise.then(({ annotations }) => reporter.annotate(annotations));
  const shared = { access: observer, client, object, settings, logger, ignore, metrics };
  const deps = { ...shared, running: runningCaptures, onAnnotations };
  const service = await startTroubleshooting(deps, signal);
  started.resolve(service);
  reporter.annotate(service.annotations);
  return service;
}

function checksOf({ reporter, apiOutages, observer }: AgentResources): readonly Parameters<HealthRegistry['add']>[0][] {
  let isReady = false;
  void observer.ready(new AbortController().signal).then(() => (isReady = true));
  return [
    {
      name: 'switch-observed',
      kinds: ['readyz'],
      check: () => {
        if (!isReady) throw new Error('the switch was not looked at yet');
      },
    },
    {
      name: 'ovsnode-written',
      kinds: ['readyz'],
      check: () => {
        const { obstacle } = reporter;
        if (obstacle !== undefined) throw new Error(`the OVSNode is not up to date: ${apiOutages.reason ?? obstacle}`);
      },
    },
  ];
}
