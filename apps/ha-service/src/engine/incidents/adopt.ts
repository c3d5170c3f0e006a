import { adoptIncident, type Incident } from '@smalt/failure-detection';

/**
 * Takes an incident over from another run. It is always another revision than the one that was found, so that whatever the
 * other run still has under way finds itself overtaken.
 */
export function adopt(incident: Incident, now: number): Incident {
  return { ...adoptIncident(incident, now), revision: incident.revision + 1 };
}
