import { describe, expect, it } from 'vitest';

import { encodeOperation } from './encode-value.ts';
import { namedReference, type OvsdbOperation, rowReference } from './operation.ts';
import { readResults } from './read-results.ts';

const UUID = '3f1b2c4d-0000-4000-8000-000000000001';

describe('encodeOperation', () => {
  it.each<{ readonly operation: OvsdbOperation; readonly json: object }>([
    {
      operation: { op: 'insert', table: 'Port', row: { name: 'p', interfaces: namedReference('i') }, uuidName: 'p' },
      json: { op: 'insert', table: 'Port', row: { name: 'p', interfaces: ['named-uuid', 'i'] }, 'uuid-name': 'p' },
    },
    {
      operation: { op: 'select', table: 'Port', where: [['_uuid', '==', rowReference(UUID)]], columns: ['name'] },
      json: { op: 'select', table: 'Port', where: [['_uuid', '==', ['uuid', UUID]]], columns: ['name'] },
    },
    {
      operation: { op: 'update', table: 'Port', where: [], row: { tag: new Set([5n]), trunks: new Set() } },
      json: { op: 'update', table: 'Port', where: [], row: { tag: ['set', [5n]], trunks: ['set', []] } },
    },
    {
      operation: { op: 'mutate', table: 'Port', where: [], mutations: [['ids', 'insert', new Map([['a', 'b']])]] },
      json: { op: 'mutate', table: 'Port', where: [], mutations: [['ids', 'insert', ['map', [['a', 'b']]]]] },
    },
    { operation: { op: 'delete', table: 'Port', where: [] }, json: { op: 'delete', table: 'Port', where: [] } },
    {
      operation: { op: 'wait', table: 'Port', where: [], columns: ['name'], until: '==', rows: [{ name: 'p' }] },
      json: { op: 'wait', timeout: 0, table: 'Port', where: [], columns: ['name'], until: '==', rows: [{ name: 'p' }] },
    },
    { operation: { op: 'comment', comment: 'why' }, json: { op: 'comment', comment: 'why' } },
  ])('writes $operation.op', ({ operation, json }) => {
    expect(encodeOperation(operation)).toEqual(json);
  });

  it.each([
    { value: Number.NaN, message: 'NaN cannot be written' },
    { value: Infinity, message: 'Infinity cannot be written' },
    { value: rowReference('br0'), message: '"br0" is no uuid' },
  ])('refuses what cannot be written: $message', ({ value, message }) => {
    expect(() => encodeOperation({ op: 'insert', table: 'Port', row: { value } })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', message: expect.stringContaining(message) }),
    );
  });
});

describe('readResults', () => {
  const operations = [
    { op: 'insert', table: 'Port', row: {} },
    { op: 'select', table: 'Port', where: [] },
    { op: 'delete', table: 'Port', where: [] },
    { op: 'comment', comment: '' },
  ] as const satisfies readonly OvsdbOperation[];

  it('gives what each operation gives', () => {
    const json = [{ uuid: ['uuid', UUID] }, { rows: [{ name: 'p' }] }, { count: 3 }, {}];

    expect(readResults(operations, json)).toEqual([{ uuid: UUID }, { rows: [{ name: 'p' }] }, { count: 3 }, {}]);
  });

  it.each([
    {
      what: 'an operation',
      json: [{}, { error: 'syntax error', details: 'no column' }, null, null],
      operation: 1,
      message: 'operation 1 (select Port) was refused: syntax error: no column',
    },
    {
      what: 'the transaction as a whole',
      json: [{}, {}, {}, {}, { error: 'referential integrity violation' }],
      operation: 4,
      message: 'the transaction was refused: referential integrity violation',
    },
  ])('tells that $what was refused', ({ json, operation, message }) => {
    expect(() => readResults(operations, json)).toThrow(
      expect.objectContaining({ code: 'refused', operation, message }),
    );
  });

  it.each([
    { json: null },
    { json: [] },
    { json: [{}, {}, {}, {}] },
    { json: [{ uuid: ['uuid', UUID] }, { rows: [5] }, { count: 1 }, {}] },
    { json: [{ uuid: ['uuid', UUID] }, { rows: [] }, { count: 'x' }, {}] },
  ])('refuses $json', ({ json }) => {
    expect(() => readResults(operations, json)).toThrow(expect.objectContaining({ code: 'protocol' }));
  });
});
