import type { Database, Session } from '@smalt/store';

import type { HostStore } from '../ports/ha-store.ts';
import type { HaSchema } from './ha-schema.ts';

/** What is remembered of hosts, in a table. */
export function createHostStore(database: Database<HaSchema>): HostStore {
  const put = (host: string, column: Partial<HaSchema['host']>, signal: AbortSignal): Promise<void> =>
    database.transaction(async (session) => {
      const row = { name: host, is_switched_on: null, held_by: null, ...column };
      const query = session.queries.insertInto('host').values(row);
      await session.change(query.onConflict((conflict) => conflict.column('name').doUpdateSet(column)));
    }, signal);
  return {
    list: (signal) =>
      database.read(async (session) => {
        const rows = await session.all(session.queries.selectFrom('host').selectAll().orderBy('name'));
        return rows.map(({ name, is_switched_on: isSwitchedOn, held_by: heldBy }) => ({
          name,
          isSwitchedOn: isSwitchedOn === null ? undefined : isSwitchedOn === 1,
          heldBy: heldBy ?? undefined,
        }));
      }, signal),
    switch: (host, isSwitchedOn, signal) => put(host, { is_switched_on: Number(isSwitchedOn) }, signal),
    hold: (host, incidentId, signal) => put(host, { held_by: incidentId ?? null }, signal),
    forget: (host, signal) => database.transaction((session) => forget(session, host), signal),
  };
}

async function forget(session: Session<HaSchema>, host: string): Promise<void> {
  await session.change(session.queries.deleteFrom('host').where('name', '=', host));
}
