import { ControllerManager, systemClock, type ControllerManagerOptions } from '@smalt/controller-runtime';
import { HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';

import { allControllers } from './all-controllers.ts';
import { addIndexes } from './frame/add-indexes.ts';
import { addMachineMetrics } from './metrics/machine-metrics.ts';
import { openClient, openContext } from './start/open-context.ts';
import type { VirtController, VirtControllerOptions } from './virt-controller-options.ts';

/** What KubeVirt's controller calls its lease: the two must never lead at once. */
const LEASE = 'virt-controller';

/**
 * Starts a virt-controller. It works until it is disposed of or the signal fires, whatever is away meanwhile. Rejects for
 * what will not get better by waiting: a cluster without our kinds.
 */
export async function startVirtController(
  options: VirtControllerOptions,
  signal: AbortSignal,
): Promise<VirtController> {
  signal.throwIfAborted();
  await using stack = new AsyncDisposableStack();
  const { logger, clock = systemClock, metrics = new MetricsRegistry(), health = new HealthRegistry() } = options;
  const client = stack.use(await openClient(options, metrics, signal));
  const manager = new ControllerManager({ client, logger, metrics, health, clock, ...managerOptions(options) });
  const context = await openContext(options, { client, manager, metrics }, signal);
  addIndexes(context);
  addMachineMetrics(context);
  for (const controller of allControllers(context)) manager.add(controller);
  const stop = new AbortController();
  const ended = manager.run(AbortSignal.any([signal, stop.signal]));
  // Whoever disposes of the controller hears of it; nobody has to ask for `ended`.
  ended.catch(() => undefined);
  stack.defer(async () => {
    stop.abort(new Error('the virt-controller was stopped'));
    await Promise.allSettled([ended]);
  });
  const owned = stack.move();
  return { context, ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function managerOptions({
  leaderElection,
  stopTimeoutMs,
}: VirtControllerOptions): Pick<ControllerManagerOptions, 'leaderElection' | 'stopTimeoutMs'> {
  if (leaderElection === undefined) return { stopTimeoutMs };
  return { stopTimeoutMs, leaderElection: { ...leaderElection, name: LEASE } };
}
