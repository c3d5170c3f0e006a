import { bulkStatement, type BulkStatement } from '@smalt/store';

// A cross join, because SQLite keeps its order: from the few that came to the many that are stored.
export const readCursors: BulkStatement = bulkStatement(
  { host: 'text', epoch: 'text' },
  (incoming) => `SELECT cursor.host, cursor.epoch, cursor.number FROM ${incoming} CROSS JOIN telemetry_cursor AS cursor
    WHERE cursor.host = incoming.host AND cursor.epoch = incoming.epoch`,
);

export const readSignals: BulkStatement = bulkStatement(
  { host: 'text', source: 'text' },
  (incoming) => `SELECT known.host, known.source, known.alive_at, known.dead_since, known.dead_at
    FROM ${incoming} CROSS JOIN signal AS known WHERE known.host = incoming.host AND known.source = incoming.source`,
);

export const readReports: BulkStatement = bulkStatement(
  { host: 'text' },
  (incoming) => `SELECT known.host, known.previous_boot_id, known.previous_uptime, known.latest_boot_id,
    known.latest_uptime, known.instances
    FROM ${incoming} CROSS JOIN host_report AS known WHERE known.host = incoming.host`,
);

// SQLite takes the word after a table for a join constraint unless there is a WHERE.
export const writeCursors: BulkStatement = bulkStatement(
  { host: 'text', epoch: 'text', number: 'integer', used_at: 'number' },
  (incoming) => `INSERT INTO telemetry_cursor (host, epoch, number, used_at)
    SELECT host, epoch, number, used_at FROM ${incoming} WHERE true
    ON CONFLICT (host, epoch) DO UPDATE SET number = excluded.number, used_at = excluded.used_at`,
);

export const writeSignals: BulkStatement = bulkStatement(
  { host: 'text', source: 'text', alive_at: 'number', dead_since: 'number', dead_at: 'number', changed: 'integer' },
  (incoming) => `INSERT INTO signal (host, source, alive_at, dead_since, dead_at, changed)
    SELECT host, source, alive_at, dead_since, dead_at, changed FROM ${incoming} WHERE true
    ON CONFLICT (host, source) DO UPDATE SET alive_at = excluded.alive_at, dead_since = excluded.dead_since,
      dead_at = excluded.dead_at, changed = excluded.changed`,
);

export const writeReports: BulkStatement = bulkStatement(
  {
    host: 'text',
    previous_boot_id: 'text',
    previous_uptime: 'number',
    latest_boot_id: 'text',
    latest_uptime: 'number',
    instances: 'integer',
    changed: 'integer',
  },
  (incoming) => `INSERT INTO host_report
      (host, previous_boot_id, previous_uptime, latest_boot_id, latest_uptime, instances, changed)
    SELECT host, previous_boot_id, previous_uptime, latest_boot_id, latest_uptime, instances, changed
    FROM ${incoming} WHERE true
    ON CONFLICT (host) DO UPDATE SET previous_boot_id = excluded.previous_boot_id,
      previous_uptime = excluded.previous_uptime, latest_boot_id = excluded.latest_boot_id,
      latest_uptime = excluded.latest_uptime, instances = excluded.instances, changed = excluded.changed`,
);

export const writeInstanceLists: BulkStatement = bulkStatement(
  { host: 'text', content: 'text', time: 'text' },
  (incoming) => `INSERT INTO instance_report (host, content, time)
    SELECT host, content, time FROM ${incoming} WHERE true
    ON CONFLICT (host) DO UPDATE SET content = excluded.content, time = excluded.time`,
);

export const writeEvents: BulkStatement = bulkStatement(
  {
    place: 'integer',
    host: 'text',
    epoch: 'text',
    number: 'integer',
    content: 'text',
    time: 'text',
    stored_at: 'number',
  },
  (incoming) => `INSERT INTO telemetry_event (host, epoch, number, content, time, stored_at)
    SELECT host, epoch, number, content, time, stored_at FROM ${incoming} ORDER BY place`,
);
