import type { JsonObject, JsonValue } from '@smalt/json';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { printerColumn, readJsonPath, StructuralSchemaError, type PrinterColumn } from './index.ts';

const OBJECT: JsonObject = {
  metadata: { name: 'a', labels: { 'topology.kubernetes.io/zone': 'z1' }, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { cpus: 4, load: 0.5, isOn: true, tags: ['x', 'y', 'z'], nothing: null, big: 9007199254740993n },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', count: 1 },
      { type: 'Live', status: 'False', count: 3 },
    ],
    interfaces: [{ ipAddress: '1.2.3.4' }],
  },
};

describe('readJsonPath', () => {
  it.each<{ path: string; found: readonly JsonValue[] }>([
    { path: '.metadata.name', found: ['a'] },
    { path: String.raw`.metadata.labels.topology\.kubernetes\.io/zone`, found: ['z1'] },
    { path: ".metadata['name']", found: ['a'] },
    { path: '.status.conditions[?(@.type=="Ready")].status', found: ['True'] },
    { path: ".status.conditions[?(@.type=='Ready')].status", found: ['True'] },
    { path: '.status.conditions[?(@.count>1)].type', found: ['Live'] },
    { path: '.status.conditions[?(@.count<=1)].type', found: ['Ready'] },
    { path: '.status.conditions[?(@.type!="Ready")].status', found: ['False'] },
    { path: '.status.conditions[?(@.missing)].status', found: [] },
    { path: '.status.interfaces[0].ipAddress', found: ['1.2.3.4'] },
    { path: '.spec.tags[-1]', found: ['z'] },
    { path: '.spec.tags[0:2]', found: ['x', 'y'] },
    { path: '.spec.tags[::2]', found: ['x', 'z'] },
    { path: '.spec.tags[*]', found: ['x', 'y', 'z'] },
    { path: '.spec.tags[0,2]', found: ['x', 'z'] },
    { path: '.status.conditions[*].type', found: ['Ready', 'Live'] },
    { path: '..ipAddress', found: ['1.2.3.4'] },
    { path: '.status.interfaces.*.ipAddress', found: ['1.2.3.4'] },
    { path: '.missing.deep', found: [] },
    { path: '.constructor', found: [] },
    { path: '.spec.nothing', found: [null] },
  ])('$path finds $found', ({ path, found }) => {
    expect(readJsonPath(path).find(OBJECT)).toEqual(found);
    expect(readJsonPath(path).first(OBJECT)).toEqual(found[0]);
  });

  it.each(['.spec.tags[5]', '.spec.cpus[0]', '.spec[?(@.a==1)]', '.spec.tags[?(@==1)]', 'range .spec'])(
    '%s cannot be followed, so there is no first value',
    (path) => {
      expect(() => readJsonPath(path).find(OBJECT)).toThrow(expect.objectContaining({ code: 'json-path-failed' }));
      expect(readJsonPath(path).first(OBJECT)).toBeUndefined();
    },
  );

  it.each([
    { path: '.a[', message: 'unterminated array' },
    { path: '.a[?(@.b', message: 'unterminated filter' },
    { path: '.a[?(@.b)', message: 'unclosed array expect ]' },
    { path: '.a[x]', message: 'invalid array index x' },
    { path: '....', message: 'invalid multiple recursive descent' },
    { path: '"a', message: 'unterminated quoted string' },
    { path: '!', message: "unrecognized character in action: U+0021 '!'" },
  ])('refuses $path', ({ path, message }) => {
    expect(() => readJsonPath(path)).toThrow(expect.objectContaining({ code: 'invalid-json-path', message }));
  });

  it('throws nothing but its own errors on any text', () => {
    const characters = '.[]?(@="\'*:,0a-\\ {}'.split('');

    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...characters) }), (text) => {
        expect(failureOf(text)).toSatisfy((error) => error === undefined || error instanceof StructuralSchemaError);
      }),
    );
  });
});

describe('printerColumn', () => {
  const now = new Date('2026-01-03T05:00:00Z');

  it.each<{ type: PrinterColumn['type']; jsonPath: string; cell: string | number | boolean | null }>([
    { type: 'string', jsonPath: '.metadata.name', cell: 'a' },
    { type: 'string', jsonPath: '.spec.cpus', cell: '4' },
    { type: 'string', jsonPath: '.spec.tags', cell: '["x","y","z"]' },
    { type: 'string', jsonPath: '.spec.tags[*]', cell: 'x' },
    { type: 'string', jsonPath: '.spec.nothing', cell: '<no value>' },
    { type: 'string', jsonPath: '.spec.missing', cell: null },
    { type: 'string', jsonPath: '.spec.big', cell: '9007199254740993' },
    { type: 'integer', jsonPath: '.spec.cpus', cell: 4 },
    { type: 'integer', jsonPath: '.spec.load', cell: 0 },
    { type: 'integer', jsonPath: '.metadata.name', cell: null },
    { type: 'number', jsonPath: '.spec.load', cell: 0.5 },
    { type: 'boolean', jsonPath: '.spec.isOn', cell: true },
    { type: 'boolean', jsonPath: '.spec.cpus', cell: null },
    { type: 'date', jsonPath: '.metadata.creationTimestamp', cell: '2d5h' },
    { type: 'date', jsonPath: '.metadata.name', cell: '<invalid>' },
    { type: 'date', jsonPath: '.spec.cpus', cell: null },
    { type: 'string', jsonPath: '.spec.tags[9]', cell: null },
  ])('$type column of $jsonPath shows $cell', ({ type, jsonPath, cell }) => {
    expect(printerColumn({ name: 'X', type, jsonPath }).cell(OBJECT, now)).toBe(cell);
  });

  it('describes itself by its path when nobody else did', () => {
    expect(printerColumn({ name: 'X', type: 'string', jsonPath: '.a' })).toMatchObject({
      description: 'Custom resource definition column (in JSONPath format): .a',
      priority: 0,
    });
  });
});

function failureOf(path: string): unknown {
  try {
    readJsonPath(path).find(OBJECT);
    return undefined;
  } catch (error) {
    return error;
  }
}
