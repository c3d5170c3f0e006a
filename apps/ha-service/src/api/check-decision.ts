import { isOver, type Incident } from '@smalt/failure-detection';

import { HaServiceError } from '../ha-service-error.ts';
import type { HostRecord } from '../ports/ha-store.ts';

/** What a person types to confirm that a host is off: a slip of the hand must not be enough. */
export interface OffConfirmation {
  readonly host: string;
  readonly incidentId: string;
  readonly note: string;
}

/** Rejects a confirmation that is not about this incident and its host, or comes too late. */
export function checkConfirmation(incident: Incident, { host, incidentId, note }: OffConfirmation): void {
  if (incidentId !== incident.id) {
    throw invalid('incidentId', `"${incidentId}" is not the incident of this address: type ${incident.id}`);
  }
  if (host !== incident.host) {
    throw invalid('host', `"${host}" is not the host of incident ${incident.id}: look again at which host it is`);
  }
  checkNote(note);
  if (isOver(incident)) {
    throw new HaServiceError(
      'conflict',
      `incident ${incident.id} is over (${incident.state}): nothing is left to confirm`,
    );
  }
}

/** Rejects to close what is over. */
export function checkClose(incident: Incident, note: string): void {
  checkNote(note);
  if (!isOver(incident)) return;
  throw new HaServiceError('conflict', `incident ${incident.id} is over already: ${incident.state}`);
}

/** Rejects to let a host return that is not held by this incident. */
export function checkRelease(incident: Incident, record: HostRecord | undefined, note: string): void {
  checkNote(note);
  if (!isOver(incident)) {
    const next = 'wait for its end, or close it first';
    throw new HaServiceError('conflict', `incident ${incident.id} is not over (${incident.state}): ${next}`);
  }
  if (record?.heldBy === incident.id) return;
  const now = record?.heldBy === undefined ? 'is not held' : `is held by incident ${record.heldBy}`;
  throw new HaServiceError('conflict', `${incident.host} ${now}: there is nothing to release by ${incident.id}`);
}

export function checkNote(note: string): void {
  if (note.trim() === '') throw invalid('note', 'must say in a few words why, for the journal');
}

function invalid(field: string, message: string): HaServiceError {
  return new HaServiceError('invalid-request', `${field}: ${message}`, { field });
}
