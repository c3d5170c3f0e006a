import type { Clock } from '@smalt/controller-runtime';
import { messageOf } from '@smalt/service-runtime';
import type { Answer } from '@smalt/switch-health';

type Unknown = Extract<Answer<never>, { kind: 'unknown' }>;

export function known<T>(value: T, clock: Pick<Clock, 'now'>): Answer<T> {
  return { kind: 'known', value, at: clock.now() };
}

/** That there is no answer, and why; since when is kept from the answer before, if that was none either. */
export function unknown(error: unknown, before: Answer<unknown> | undefined, clock: Pick<Clock, 'now'>): Unknown {
  const since = before?.kind === 'unknown' ? before.since : clock.now();
  return { kind: 'unknown', why: typeof error === 'string' ? error : messageOf(error), since };
}
