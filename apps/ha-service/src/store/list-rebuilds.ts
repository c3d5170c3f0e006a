import type { Database } from '@smalt/store';

import type { RebuildFilter, RebuildRow } from './durable-ha-store.ts';
import type { HaSchema } from './ha-schema.ts';
import { readIncident } from './incident-content.ts';

/** What became of instances, out of the incidents they are in. */
export async function listRebuilds(
  database: Database<HaSchema>,
  { incidentId, host, instanceId, limit }: RebuildFilter,
  signal: AbortSignal,
): Promise<readonly RebuildRow[]> {
  return database.read(async (session) => {
    const { queries } = session;
    const withInstances = queries.selectFrom('incident_instance').select('incident_id');
    const ofInstance = instanceId === undefined ? withInstances : withInstances.where('instance_id', '=', instanceId);
    // Each incident that is found has at least one row.
    let query = queries.selectFrom('incident').select('content').where('id', 'in', ofInstance);
    if (incidentId !== undefined) query = query.where('id', '=', incidentId);
    if (host !== undefined) query = query.where('host', '=', host);
    const rows = await session.all(query.orderBy('number', 'desc').limit(limit));
    return rows
      .map(({ content }) => readIncident(content))
      .flatMap((incident) =>
        incident.instances
          .filter(({ id }) => instanceId === undefined || id === instanceId)
          .map((instance) => ({
            ...instance,
            incidentId: incident.id,
            host: incident.host,
            incidentState: incident.state,
            openedAt: incident.openedAt,
          })),
      )
      .slice(0, limit);
  }, signal);
}
