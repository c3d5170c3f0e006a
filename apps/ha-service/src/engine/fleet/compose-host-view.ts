import type { HostSignal, HostView, SignalSource } from '@smalt/failure-detection';

import type { ClusterHost } from '../../ports/cluster-port.ts';
import type { HostRecord } from '../../ports/ha-store.ts';
import type { HostCoverage } from './host-places.ts';
import type { KnownBoots, KnownSignal } from './signal-book.ts';
import type { SuspectFacts } from './suspect-facts.ts';

/** Since when each source has been within reach; undefined while it is not. */
type Reach = (source: SignalSource) => number | undefined;

export interface HostNews {
  readonly name: string;
  readonly cluster: ClusterHost | undefined;
  readonly record: HostRecord | undefined;
  readonly signals: ReadonlyMap<SignalSource, KnownSignal>;
  readonly boots: KnownBoots;
  readonly reach: Reach;
  /** Whether the compute system lists it under the ids of its object. */
  readonly isRegistered: boolean;
  /** Whether the compute system has not watched it for long enough to tell whether it lives. */
  readonly isUnwatched: boolean;
  /** Whether the policy covers it; undefined for a host that only the compute system knows. */
  readonly coverage: HostCoverage | undefined;
  /** What was found out about it because it is a suspect. */
  readonly suspect: SuspectFacts | undefined;
  readonly kdumpUntil: number | undefined;
}

/** Puts together all that is known of one host. What is not known makes us more careful, never less. */
export function composeHostView(news: HostNews): HostView {
  const { name, cluster, record, signals, boots, suspect } = news;
  return {
    name,
    failureDomain: cluster?.failureDomain,
    signals: hostSignals(cluster, signals, news.reach),
    boot: boots,
    maintenance: cluster?.maintenance,
    isHeld: record?.heldBy !== undefined,
    isHighlyAvailable: cluster?.isHighlyAvailable === true && record?.isSwitchedOn !== false,
    policyObjection: suspect?.exclusion ?? objectionOf(news),
    // A host without ids in the compute system could be fenced, but never rebuilt.
    isOnboarded: cluster?.isOnboarded === true && news.isRegistered,
    isUnwatched: news.isUnwatched,
    kdumpUntil: news.kdumpUntil,
    relevantInstances: suspect?.relevantInstances,
  };
}

/** What was read for a suspect is newer than what is read for all now and then. */
function objectionOf({ name, suspect, coverage }: HostNews): string | undefined {
  if (suspect !== undefined || coverage === undefined || coverage.kind === 'covered') return undefined;
  return coverage.kind === 'excluded' ? coverage.why : `it is not known which aggregates ${name} is in`;
}

function hostSignals(
  cluster: ClusterHost | undefined,
  known: ReadonlyMap<SignalSource, KnownSignal>,
  reach: Reach,
): readonly HostSignal[] {
  const signals: HostSignal[] = [];
  for (const signal of known.values()) signals.push({ ...signal, reachableSince: reach(signal.source) });
  if (cluster?.leaseAliveAt !== undefined) {
    signals.push({
      source: 'node-lease',
      aliveAt: cluster.leaseAliveAt,
      ...(cluster.leaseAliveAt === 0 && { isUndated: true }),
      deadSince: undefined,
      deadAt: undefined,
      reachableSince: reach('node-lease'),
    });
  }
  return signals;
}
