import type { Logger } from '@smalt/service-runtime';

import type { ServiceClock } from '../ports/service-clock.ts';
import type { RetentionSettings } from '../settings/ha-service-settings.ts';
import type { DurableHaStore, PruneCounts } from '../store/durable-ha-store.ts';

export interface RetainDeps {
  readonly store: Pick<DurableHaStore, 'prune'>;
  readonly settings: () => RetentionSettings;
  readonly clock: ServiceClock;
  readonly logger: Logger;
  readonly onPruned: (counts: PruneCounts) => void;
}

/** Clears away what is old, now and then, until the signal fires. */
export async function retain(
  { store, settings, clock, logger, onPruned }: RetainDeps,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      onPruned(await store.prune(settings(), signal));
    } catch (error) {
      if (!signal.aborted) logger.warn({ error }, 'clearing away what is old failed; it is tried again');
    }
    await clock.wait(settings().intervalMs, signal).catch(() => undefined);
  }
}
