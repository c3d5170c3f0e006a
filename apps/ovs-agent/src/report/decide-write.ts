import type { OVSNodeStatus } from '@smalt/ovs-api';

// Not imported: an import of the module runs all its getters, which load worker threads.
const { isDeepStrictEqual } = process.getBuiltinModule('node:util');

export interface WriteFacts {
  /** What was written last; undefined where nothing was. */
  readonly written: OVSNodeStatus | undefined;
  readonly status: OVSNodeStatus;
  /** How long ago that was, and how long counters may wait. */
  readonly ageMs: number;
  readonly countersMs: number;
}

export type WriteDecision =
  | { readonly kind: 'write' }
  | { readonly kind: 'nothing' }
  /** Nothing but counters changed: not yet. */
  | { readonly kind: 'later'; readonly inMs: number };

/** Decides whether a status is worth a write now: facts are told at once, counters now and then. */
export function decideWrite({ written, status, ageMs, countersMs }: WriteFacts): WriteDecision {
  if (written === undefined || !isDeepStrictEqual(withoutCounters(written), withoutCounters(status))) {
    return { kind: 'write' };
  }
  if (isDeepStrictEqual(written, status)) return { kind: 'nothing' };
  return ageMs >= countersMs ? { kind: 'write' } : { kind: 'later', inMs: countersMs - ageMs };
}

/** A status without the numbers that change all the time. */
function withoutCounters(status: OVSNodeStatus): OVSNodeStatus {
  const { metrics: _metrics, flowStats: _flowStats, bridges = [], ...facts } = status;
  return { ...facts, bridges: bridges.map(({ flows: _flows, ...bridge }) => bridge) };
}
