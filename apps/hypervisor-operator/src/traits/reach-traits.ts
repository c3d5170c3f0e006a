import { ComputeError, isComputeError, type ComputeTraits, type HostIdentity, type HostTraits } from '@smalt/compute';

import { computeFailure } from '../hosts/compute-failure.ts';
import { accountOf, isCustom, planTraits, type TraitsWish } from './decide-traits.ts';

export interface TraitsTask {
  readonly host: HostIdentity;
  readonly wish: TraitsWish;
  /** How many times to try when others are quicker. */
  readonly attempts: number;
}

export interface ReachedTraits {
  /** What to give as an account of the traits; undefined when they could not be seen. */
  readonly account: readonly string[] | undefined;
  /** Those of the wish that the compute system does not know. */
  readonly unknownNames: readonly string[];
  readonly failure: ComputeError | undefined;
}

/** Gives a host the traits of a wish. What others change meanwhile is never undone: it is read again instead. */
export async function reachTraits(
  traits: ComputeTraits,
  task: TraitsTask,
  signal: AbortSignal,
): Promise<ReachedTraits> {
  const whole = await reach(traits, task, signal);
  const doubtful = task.wish.names.filter((name) => !isCustom(name) && !whole.current.includes(name));
  if (!isComputeError(whole.failure, 'refused') || doubtful.length === 0) return { ...whole, unknownNames: [] };
  // One name that is no standard trait makes the whole list refused; the others need not suffer for it.
  const names = task.wish.names.filter((name) => !doubtful.includes(name));
  const rest = await reach(traits, { ...task, wish: { ...task.wish, names } }, signal);
  return { ...rest, unknownNames: rest.failure === undefined ? doubtful : [] };
}

interface Attempt extends Omit<ReachedTraits, 'unknownNames'> {
  readonly current: readonly string[];
}

async function reach(traits: ComputeTraits, task: TraitsTask, signal: AbortSignal): Promise<Attempt> {
  let attempt = await reachOnce(traits, task, signal);
  // An old Placement does not tell this conflict from others, and for traits it knows no other.
  for (let left = task.attempts - 1; left > 0 && isComputeError(attempt.failure, 'stale', 'conflict'); left--) {
    attempt = await reachOnce(traits, task, signal);
  }
  return attempt;
}

async function reachOnce(traits: ComputeTraits, task: TraitsTask, signal: AbortSignal): Promise<Attempt> {
  const { host, wish } = task;
  let current: HostTraits;
  try {
    current = await traits.get(host, signal);
  } catch (error) {
    const failure = explained(error, 'Failed to get current traits from placement');
    return { account: undefined, current: [], failure };
  }
  const plan = planTraits(wish, current.traits);
  if (!plan.isChange) return { account: plan.account, current: current.traits, failure: undefined };
  try {
    await traits.set(host, { generation: current.generation, traits: plan.target }, signal);
    return { account: plan.account, current: current.traits, failure: undefined };
  } catch (error) {
    const failure = explained(error, 'Failed to update traits in placement');
    return { account: accountOf(wish, current.traits), current: current.traits, failure };
  }
}

function explained(error: unknown, what: string): ComputeError {
  const { code, message, retryAfterMs } = computeFailure(error);
  return new ComputeError(code, `${what}: ${message}`, {
    cause: error,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
