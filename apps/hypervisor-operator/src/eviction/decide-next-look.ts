import type { EvictionPlan } from '@smalt/eviction-plan';

import { LONGEST_RETRY_MS } from '../hosts/compute-failure.ts';
import type { EvictingVerdict } from './eviction-statement.ts';
import type { EvictionSettings } from './eviction-settings.ts';

interface NextLookInput {
  readonly verdict: EvictingVerdict;
  readonly plan: Pick<EvictionPlan, 'steps' | 'remembered'>;
  readonly settings: Pick<EvictionSettings, 'pollMs' | 'firstLookMs' | 'resyncMs'>;
  /** The longest time that the compute system asked to be left alone. */
  readonly retryAfterMs: number | undefined;
  readonly now: number;
}

/** When to look again: soon after a move was begun, then ever more rarely as it takes longer. */
export function decideNextLook({ verdict, plan, settings, retryAfterMs, now }: NextLookInput): number {
  const { pollMs, firstLookMs, resyncMs } = settings;
  if (retryAfterMs !== undefined) return Math.min(Math.max(retryAfterMs, firstLookMs), LONGEST_RETRY_MS);
  if (plan.steps.length > 0) return firstLookMs;
  if (verdict.kind !== 'running') return resyncMs;
  const begun = plan.remembered.flatMap(({ state, since }) =>
    state === 'Moving' || state === 'Confirming' ? [Date.parse(since ?? '')] : [],
  );
  const age = now - Math.max(...begun.filter((time) => !Number.isNaN(time)));
  return Number.isFinite(age) ? Math.min(pollMs, Math.max(firstLookMs, age / 2)) : pollMs;
}
