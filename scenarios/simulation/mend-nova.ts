import type { Incident } from '@smalt/failure-detection';

import { isOpen } from './simulated-nova.ts';
import type { Stage } from './stage.ts';

/** No evacuation that works takes as long. */
const STUCK_MS = 240_000;

/** Servers that only take room, and that nobody rebuilds. */
export const FILLER = 'filler-';

/** Removes what only takes room. */
export function makeRoom({ nova }: Stage): void {
  for (const id of nova.servers.keys()) if (id.startsWith(FILLER)) nova.deleteServer(id);
}

/** Looks where servers really are whose records never end, and sets them right by hand. */
export function setRecordsRight({ nova, world, story }: Stage, incident: Incident): void {
  const { now } = world.scheduler;
  const records = nova.evacuations.filter(
    (each) => each.source === incident.host && isOpen(each) && now - each.startedAt > STUCK_MS,
  );
  for (const record of records) {
    const server = nova.servers.get(record.serverId);
    const [place] = world.guests.get(record.serverId)?.places ?? [];
    if (server === undefined) continue;
    story.tell(`ann sets the record ${record.id} of ${server.id} right`);
    if (place === undefined) nova.fail(record, 'failed', 'set by hand');
    else {
      nova.noteChange(server.host, place);
      server.host = place;
      server.status = 'ACTIVE';
      record.status = 'done';
      record.endedAt = world.scheduler.now;
    }
  }
}
