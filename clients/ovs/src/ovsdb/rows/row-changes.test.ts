import type { JsonObject, JsonValue } from '@smalt/json';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readSchema } from '../values/read-schema.ts';
import { RowCache } from './row-cache.ts';
import { changesOfDump, changesOfUpdate, type UpdateVersion } from './row-changes.ts';
import { planTables } from './table-plan.ts';

const A = '00000000-0000-4000-8000-00000000000a';
const B = '00000000-0000-4000-8000-00000000000b';

describe('changesOfUpdate', () => {
  it.each<{ readonly version: UpdateVersion }>([{ version: 1 }, { version: 2 }])(
    'follows any history told as version $version, and tells each change with what was before',
    ({ version }) => {
      fc.assert(
        fc.property(fc.array(database), (history) => {
          const cache = new RowCache(['Port']);
          let before: Database = {};
          for (const after of history) {
            const known = new Map(cache.rows.get('Port'));
            const changes = changesOfUpdate(cache.rows, plan, {
              version,
              updates: { Port: updates[version](before, after) },
            });
            cache.commit(changes);

            const expected = new Map(Object.entries(after).map(([uuid, row]) => [uuid, cellsOf(uuid, row)]));
            expect(new Map(cache.rows.get('Port'))).toEqual(expected);
            for (const change of changes) expect(change.before).toBe(known.get(change.uuid));
            for (const uuid of Object.keys(after).filter((key) => isSameRow(before[key], after[key]))) {
              expect(cache.rows.get('Port')?.get(uuid)).toBe(known.get(uuid));
            }
            before = after;
          }
        }),
      );
    },
  );

  it('keeps the parts of a row that did not change the same objects, and freezes it', () => {
    const cache = cacheWith({
      [A]: { initial: { name: 'p', ids: ['map', [['a', '1']]], peers: ['set', ['x', 'y']] } },
    });
    const before = cache.rows.get('Port')?.get(A);

    cache.commit(
      changesOfUpdate(cache.rows, plan, { version: 2, updates: { Port: { [A]: { modify: { name: 'q' } } } } }),
    );

    const after = cache.rows.get('Port')?.get(A);
    expect(after).toMatchObject({ name: 'q', _uuid: A });
    expect([
      after?.['ids'] === before?.['ids'],
      after?.['peers'] === before?.['peers'],
      Object.isFrozen(after),
    ]).toEqual([true, true, true]);
  });

  it.each<{ readonly what: string; readonly updates: JsonValue; readonly message: RegExp }>([
    { what: 'no object', updates: [], message: /no object/ },
    { what: 'a table nobody asked for', updates: { Bridge: {} }, message: /Bridge, which nobody asked for/ },
    { what: 'a table that is no object', updates: { Port: 5 }, message: /update of Port is no object/ },
    { what: 'a row that is no object', updates: { Port: { [A]: null } }, message: /no object/ },
    { what: 'nothing', updates: { Port: { [A]: {} } }, message: /no update of a row/ },
    { what: 'two things at once', updates: { Port: { [A]: { insert: {}, delete: null } } }, message: /no update/ },
    { what: 'something unheard of', updates: { Port: { [A]: { explode: {} } } }, message: /"explode"/ },
    { what: 'a row that was never there', updates: { Port: { [B]: { modify: {} } } }, message: /never there/ },
    { what: 'a column nobody asked for', updates: { Port: { [A]: { modify: { x: 1 } } } }, message: /nobody asked/ },
    {
      what: 'a wrong type',
      updates: { Port: { [A]: { modify: { name: 5 } } } },
      message: /Port: name: 5 is no string/,
    },
  ])('refuses an update with $what', ({ updates: tableUpdates, message }) => {
    const cache = cacheWith({ [A]: { initial: { name: 'p' } } });

    expect(() => changesOfUpdate(cache.rows, plan, { version: 2, updates: tableUpdates })).toThrow(
      expect.objectContaining({ code: 'protocol', message: expect.stringMatching(message) }),
    );
  });

  it('ignores that a row goes which is gone', () => {
    const updates2 = { Port: { [B]: { delete: null } } };

    expect(changesOfUpdate(new RowCache(['Port']).rows, plan, { version: 2, updates: updates2 })).toEqual([]);
  });
});

describe('changesOfDump', () => {
  it('makes of any two states only what differs', () => {
    fc.assert(
      fc.property(database, database, (before, after) => {
        const cache = new RowCache(['Port']);
        cache.commit(changesOfDump(cache.rows, plan, dumpOf(before)));

        const changes = changesOfDump(cache.rows, plan, dumpOf(after));

        const uuids = Object.keys({ ...before, ...after });
        const differing = uuids.filter((uuid) => !isSameRow(before[uuid], after[uuid]));
        expect(changes.map(({ uuid }) => uuid).toSorted()).toEqual(differing.toSorted());
        cache.commit(changes);
        expect([...(cache.rows.get('Port')?.keys() ?? [])].toSorted()).toEqual(Object.keys(after).toSorted());
      }),
    );
  });

  it('takes a table that is not mentioned for empty', () => {
    const cache = cacheWith({ [A]: { initial: { name: 'p' } } });

    expect(changesOfDump(cache.rows, plan, { version: 2, updates: {} })).toMatchObject([{ uuid: A, after: undefined }]);
  });
});

