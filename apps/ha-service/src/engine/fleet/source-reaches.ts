import type { ServiceView, SignalSource } from '@smalt/failure-detection';

import type { ClusterView } from '../../ports/cluster-port.ts';
import type { EngineContext } from '../engine-context.ts';

/** What comes by way of the store. */
const STORED: readonly SignalSource[] = ['agent', 'libvirt', 'storage'];

/** One lease that is not renewed may be that of a dead node. */
const FEWEST_LEASES = 2;

/**
 * Since when each source has been within reach. One that has gone silent about the whole fleet is not: then it is the
 * source that has failed, or our ears.
 */
export class SourceReaches {
  readonly #context: EngineContext;
  readonly #heardSince = new Map<SignalSource, number>();
  #reaches: ReadonlyMap<SignalSource, number> = new Map();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  all(): ReadonlyMap<SignalSource, number> {
    return this.#reaches;
  }

  of(source: SignalSource): number | undefined {
    return this.#reaches.get(source);
  }

  /**
   * Since when the cluster has been seen as it is. A watch that is cut without a word looks like one on which nothing
   * happens, and what it tells later is of the past: when no node renews its lease any more, it is the watch that has failed.
   */
  clusterSince(cluster: ClusterView): number | undefined {
    const { newest, renewed } = leasesOf(cluster);
    if (renewed < FEWEST_LEASES) return cluster.reachableSince;
    const heardSince = this.#heard('node-lease', newest, this.#context.ports.clock.now());
    return heardSince === undefined ? undefined : laterOf(cluster.reachableSince, heardSince);
  }

  look(service: ServiceView, cluster: ClusterView): void {
    const { clock } = this.#context.ports;
    const reaches = new Map<SignalSource, number>();
    const put = (source: SignalSource, since: number | undefined): void => {
      if (since !== undefined) reaches.set(source, Math.max(since, service.startedAt));
    };
    const leasesSince = this.#heard('node-lease', leasesOf(cluster).newest, clock.now());
    put('node-lease', leasesSince === undefined ? undefined : laterOf(cluster.reachableSince, leasesSince));
    put('compute-service', service.computeSince);
    for (const source of STORED) put(source, this.#storedSince(source, service.storeSince));
    this.#reaches = reaches;
  }

  #storedSince(source: SignalSource, storeSince: number | undefined): number | undefined {
    const { ports, book } = this.#context;
    const heardSince = this.#heard(source, book.newestLifeBy(source), ports.clock.now());
    const reach = ports.sources?.reachOf(source) ?? { kind: 'pushed' as const };
    const pulledSince = reach.kind === 'pulled' ? reach.since : storeSince;
    if (heardSince === undefined || storeSince === undefined || pulledSince === undefined) return undefined;
    return Math.max(heardSince, storeSince, pulledSince);
  }

  #heard(source: SignalSource, newest: number | undefined, now: number): number | undefined {
    const { settings } = this.#context;
    const { freshMs } = settings().detection.judgement.rules[source];
    if (newest === undefined || now - newest > freshMs) {
      this.#heardSince.delete(source);
      return undefined;
    }
    const since = this.#heardSince.get(source) ?? now;
    this.#heardSince.set(source, since);
    return since;
  }
}

/** When any lease was last seen to be renewed, and how many ever were. */
function leasesOf({ hosts }: ClusterView): { readonly newest: number | undefined; readonly renewed: number } {
  let newest: number | undefined;
  let renewed = 0;
  for (const { leaseAliveAt } of hosts) {
    if (leaseAliveAt === undefined) continue;
    if (leaseAliveAt > 0) renewed += 1;
    if (newest === undefined || leaseAliveAt > newest) newest = leaseAliveAt;
  }
  return { newest, renewed };
}

function laterOf(one: number | undefined, other: number): number | undefined {
  return one === undefined ? undefined : Math.max(one, other);
}
