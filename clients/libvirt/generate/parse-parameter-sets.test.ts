import { expect, it } from 'vitest';

import { parseParameterSets } from './parse-parameter-sets.ts';

it('reads fields, their types, and whether they repeat', () => {
  const sets = parse('set Stats', '  vcpu.#.time ullong', '  disks string repeats');

  expect(sets.get('Stats')?.fields).toEqual([
    { name: 'vcpu.#.time', type: 'ullong', repeats: false },
    { name: 'disks', type: 'string', repeats: true },
  ]);
});

it.each([
  { lines: ['sets A'], error: "test.schema:1: 'sets' is not set" },
  { lines: ['set A', 'set A'], error: 'test.schema:2: set A is there twice' },
  { lines: ['set A', '  a'], error: 'test.schema:2: the type of a is missing' },
  { lines: ['set A', '  a u64'], error: "test.schema:2: 'u64' is not the type of a typed parameter" },
  { lines: ['set A', '  a int again'], error: "test.schema:2: 'again' is not 'repeats'" },
  { lines: ['set A', '  a int', '  a uint'], error: 'test.schema:3: a is there twice' },
])('says $error', ({ lines, error }) => {
  expect(() => parse(...lines)).toThrow(error);
});

function parse(...lines: string[]): ReturnType<typeof parseParameterSets> {
  return parseParameterSets({ file: 'test.schema', text: lines.join('\n') });
}
