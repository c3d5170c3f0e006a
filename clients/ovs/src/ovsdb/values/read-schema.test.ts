import type { JsonValue } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { planTables } from '../rows/table-plan.ts';
import type { ColumnKind } from './column-kind.ts';
import { columnShape, fitsType } from './column-shape.ts';
import type { ColumnType } from './ovsdb-schema.ts';
import { readSchema } from './read-schema.ts';

describe('readSchema', () => {
  it('reads the types of columns in every form', () => {
    const schema = readSchema(
      schemaOf({
        plain: { type: 'string' },
        enumerated: { type: { key: { type: 'string', enum: ['set', ['a', 'b']] }, min: 0, max: 1 } },
        references: { type: { key: { type: 'uuid', refTable: 'Port' }, min: 0, max: 'unlimited' } },
        counters: { type: { key: 'string', value: 'integer', min: 0, max: 'unlimited' } },
        required: { type: { key: 'integer', min: 1, max: 4096 } },
      }),
    );

    expect([schema.name, schema.version]).toEqual(['Open_vSwitch', '8.3.1']);
    expect(Object.fromEntries(schema.tables.get('Bridge') ?? [])).toEqual({
      plain: { key: 'string', value: undefined, min: 1, max: 1 },
      enumerated: { key: 'string', value: undefined, min: 0, max: 1 },
      references: { key: 'reference', value: undefined, min: 0, max: Infinity },
      counters: { key: 'string', value: 'integer', min: 0, max: Infinity },
      required: { key: 'integer', value: undefined, min: 1, max: 4096 },
    });
  });

  it.each<{ readonly json: JsonValue }>([
    { json: null },
    { json: [] },
    { json: { tables: {} } },
    { json: { name: 'a' } },
    { json: { name: 'a', tables: { Bridge: 5 } } },
    { json: schemaOf({ a: {} }) },
    { json: schemaOf({ a: { type: 'complex' } }) },
    { json: schemaOf({ a: { type: { key: 'string', max: 'many' } } }) },
  ])('refuses $json', ({ json }) => {
    expect(() => readSchema(json)).toThrow(expect.objectContaining({ code: 'protocol' }));
  });
});

describe('fitsType', () => {
  const one = { key: 'string', value: undefined, min: 1, max: 1 } as const;
  const optional = { ...one, min: 0 } as const;
  const set = { ...optional, max: Infinity } as const;
  const map = { ...set, value: 'string' } as const;
  it.each<{ readonly kind: ColumnKind; readonly type: ColumnType; readonly fits: boolean }>([
    { kind: 'string', type: one, fits: true },
    { kind: 'string', type: optional, fits: false },
    { kind: 'integer', type: one, fits: false },
    { kind: 'optional-string', type: optional, fits: true },
    { kind: 'optional-string', type: one, fits: true },
    { kind: 'optional-string', type: set, fits: false },
    { kind: 'strings', type: set, fits: true },
    { kind: 'strings', type: optional, fits: true },
    { kind: 'strings', type: map, fits: false },
    { kind: 'map', type: map, fits: true },
    { kind: 'map', type: set, fits: false },
    { kind: 'map-string-integer', type: map, fits: false },
  ])('says $fits for $kind of $type.min to $type.max', ({ kind, type, fits }) => {
    expect(fitsType(columnShape(kind), type)).toBe(fits);
  });

  it('refuses a kind that does not exist', () => {
    expect(() => columnShape('strange' as ColumnKind)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });
});

describe('planTables', () => {
  it('asks for what the server has and names what it lacks', () => {
    const schema = readSchema(schemaOf({ name: { type: 'string' }, ports: { type: 'string' } }));

    const plan = planTables(
      { Bridge: { name: 'string', ports: 'references', gone: 'map', _uuid: 'string' }, Nothing: { a: 'string' } },
      schema,
    );

    expect(plan.missing).toEqual(['Bridge.ports', 'Bridge.gone', 'Bridge._uuid', 'Nothing']);
    expect([...(plan.tables.get('Bridge')?.columns.keys() ?? [])]).toEqual(['name']);
    expect(plan.tables.get('Bridge')?.defaults).toEqual({ name: '', ports: new Set(), gone: new Map(), _uuid: '' });
  });
});

function schemaOf(columns: JsonValue): JsonValue {
  return { name: 'Open_vSwitch', version: '8.3.1', tables: { Bridge: { columns } } };
}
