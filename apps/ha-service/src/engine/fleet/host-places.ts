import type { ComputeAggregate } from '@smalt/compute';
import { segmentOf, type RecoveryPolicy } from '@smalt/recovery-policy';

import type { ClusterHost } from '../../ports/cluster-port.ts';
import { call, type EngineContext } from '../engine-context.ts';

/** Whether the policy covers a host. */
export type HostCoverage =
  | { readonly kind: 'covered' }
  | { readonly kind: 'excluded'; readonly why: string }
  /** It depends on aggregates, and those of the host are not known. */
  | { readonly kind: 'unknown' };

type Aggregates = ReadonlyMap<string, readonly ComputeAggregate[]>;

interface Found {
  readonly policy: RecoveryPolicy;
  readonly aggregates: Aggregates;
  readonly coverage: HostCoverage;
}

const COVERED: HostCoverage = { kind: 'covered' };
const UNKNOWN: HostCoverage = { kind: 'unknown' };
const NONE: Aggregates = new Map();

/** Knows which hosts the policy leaves alone. The aggregates of all of them are one listing, asked for now and then. */
export class HostPlaces {
  readonly #context: Pick<EngineContext, 'ports' | 'settings'>;
  /** Of an object that has not changed, nor has what it was judged by, nothing new is found. */
  readonly #found = new WeakMap<ClusterHost, Found>();
  #aggregates: Aggregates = NONE;

  constructor(context: Pick<EngineContext, 'ports' | 'settings'>) {
    this.#context = context;
  }

  /** Asks for the aggregates, where the policy goes by them. Those that were known stay when that fails. */
  async refresh(hosts: readonly ClusterHost[], signal: AbortSignal): Promise<void> {
    if (!asksForAggregates(this.#context.settings().policy)) return;
    const { aggregates } = this.#context.ports.compute;
    this.#aggregates = await call(this.#context, 'listing aggregates', signal, async (inner) => {
      const found = new Map<string, readonly ComputeAggregate[]>();
      for (const { identity } of hosts) {
        if (identity === undefined) continue;
        const { known, joined } = await aggregates.membership(identity, inner);
        found.set(
          identity.serviceId,
          known.filter(({ id }) => joined.has(id)),
        );
      }
      return found;
    });
  }

  coverageOf(host: ClusterHost): HostCoverage {
    const { policy } = this.#context.settings();
    const known = this.#found.get(host);
    if (known?.policy === policy && known.aggregates === this.#aggregates) return known.coverage;
    const coverage = coverageBy(host, policy, this.#aggregates);
    this.#found.set(host, { policy, aggregates: this.#aggregates, coverage });
    return coverage;
  }
}

function coverageBy(host: ClusterHost, policy: RecoveryPolicy, all: Aggregates): HostCoverage {
  const aggregates = all.get(host.identity?.serviceId ?? '');
  if (aggregates === undefined && asksForAggregates(policy)) return UNKNOWN;
  const { name, labels, zone } = host;
  const cover = segmentOf({ name, labels, zone, aggregates: aggregates ?? [] }, policy);
  return cover.kind === 'excluded' ? cover : COVERED;
}

function asksForAggregates({ includeAggregates, excludeAggregates, segments }: RecoveryPolicy): boolean {
  return [includeAggregates, excludeAggregates, ...segments.map(({ hosts }) => hosts.aggregates)].some(
    (names) => names !== undefined,
  );
}
