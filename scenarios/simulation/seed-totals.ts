import type { SeedReport } from './simulate-seed.ts';

/** What became of many seeds. */
export interface SeedTotals {
  readonly seeds: number;
  readonly incidents: number;
  readonly fences: number;
  readonly rebuilds: number;
  readonly inTime: number;
  readonly fates: Readonly<Record<string, number>>;
  readonly failures: readonly { readonly seed: number; readonly violations: readonly string[] }[];
}

export const noTotals: SeedTotals = {
  seeds: 0,
  incidents: 0,
  fences: 0,
  rebuilds: 0,
  inTime: 0,
  fates: {},
  failures: [],
};

export function totalsOf({ seed, incidents, fences, rebuilds, inTime, fates, violations }: SeedReport): SeedTotals {
  const failures = violations.length === 0 ? [] : [{ seed, violations }];
  return { seeds: 1, incidents, fences, rebuilds, inTime, fates, failures };
}

export function addTotals(a: SeedTotals, b: SeedTotals): SeedTotals {
  const fates: Record<string, number> = { ...a.fates };
  for (const [fate, count] of Object.entries(b.fates)) fates[fate] = (fates[fate] ?? 0) + count;
  return {
    seeds: a.seeds + b.seeds,
    incidents: a.incidents + b.incidents,
    fences: a.fences + b.fences,
    rebuilds: a.rebuilds + b.rebuilds,
    inTime: a.inTime + b.inTime,
    fates,
    failures: [...a.failures, ...b.failures],
  };
}
