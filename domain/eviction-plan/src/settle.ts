import type { InstanceSight, Judgement } from './judgement.ts';
import { about, blank, remember, timeText } from './remember.ts';
import { isInFlight } from './remembered-instance.ts';

/** It stays as long as it is like this; told once. */
export function settle(sight: InstanceSight, state: 'Failed' | 'NonMigratable', message: string): Judgement {
  const { instance, memory, now } = sight;
  const isNews = memory?.state !== state;
  const since = isNews ? timeText(now) : (memory.since ?? timeText(now));
  const kind = state === 'Failed' ? 'failed' : 'non-migratable';
  return {
    kind: 'held',
    memory: remember(instance, { ...blank(instance), ...memory, state, message, since }),
    ...(isNews && {
      happening: {
        ...about(instance),
        kind,
        message: `Migration of instance ${instance.id} failed: ${message}`,
        ...(memory !== undefined && memory.attempts > 0 && isInFlight(memory) && { isEndOfMove: true }),
      },
    }),
  };
}
