import { join } from 'node:path';

import {
  leaseKind,
  ownIdentity,
  runPart,
  runTogether,
  type AgentIdentity,
  type LockPlace,
} from '@smalt/controller-runtime';
import { isMissingProgram } from '@smalt/files';
import { messageOf, type HealthCheck } from '@smalt/service-runtime';

import { localDrivers } from '../hypervisor-sessions/local-drivers.ts';
import { startNodeApi, type NodeApi } from '../node-api/start-node-api.ts';
import { claimNode } from '../node/claim-node.ts';
import { VirtHandlerError } from '../virt-handler-error.ts';
import {
  DEFAULT_NAMESPACE,
  DEFAULT_STATE_DIRECTORY,
  type VirtHandler,
  type VirtHandlerOptions,
} from '../virt-handler-options.ts';
import { checkLibvirtGuests } from './check-libvirt-guests.ts';
import { checkOptions } from './check-options.ts';
import { openHandler, ownAddress, type HandlerParts } from './open-handler.ts';

/**
 * Starts a handler. It works until it is disposed of or the signal fires, whatever is away meanwhile: libvirt, the API, its
 * Node. Rejects only for what will never work, such as options that make no sense. Guests run on when it stops.
 */
export async function startVirtHandler(options: VirtHandlerOptions, signal: AbortSignal): Promise<VirtHandler> {
  checkOptions(options);
  await checkLibvirtGuests(options.drivers ?? localDrivers({}), options.machineDirectory);
  signal.throwIfAborted();
  await using stack = new AsyncDisposableStack();
  const parts = await openHandler(options, stack);
  const nodeApi = await openNodeApi(options, parts, signal);
  if (nodeApi !== undefined) stack.use(nodeApi);
  const identity = await ownIdentity(new Date(parts.clock.now()));
  const obstacle: Obstacle = { reason: 'the node was not claimed yet' };
  for (const check of checksOf(parts, obstacle)) stack.use(parts.health.add(check));
  const stop = new AbortController();
  const ended = run(parts, { options, identity, obstacle }, AbortSignal.any([signal, stop.signal]));
  // Whoever disposes of the handler hears of it; nobody has to ask for `ended`.
  ended.catch(() => undefined);
  stack.defer(async () => {
    stop.abort(new Error('the handler stops'));
    await Promise.allSettled([ended]);
  });
  const owned = stack.move();
  return { nodeApiPort: nodeApi?.port, ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Why this handler does not act, if so. */
interface Obstacle {
  reason: string | undefined;
}

interface Assembly {
  readonly options: VirtHandlerOptions;
  readonly identity: AgentIdentity;
  readonly obstacle: Obstacle;
}

/** Of two handlers for one node, one acts: both would define and destroy the same domains. */
async function run(parts: HandlerParts, assembly: Assembly, signal: AbortSignal): Promise<void> {
  const { client, clock, apiOutages, handlerMetrics } = parts;
  const { options, identity, obstacle } = assembly;
  const { nodeName, namespace = DEFAULT_NAMESPACE, logger, lease } = options;
  const claim = claimNode({
    leases: client.resource(leaseKind),
    nodeName,
    namespace,
    identity,
    lock: lockOf(options),
    times: lease,
    clock,
    logger,
    onObstacle: (reason) => (obstacle.reason = reason),
    onFailure: (error) => apiOutages.fail(error),
  });
  await claim.run(async (acting) => {
    obstacle.reason = undefined;
    handlerMetrics.setActing(true);
    try {
      await act(parts, options, acting);
    } finally {
      handlerMetrics.setActing(false);
    }
    if (signal.aborted) return;
    // What this process knows of the node is of no use any more; a new one begins with what it finds.
    throw new VirtHandlerError('unavailable', `another handler has taken the node ${nodeName} over: stop one of them`);
  }, signal);
}

/** A handler does not do without: a Lease proves nothing where the API cannot be asked; the kernel always can. */
function lockOf({ nodeName, stateDirectory = DEFAULT_STATE_DIRECTORY }: VirtHandlerOptions): LockPlace {
  return {
    path: join(stateDirectory, `handler.${nodeName}.lock`),
    onFailure: (cause) => {
      if (isMissingProgram(cause)) throw cause;
      const message = `state: the state directory cannot be locked: ${messageOf(cause)}`;
      throw new VirtHandlerError('bad-setting', message, { field: 'state', cause });
    },
  };
}

async function act(parts: HandlerParts, { logger }: VirtHandlerOptions, signal: AbortSignal): Promise<void> {
  const { devices } = parts;
  const { manager, sessions, sync, reporter, networks, clock, handlerMetrics: metrics } = parts;
  const supervision = { logger, clock, metrics };
  await runTogether(
    [
      (until) => sessions.run(until),
      (until) => sync.run(until),
      (until) => manager.run(until),
      (until) => runPart({ name: 'node', run: (own) => reporter.run(own) }, supervision, until),
      (until) => runPart({ name: 'networks', run: (own) => networks.keepRunning(own) }, supervision, until),
      (until) => runPart({ name: 'devices', run: async (own) => await devices?.run(own) }, supervision, until),
    ],
    signal,
  );
}

async function openNodeApi(
  options: VirtHandlerOptions,
  { client, sync, sampler, logs, networks, metrics, ignore, clock, reporter }: HandlerParts,
  signal: AbortSignal,
): Promise<NodeApi | undefined> {
  const { nodeApi: settings, nodeName, logger } = options;
  if (settings === undefined) return undefined;
  const started = Promise.withResolvers<NodeApi>();
  const onAnnotations = (): void => void started.promise.then(({ annotations }) => reporter.annotate(annotations));
  const guests = { instances: sync, sampler, logs, addresses: networks };
  const here = { nodeName, ownAddress: (setting: string) => ownAddress(options, setting), onAnnotations };
  const service = await startNodeApi({ ...guests, ...here, client, settings, logger, ignore, metrics, clock }, signal);
  started.resolve(service);
  reporter.annotate(service.annotations);
  return service;
}

function checksOf({ reporter, apiOutages }: HandlerParts, obstacle: Obstacle): readonly HealthCheck[] {
  return [
    {
      name: 'node-claimed',
      kinds: ['readyz'],
      check: () => {
        if (obstacle.reason !== undefined) throw new Error(obstacle.reason);
      },
    },
    {
      name: 'node-written',
      kinds: ['readyz'],
      check: () => {
        const { trouble } = reporter;
        if (trouble !== undefined) throw new Error(`the Node is not up to date: ${apiOutages.reason ?? trouble}`);
      },
    },
  ];
}
