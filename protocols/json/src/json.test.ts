import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findDuplicateFields, isDeeperThan, JsonError, parseJson, printJson, type JsonValue } from './index.ts';

describe('parseJson', () => {
  it('keeps integers exact, however large', () => {
    const value = parseJson('{"a":9223372036854775807,"b":[-9007199254740993],"c":1e30,"d":0.5}');

    expect(value).toEqual({
      a: 9223372036854775807n,
      b: [-9007199254740993n],
      c: 1e30,
      d: 0.5,
    });
  });

  it.each(['{"__proto__":{"a":1}}', String.raw`{"\u005f_proto__":1}`, '[{"a":{"__proto__":null}}]'])(
    'refuses the name __proto__ in %s',
    (text) => {
      expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'forbidden-name' }));
    },
  );

  it.each(['', '{', '{"a":}', 'nul', '{"a":1}x'])('says that %j is malformed', (text) => {
    expect(() => parseJson(text)).toThrow(JsonError);
  });
});

describe('printJson', () => {
  it('writes bigints as integers', () => {
    expect(printJson({ a: 9223372036854775807n, b: [1, 'x', null] })).toBe(
      '{"a":9223372036854775807,"b":[1,"x",null]}',
    );
  });

  it('writes what parseJson reads back unchanged', () => {
    fc.assert(
      fc.property(jsonValues(), (value) => {
        expect(parseJson(printJson(value))).toEqual(value);
      }),
    );
  });
});

describe('findDuplicateFields', () => {
  it.each([
    { text: '{"a":1,"b":2}', duplicates: [] },
    { text: '{"a":1,"a":2,"a":3}', duplicates: ['a'] },
    { text: '{"spec":{"x":{"y":1,"y":2}},"z":[{"n":1},{"n":1,"n":2}]}', duplicates: ['spec.x.y', 'z[1].n'] },
    { text: String.raw`{"a\"b":1,"a\u0022b":2,"c":"{\"d\":1,\"d\":1}"}`, duplicates: ['a"b'] },
    { text: '{"a":["x","x",",","}"],"b":{},"c":[]}', duplicates: [] },
    { text: '[]', duplicates: [] },
  ])('finds $duplicates in $text', ({ text, duplicates }) => {
    expect(findDuplicateFields(text)).toEqual(duplicates);
  });

  it('gives the whole path of a duplicate that stands deep, and the first hundred of many', () => {
    const deep = `${'{"a":['.repeat(300)}{"b":1,"b":2}${']}'.repeat(300)}`;
    const many = `{${Array.from({ length: 500 }, (_, index) => `"n${index}":1,"n${index}":2`).join(',')}}`;

    expect(findDuplicateFields(deep)).toEqual([`${Array.from({ length: 300 }, () => 'a[0]').join('.')}.b`]);
    expect(findDuplicateFields(many)).toEqual(Array.from({ length: 100 }, (_, index) => `n${index}`));
  });

  it('does not repeat a long path for each of its duplicates', () => {
    const name = 'x'.repeat(50_000);
    const text = `{"${name}":[${Array.from({ length: 50 }, () => '{"a":1,"a":2}').join(',')}]}`;

    expect(findDuplicateFields(text)).toEqual([`${name}[0].a`, `${name}[1].a`]);
  });

  it('takes time in proportion to the text, however deep it is', () => {
    const name = 'n'.repeat(100);
    const depth = 20_000;
    const text = `${`{"${name}":`.repeat(depth)}1${'}'.repeat(depth)}`;

    // The paths of all levels together would be 20 GB.
    expect(findDuplicateFields(text)).toEqual([]);
  });

  it('finds none in what an object was printed to', () => {
    fc.assert(
      fc.property(jsonValues(), (value) => {
        expect(findDuplicateFields(printJson(value))).toEqual([]);
      }),
    );
  });
});

describe('isDeeperThan', () => {
  it.each([
    { text: '[[1],[2],{"a":3}]', limit: 2, isDeeper: false },
    { text: '[[1],[{"a":3}]]', limit: 2, isDeeper: true },
    { text: String.raw`["[[[[\"[[[",{"{{{{":"\\"}]`, limit: 2, isDeeper: false },
    { text: ']]]]][[[', limit: 2, isDeeper: true },
    { text: '["unfinished [[[', limit: 2, isDeeper: false },
  ])('says of $text with the limit $limit: $isDeeper', ({ text, limit, isDeeper }) => {
    expect(isDeeperThan(text, limit)).toBe(isDeeper);
  });

  it('survives text that nothing recursive would', () => {
    expect(isDeeperThan('['.repeat(3_000_000), 2_999_999)).toBe(true);
  });
});

function jsonValues(): fc.Arbitrary<JsonValue> {
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constant(null),
      fc.boolean(),
      fc.string({ unit: 'binary' }),
      fc.maxSafeInteger(),
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((number) => (Object.is(number, -0) ? 0 : number))
        .filter((number) => !Number.isInteger(number)),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n }),
      fc.array(tie('value')),
      fc.dictionary(
        fc.string({ unit: 'binary' }).filter((name) => name !== '__proto__'),
        tie('value'),
        { noNullPrototype: true },
      ),
    ),
  }));
  return value;
}
