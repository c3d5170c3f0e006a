import { ovsNodeKind } from '@smalt/ovs-api';

import { createFleetMetrics } from './metrics/fleet-metrics.ts';
import { openOperatorContext, type OpenedOperator } from './start/open-operator-context.ts';
import type { OperatorContext } from './operator-context.ts';
import { OperatorError } from './operator-error.ts';
import type { OpenedCompute, Operator, OperatorOptions } from './operator-options.ts';
import { isServed } from './start/served-kinds.ts';

const DISCOVERY_MS = 300_000;

/**
 * Starts an operator. It works until it is disposed of or the signal fires, whatever is away meanwhile. Rejects for what
 * will not get better by waiting: a cluster without our kinds, a cloud that refuses us, settings that make no sense.
 */
export async function startOperator(options: OperatorOptions, signal: AbortSignal): Promise<Operator> {
  signal.throwIfAborted();
  await using stack = new AsyncDisposableStack();
  const assembly = await openOperatorContext(options, stack, signal);
  const { context, manager, opened } = assembly;
  await checkCompute(opened, context, signal);
  createFleetMetrics(context);
  for (const controller of options.controllers(context)) manager.add(controller);
  stack.use(context.health.add({ name: 'compute', kinds: ['readyz'], check: (until) => opened.check(until) }));
  const stop = new AbortController();
  const ended = run(assembly, options, AbortSignal.any([signal, stop.signal]));
  // Whoever disposes of the operator hears of it; nobody has to ask for `ended`.
  ended.catch(() => undefined);
  stack.defer(async () => {
    stop.abort(new Error('the operator was stopped'));
    await Promise.allSettled([ended]);
  });
  const owned = stack.move();
  return { context, ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A cloud that is away comes back, and nothing is ready until then; one that refuses us does so for good. */
async function checkCompute(opened: OpenedCompute, { logger }: OperatorContext, signal: AbortSignal): Promise<void> {
  try {
    await opened.check(signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OperatorError) throw error;
    logger.warn({ error }, 'the compute system is away; the operator is not ready until it is back');
  }
}

async function run({ context, manager }: OpenedOperator, options: OperatorOptions, signal: AbortSignal): Promise<void> {
  const restart = new AbortController();
  const until = AbortSignal.any([signal, restart.signal]);
  const watching = context.ovsNodes === undefined ? watchForOvsNodes(context, options, until) : Promise.resolve(false);
  const appeared = watching.then((isThere) => {
    if (isThere) restart.abort(new Error('a kind appeared'));
    return isThere;
  });
  await manager.run(until).finally(() => restart.abort());
  if ((await appeared) && !signal.aborted) {
    throw new OperatorError('kinds-changed', 'OVSNodes are served now: the operator starts anew to follow them');
  }
}

/** Whether the kind has appeared; false when the signal fired first. */
async function watchForOvsNodes(
  { client, clock, ignore }: OperatorContext,
  { discoveryMs = DISCOVERY_MS }: OperatorOptions,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    await clock.wait(discoveryMs, signal).catch(() => undefined);
    if (signal.aborted) return false;
    try {
      if (await isServed(client, ovsNodeKind, signal)) return true;
    } catch (error) {
      ignore(error, 'whether OVSNodes are served is asked again later');
    }
  }
  return false;
}
