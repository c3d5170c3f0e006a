import type { Incident } from '@smalt/failure-detection';

export function writeIncident(incident: Incident): string {
  return JSON.stringify(incident);
}

/** Reads what `writeIncident` wrote. Fields that were undefined are left out. */
export function readIncident(content: string): Incident {
  // Nobody else writes it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(content) as Incident;
}
