import type { JsonObject } from '@smalt/json';

import { objectsIn, textIn } from './ha-views.ts';

/** No longer list of incidents is given out at a time. */
const MOST = 500;
const OPEN_STATES = ['detected', 'fencing', 'forcing-down', 'rebuilding'];
const OF_OPEN = [...OPEN_STATES.map((state) => `state=${state}`), `limit=${MOST}`].join('&');

/** Asks the HA service, by a path with its query. */
export type AskHighAvailability = (path: string) => Promise<JsonObject>;

/** The incidents that are not over, the newest first: one may wait for a person since before many others. */
export async function listOpenIncidents(ask: AskHighAvailability, host?: string): Promise<readonly JsonObject[]> {
  return objectsIn(await ask(`/api/v1/incidents?${OF_OPEN}${ofHost(host)}`), 'items');
}

/** So many of the newest incidents, and all that are open, the newest first. */
export async function listIncidents(
  ask: AskHighAvailability,
  newest: number,
  host?: string,
): Promise<readonly JsonObject[]> {
  const [some, open] = await Promise.all([
    ask(`/api/v1/incidents?limit=${newest}${ofHost(host)}`),
    listOpenIncidents(ask, host),
  ]);
  const listed = objectsIn(some, 'items');
  const known = new Set(listed.map((incident) => textIn(incident, 'id', '')));
  return [...listed, ...open.filter((incident) => !known.has(textIn(incident, 'id', '')))];
}

function ofHost(host: string | undefined): string {
  return host === undefined ? '' : `&host=${encodeURIComponent(host)}`;
}
