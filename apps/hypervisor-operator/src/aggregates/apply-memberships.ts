import { ComputeError, type ComputeAggregate, type ComputeAggregates, type HostIdentity } from '@smalt/compute';

import { computeFailure } from '../hosts/compute-failure.ts';
import type { MembershipPlan } from './plan-memberships.ts';

export interface MembershipTask {
  readonly hostName: string;
  readonly host: HostIdentity;
  readonly plan: MembershipPlan;
}

export interface AppliedMemberships {
  /** The aggregates that the host is in now, those that were wished for first. */
  readonly aggregates: readonly ComputeAggregate[];
  /** Everything that failed, as one. */
  readonly failure: ComputeError | undefined;
}

/**
 * Joins first, then leaves, so that a host is never outside all aggregates that keep tenants away. What fails does not stop
 * the rest: a zone may have to be left before another one can be joined with the next try.
 */
export async function applyMemberships(
  aggregates: ComputeAggregates,
  { hostName, host, plan }: MembershipTask,
  signal: AbortSignal,
): Promise<AppliedMemberships> {
  const { missing, joins, leaves, stays } = plan;
  if (missing.length > 0) {
    const failure = new ComputeError('not-found', `aggregates not found: [${missing.join(' ')}]`);
    return { aggregates: [...stays, ...leaves], failure };
  }
  const joined = await attempt(joins, 'add', hostName, (aggregate) => aggregates.join(host, aggregate, signal));
  const left = await attempt(leaves, 'remove', hostName, (aggregate) => aggregates.leave(host, aggregate, signal));
  const failures = [...joined.failures, ...left.failures];
  const still = leaves.filter((aggregate) => !left.succeeded.includes(aggregate));
  return { aggregates: [...stays, ...joined.succeeded, ...still], failure: joinFailures(failures) };
}

interface Attempts {
  readonly succeeded: readonly ComputeAggregate[];
  readonly failures: readonly ComputeError[];
}

async function attempt(
  targets: readonly ComputeAggregate[],
  verb: 'add' | 'remove',
  hostName: string,
  change: (aggregate: ComputeAggregate) => Promise<void>,
): Promise<Attempts> {
  const succeeded: ComputeAggregate[] = [];
  const failures: ComputeError[] = [];
  const preposition = verb === 'add' ? 'to' : 'from';
  for (const aggregate of targets) {
    try {
      await change(aggregate);
      succeeded.push(aggregate);
    } catch (error) {
      const { code, message, retryAfterMs } = computeFailure(error);
      const told = `failed to ${verb} host ${hostName} ${preposition} aggregate ${aggregate.name}: ${message}`;
      failures.push(
        new ComputeError(code, told, { cause: error, ...(retryAfterMs !== undefined && { retryAfterMs }) }),
      );
    }
  }
  return { succeeded, failures };
}

function joinFailures(failures: readonly ComputeError[]): ComputeError | undefined {
  const [first] = failures;
  if (first === undefined || failures.length === 1) return first;
  const waits = failures.map(({ retryAfterMs }) => retryAfterMs).filter((wait) => wait !== undefined);
  return new ComputeError(first.code, failures.map(({ message }) => message).join('\n'), {
    cause: new AggregateError(failures),
    ...(waits.length > 0 && { retryAfterMs: Math.max(...waits) }),
  });
}
