import type { Database, Session } from '@smalt/store';

import type { DocumentStore, TaskDocument } from '../ports/ha-store.ts';
import type { HaSchema } from './ha-schema.ts';

/** Small state of single tasks, in a table. */
export function createDocumentStore(database: Database<HaSchema>): DocumentStore {
  return {
    get: async (kind, key, signal) => {
      const [document] = await database.read((session) => listDocuments(session, { kind, key }), signal);
      return document;
    },
    list: (kind, signal) => database.read((session) => listDocuments(session, { kind }), signal),
    save: (kind, document, signal) => database.transaction((session) => save(session, kind, document), signal),
    delete: (kind, key, signal) =>
      database.transaction(async (session) => {
        await session.change(session.queries.deleteFrom('document').where('kind', '=', kind).where('key', '=', key));
      }, signal),
  };
}

async function save(
  session: Session<HaSchema>,
  kind: string,
  { key, revision, content }: TaskDocument,
): Promise<'stored' | 'overtaken'> {
  const insert = session.queries
    .insertInto('document')
    .values({ kind, key, revision, content })
    .onConflict((conflict) => conflict.doNothing());
  const update = session.queries
    .updateTable('document')
    .set({ revision, content })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('revision', '=', revision - 1);
  const count = await session.change(revision === 1 ? insert : update);
  return count === 1 ? 'stored' : 'overtaken';
}

async function listDocuments(
  session: Session<HaSchema>,
  { kind, key }: { readonly kind: string; readonly key?: string },
): Promise<readonly TaskDocument[]> {
  let query = session.queries.selectFrom('document').selectAll().where('kind', '=', kind).orderBy('key');
  if (key !== undefined) query = query.where('key', '=', key);
  return (await session.all(query)).map(({ key: name, revision, content }) => ({ key: name, revision, content }));
}
