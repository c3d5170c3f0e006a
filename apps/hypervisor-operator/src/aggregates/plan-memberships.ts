import type { AggregateMembership, ComputeAggregate } from '@smalt/compute';

export interface MembershipWish {
  /** The names of the aggregates that the host shall be in, each once. */
  readonly names: readonly string[];
  /** The names of those that it may be taken out of; undefined is any. */
  readonly ours: ReadonlySet<string> | undefined;
}

/** How a host gets from the aggregates it is in to those it shall be in. */
export interface MembershipPlan {
  /** Names that no aggregate has: nothing is done before there are such. */
  readonly missing: readonly string[];
  readonly joins: readonly ComputeAggregate[];
  readonly leaves: readonly ComputeAggregate[];
  /** Those that it is in and stays in, by our wish. */
  readonly stays: readonly ComputeAggregate[];
}

/** Compares what is wished for with what there is, whatever the order of either. */
export function planMemberships(
  { names, ours }: MembershipWish,
  { known, joined }: AggregateMembership,
): MembershipPlan {
  const wanted = names.map((name) => aggregateNamed(name, known, joined)).filter((each) => each !== undefined);
  const ids = new Set(wanted.map(({ id }) => id));
  const found = new Set(wanted.map(({ name }) => name));
  return {
    missing: names.filter((name) => !found.has(name)),
    joins: wanted.filter(({ id }) => !joined.has(id)),
    leaves: known.filter(({ id, name }) => joined.has(id) && !ids.has(id) && (ours?.has(name) ?? true)),
    stays: wanted.filter(({ id }) => joined.has(id)),
  };
}

/** Names need not be unique: one that the host is in already will do. */
function aggregateNamed(
  wanted: string,
  known: readonly ComputeAggregate[],
  joined: ReadonlySet<string>,
): ComputeAggregate | undefined {
  const candidates = known.filter(({ name }) => name === wanted);
  return candidates.find(({ id }) => joined.has(id)) ?? candidates[0];
}
