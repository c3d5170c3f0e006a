import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { JsonIndenter } from './json-indenter.ts';

it('sets out any JSON as JSON.stringify does, wherever it is cut into pieces', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (value, size) => {
      const indenter = new JsonIndenter();
      const json = Buffer.from(JSON.stringify(value));

      const pieces: string[] = [];
      for (let at = 0; at < json.length; at += size)
        pieces.push(indenter.indent(json.subarray(at, at + size)).toString('latin1'));

      expect(Buffer.from(pieces.join(''), 'latin1').toString()).toBe(JSON.stringify(value, undefined, 2));
    }),
  );
});

it('keeps numbers as they are, and drops spaces that are there', () => {
  const text = new JsonIndenter().indent(Buffer.from('{ "a" : 9007199254740993,\n"b":[ ]}\n')).toString();

  expect(text).toBe('{\n  "a": 9007199254740993,\n  "b": []\n}');
});
