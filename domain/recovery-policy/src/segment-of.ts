import type { ComputeAggregate } from '@smalt/compute';
import { matchesPattern } from '@smalt/ha-telemetry';

import type { HostSelector, RecoveryPolicy, RecoverySegment } from './recovery-policy.ts';

/** What of a host decides to which segment it belongs. */
export interface HostPlace {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly zone: string | undefined;
  /** The aggregates that it is in. */
  readonly aggregates: readonly Pick<ComputeAggregate, 'name' | 'metadata'>[];
}

/** Whether a host is recovered at all, and how. */
export type HostCover =
  | { readonly kind: 'covered'; readonly segment: RecoverySegment }
  /** `why` is a sentence with the name of the host. */
  | { readonly kind: 'excluded'; readonly why: string };

/** The segment of hosts that no other one names. */
export const defaultSegment: RecoverySegment = {
  name: 'default',
  isEnabled: true,
  hosts: {},
  method: 'auto',
  reservedHosts: [],
  joinsAggregates: false,
};

/** Finds the segment of a host, unless a filter or the segment itself says that it is left alone. */
export function segmentOf(host: HostPlace, policy: RecoveryPolicy): HostCover {
  const joined = new Set(host.aggregates.map(({ name }) => name));
  const { includeAggregates, excludeAggregates } = policy;
  if (includeAggregates !== undefined && !includeAggregates.some((name) => joined.has(name))) {
    return { kind: 'excluded', why: `${host.name} is in none of the aggregates ${includeAggregates.join(', ')}` };
  }
  const excluded = excludeAggregates?.find((name) => joined.has(name));
  if (excluded !== undefined) {
    return { kind: 'excluded', why: `${host.name} is in aggregate ${excluded}, which is excluded` };
  }
  const segment = policy.segments.find(({ hosts }) => isSelected(host, hosts, joined)) ?? defaultSegment;
  if (segment.isEnabled) return { kind: 'covered', segment };
  return { kind: 'excluded', why: `${host.name} is in segment ${segment.name}, which is not enabled` };
}

function isSelected(host: HostPlace, selector: HostSelector, joined: ReadonlySet<string>): boolean {
  const { names, labels, aggregates, zones } = selector;
  if (names !== undefined && !names.some((pattern) => matchesPattern(host.name, pattern))) return false;
  if (aggregates !== undefined && !aggregates.some((name) => joined.has(name))) return false;
  if (zones !== undefined && (host.zone === undefined || !zones.includes(host.zone))) return false;
  return Object.entries(labels ?? {}).every(([key, pattern]) => {
    const value = host.labels[key];
    return value !== undefined && matchesPattern(value, pattern);
  });
}
