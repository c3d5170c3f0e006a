import type { RecoverySettings } from '../detection-settings.ts';
import type { CleanUp, Incident } from '../incident/incident.ts';
import type { IncidentAction, IncidentFacts } from '../incident/incident-facts.ts';

/** The incident with what is known of its clean-up, and whether it is to be asked for now. */
export interface CleanUpSteps {
  readonly incident: Incident;
  readonly isOver: boolean;
  readonly actions: readonly IncidentAction[];
}

/**
 * Has what the dead host still holds in the network cleared away, again and again until it was done. After a while it
 * goes on without: an instance whose port comes up late is better than none.
 */
export function planCleanUp(
  incident: Incident,
  { cleanUpMs, repeatMs }: Pick<RecoverySettings, 'cleanUpMs' | 'repeatMs'>,
  now: number,
): CleanUpSteps {
  const before = incident.cleanUp ?? { state: 'open', since: now, askedAt: undefined, tries: 0, message: '' };
  if (before.state !== 'open') return { incident, isOver: true, actions: [] };
  if (cleanUpMs === 0) return settled(incident, { ...before, state: 'done', message: 'no clean-up is wanted' });
  if (before.askedAt !== undefined && now - before.askedAt < repeatMs) return { incident, isOver: false, actions: [] };
  // Time in which nothing could be asked for, because all was paused or out of reach, is not held against it.
  if (now - before.since >= cleanUpMs && before.tries > 1) {
    const words = before.message === '' ? 'nothing was heard of it' : before.message;
    const message = `it was not cleaned up in ${before.tries} tries: ${words}`;
    return settled(incident, { ...before, state: 'given-up', message });
  }
  const cleanUp = { ...before, askedAt: now, tries: before.tries + 1 };
  return { incident: { ...incident, cleanUp }, isOver: false, actions: [{ kind: 'clean-up' }] };
}

/** Takes in how the last clean-up ended. */
export function hearCleanUp(incident: Incident, answer: IncidentFacts['cleanUpAnswer']): Incident {
  const { cleanUp } = incident;
  if (cleanUp?.state !== 'open' || answer === undefined) return incident;
  const state = answer.isDone ? 'done' : 'open';
  return { ...incident, cleanUp: { ...cleanUp, state, message: answer.message } };
}

function settled(incident: Incident, cleanUp: CleanUp): CleanUpSteps {
  return { incident: { ...incident, cleanUp }, isOver: true, actions: [] };
}
