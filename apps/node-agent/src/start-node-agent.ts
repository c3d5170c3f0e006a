import {
  leaseKind,
  ownIdentity,
  printIdentity,
  type AgentIdentity,
  type AgentPart,
  NodeClaim,
  ownLockPlace,
  runPart,
  runTogether,
} from '@smalt/controller-runtime';
import { untilAborted } from '@smalt/service-runtime';

import { createAgentParts } from './agent-parts.ts';
import { openAgentResources, type AgentResources } from './agent-resources.ts';
import { checkOptions } from './check-options.ts';
import { ConflictNotice } from './conflict-notice.ts';
import { tellLibvirtOutages } from './libvirt-outages.ts';
import { createMissingHypervisorPart } from './missing-hypervisor.ts';
import type { NodeAgentOptions } from './node-agent-options.ts';
import type { NodeAgent } from './node-agent.ts';

/** How long parts may take to say goodbye to libvirt. */
const LEAVE_MS = 1_500;

/**
 * Starts an agent. It reports until it is disposed of or the signal fires, whatever is away meanwhile: the daemon, the
 * API, the Hypervisor. Rejects only for what will never work, such as options that make no sense.
 */
export async function startNodeAgent(options: NodeAgentOptions, signal: AbortSignal): Promise<NodeAgent> {
  checkOptions(options);
  signal.throwIfAborted();
  await using stack = new AsyncDisposableStack();
  const resources = await openAgentResources(options, stack, signal);
  const parts = await createAgentParts({ ...resources, options });
  const identity = await ownIdentity(resources.context.now());
  const stop = new AbortController();
  const ended = runAgent({ ...resources, parts, identity }, options, AbortSignal.any([signal, stop.signal]));
  // Whoever disposes of the agent hears of it; nobody has to ask for `ended`.
  ended.catch(() => undefined);
  stack.defer(async () => {
    stop.abort();
    await Promise.allSettled([ended]);
  });
  const owned = stack.move();
  return { context: resources.context, ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

interface Assembly extends AgentResources {
  readonly parts: readonly AgentPart[];
  readonly identity: AgentIdentity;
}

async function runAgent(assembly: Assembly, options: NodeAgentOptions, signal: AbortSignal): Promise<void> {
  const { context, hypervisor, board, libvirt, agentMetrics, clock, parts, identity, apiOutages, libvirtUri } =
    assembly;
  const { client, logger, namespace, nodeName } = context;
  const notice = new ConflictNotice({ client, hypervisor, clock, logger, identity: printIdentity(identity) });
  const claim = new NodeClaim(client.resource(leaseKind), {
    name: `smalt-node-agent-${nodeName}`,
    namespace,
    identity,
    lock: ownLockPlace(context.stateDirectory, nodeName, logger),
    times: options.lease,
    clock,
    logger,
    onObstacle: (obstacle) => notice.setObstacle(obstacle),
    onFailure: (error) => apiOutages.fail(error),
  });
  const supervision = { logger, clock, metrics: agentMetrics };
  const watching = createMissingHypervisorPart({ ...context, hypervisor, apiOutages }, options.register ?? false);
  const stopped = new AbortController();
  const claiming = (until: AbortSignal): Promise<void> => claim.run(report, until).finally(() => stopped.abort());
  const report = async (reporting: AbortSignal): Promise<void> => {
    const tasks = parts.map((part) => runPart(part, supervision, reporting));
    await Promise.all([board.run(reporting), ...tasks]);
  };
  await runTogether(
    [
      (until) => context.informers.run(until),
      (until) => notice.run(until),
      (until) => runPart(watching, supervision, until),
      claiming,
      (until) => hangUpLate(assembly, stopped.signal, until),
      (until) => failOf(libvirt.ended, until),
      (until) => tellLibvirtOutages({ ...context, uri: libvirtUri, clock }, until),
    ],
    signal,
  );
}

/**
 * Cuts the connection to the daemon a while after the signal: parts take leave of it, and one that is busy or about to stop
 * itself does not answer.
 */
async function hangUpLate(
  { context, clock }: AgentResources,
  hasStopped: AbortSignal,
  signal: AbortSignal,
): Promise<void> {
  await untilAborted(signal);
  await clock.wait(LEAVE_MS, hasStopped).catch(() => undefined);
  if (!hasStopped.aborted) await context.session.close({ timeoutMs: 1 });
}

async function failOf(ended: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) return;
  await Promise.race([ended, promise]);
}
