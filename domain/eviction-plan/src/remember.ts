import type { ComputeInstance } from '@smalt/compute';

import type { EvictionHappening } from './eviction-plan.ts';
import type { RememberedInstance } from './remembered-instance.ts';

/** Said of moves that are stopped because nobody wants them any more; it is not the instance's fault. */
export const CANCELLED = 'the eviction was cancelled';

/** Begins what is said of a request of which nothing was heard: a move that appears after all is ours. */
export const UNHEARD = 'no move was heard of';

/** What is remembered of an instance of which nothing was known. */
export function blank({ id }: ComputeInstance): RememberedInstance {
  return { id, state: 'Waiting', attempts: 0 };
}

/** The memory with the name that the instance has now. */
export function remember({ name }: ComputeInstance, memory: RememberedInstance): RememberedInstance {
  return name === '' || memory.name === name ? memory : { ...memory, name };
}

export function about({ id, name }: ComputeInstance): Pick<EvictionHappening, 'id' | 'name'> {
  return { id, name };
}

/** When the remembered state began; now, if nobody wrote it down or it lies ahead because a clock was set. */
export function sinceOf({ since }: RememberedInstance, now: number): number {
  const time = since === undefined ? NaN : Date.parse(since);
  return Number.isNaN(time) ? now : Math.min(time, now);
}

/** RFC 3339, with milliseconds: a pause may be shorter than a second. */
export function timeText(time: number): string {
  return new Date(time).toISOString();
}
