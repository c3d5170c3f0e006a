import type { DaemonFacts } from '../../switch-facts.ts';

/** Which process a daemon is, and when it was seen to be another one than before. */
export interface Restarts {
  readonly processId: number;
  readonly restartedAt: number | undefined;
}

/** Notes which process answers. The first that is seen may have run for long, so it is no restart. */
export function advanceRestarts(
  old: Restarts | undefined,
  { state, processId }: DaemonFacts,
  at: number,
): Restarts | undefined {
  if (state !== 'answering' || processId === undefined || processId === old?.processId) return old;
  return { processId, restartedAt: old === undefined ? undefined : at };
}
