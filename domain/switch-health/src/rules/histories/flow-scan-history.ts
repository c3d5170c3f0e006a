import type { StaleFlowFacts } from '../../switch-facts.ts';

/** What scans of the flows have found, and since which scan without a break. */
export interface FlowScanHistory {
  readonly at: number;
  readonly cookies: ReadonlyMap<bigint, FlowSuspicion>;
  readonly ports: ReadonlyMap<number, FlowSuspicion>;
}

export interface FlowSuspicion {
  readonly firstAt: number;
  readonly flows: number;
}

/** A cookie or a port that several scans have found. */
export interface Suspect<K> extends FlowSuspicion {
  readonly key: K;
}

export interface FlowScan {
  readonly at: number;
  readonly flows: StaleFlowFacts;
}

/** So many are remembered of each; a message names only a few, and more are counted as "at least". */
export const MAXIMUM_SUSPICIONS = 1_000;

/** Adds a scan. What it does not find any more is forgotten; a scan that was seen before changes nothing. */
export function advanceScans(old: FlowScanHistory | undefined, scan: FlowScan): FlowScanHistory {
  if (old !== undefined && scan.at <= old.at) return old;
  return {
    at: scan.at,
    cookies: scan.flows.unexplained === undefined ? new Map() : carried(old?.cookies, scan.flows.unexplained, scan.at),
    ports: carried(old?.ports, scan.flows.missingPorts, scan.at),
  };
}

/** Those that were found by two scans at least so far apart, and by every one between. */
export function lasting<K>(suspicions: ReadonlyMap<K, FlowSuspicion>, at: number, ms: number): readonly Suspect<K>[] {
  return [...suspicions]
    .filter(([, { firstAt }]) => at > firstAt && at - firstAt >= ms)
    .map(([key, suspicion]) => ({ key, ...suspicion }));
}

function carried<K extends bigint | number>(
  old: ReadonlyMap<K, FlowSuspicion> | undefined,
  found: ReadonlyMap<K, number>,
  at: number,
): ReadonlyMap<K, FlowSuspicion> {
  const known = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, MAXIMUM_SUSPICIONS);
  return new Map(known.map(([key, flows]) => [key, { firstAt: old?.get(key)?.firstAt ?? at, flows }]));
}
