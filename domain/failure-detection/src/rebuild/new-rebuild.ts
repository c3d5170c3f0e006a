import type { RebuildRecord } from '../incident/incident.ts';

/** The record of an instance that nobody has done anything about yet. */
export function newRebuild({ id, name, priority }: Pick<RebuildRecord, 'id' | 'name' | 'priority'>): RebuildRecord {
  return {
    id,
    name,
    priority,
    state: 'pending',
    attempts: 0,
    asks: 0,
    askedAt: undefined,
    evacuationId: undefined,
    target: undefined,
    pastEvacuations: [],
    failedTargets: [],
    failuresElsewhere: 0,
    retryAfter: undefined,
    startedAt: undefined,
    endedAt: undefined,
    message: 'it waits for its turn',
  };
}