interface PortRow {
  readonly name: string;
  readonly tag: number | undefined;
  readonly peers: readonly string[];
  readonly ids: Readonly<Record<string, string>>;
}

type Database = Readonly<Record<string, PortRow>>;

const plan = planTables(
  { Port: { name: 'string', tag: 'optional-integer', peers: 'strings', ids: 'map' } },
  readSchema({
    name: 'Test',
    tables: {
      Port: {
        columns: {
          name: { type: 'string' },
          tag: { type: { key: 'integer', min: 0, max: 1 } },
          peers: { type: { key: 'string', min: 0, max: 'unlimited' } },
          ids: { type: { key: 'string', value: 'string', min: 0, max: 'unlimited' } },
        },
      },
    },
  }),
);

const database: fc.Arbitrary<Database> = fc.dictionary(
  fc.constantFrom(A, B),
  fc.record({
    name: fc.constantFrom('', 'p', 'q'),
    tag: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
    peers: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')),
    ids: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.constantFrom('1', '2'), { noNullPrototype: false }),
  }),
);

/** The two ways in which a server tells that one state became another. */
const updates: Readonly<Record<UpdateVersion, (before: Database, after: Database) => JsonObject>> = {
  1: (before, after) =>
    eachRow(before, after, (old, row) => ({
      ...(old === undefined ? {} : { old: json(old) }),
      ...(row === undefined ? {} : { new: json(row) }),
    })),
  2: (before, after) =>
    eachRow(before, after, (old, row) => {
      if (row === undefined) return { delete: null };
      return old === undefined ? { insert: withoutDefaults(json(row)) } : { modify: difference(old, row) };
    }),
};

function eachRow(
  before: Database,
  after: Database,
  tell: (old: PortRow | undefined, row: PortRow | undefined) => JsonObject,
): JsonObject {
  const uuids = Object.keys({ ...before, ...after }).filter((uuid) => !isSameRow(before[uuid], after[uuid]));
  return Object.fromEntries(uuids.map((uuid) => [uuid, tell(before[uuid], after[uuid])]));
}

function difference(old: PortRow, row: PortRow): JsonObject {
  const peers = [
    ...old.peers.filter((peer) => !row.peers.includes(peer)),
    ...row.peers.filter((peer) => !old.peers.includes(peer)),
  ];
  const ids = [
    ...Object.entries(old.ids).filter(([key]) => !Object.hasOwn(row.ids, key)),
    ...Object.entries(row.ids).filter(([key, value]) => !Object.hasOwn(old.ids, key) || old.ids[key] !== value),
  ];
  return {
    ...(old.name === row.name ? {} : { name: row.name }),
    ...(old.tag === row.tag ? {} : { tag: row.tag ?? ['set', []] }),
    ...(peers.length === 0 ? {} : { peers: ['set', peers] }),
    ...(ids.length === 0 ? {} : { ids: ['map', ids] }),
  };
}

function json(row: PortRow): JsonObject {
  return {
    name: row.name,
    tag: row.tag ?? ['set', []],
    peers: ['set', row.peers],
    ids: ['map', Object.entries(row.ids)],
  };
}

function withoutDefaults(row: JsonObject): JsonObject {
  const defaults = new Set(['""', '["set",[]]', '["map",[]]']);
  return Object.fromEntries(Object.entries(row).filter(([, value]) => !defaults.has(JSON.stringify(value))));
}

function dumpOf(state: Database): { readonly version: 2; readonly updates: JsonValue } {
  const rows = Object.entries(state).map(([uuid, row]) => [uuid, { initial: withoutDefaults(json(row)) }]);
  return { version: 2, updates: { Port: Object.fromEntries(rows) as JsonObject } };
}

function cellsOf(uuid: string, row: PortRow): object {
  const tag = row.tag === undefined ? undefined : BigInt(row.tag);
  return { _uuid: uuid, name: row.name, tag, peers: new Set(row.peers), ids: new Map(Object.entries(row.ids)) };
}

function isSameRow(a: PortRow | undefined, b: PortRow | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const sorted = (row: PortRow): string =>
    JSON.stringify([row.name, row.tag, row.peers.toSorted(), Object.entries(row.ids).map(String).toSorted()]);
  return sorted(a) === sorted(b);
}

function cacheWith(rows: JsonObject): RowCache {
  const cache = new RowCache(['Port']);
  cache.commit(changesOfUpdate(cache.rows, plan, { version: 2, updates: { Port: rows } }));
  return cache;
}
