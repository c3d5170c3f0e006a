import { describe, expect, it } from 'vitest';

import { parseSignature, parseSingleType } from './parse-signature.ts';

describe('parseSignature', () => {
  it('tells arrays of bytes, dictionaries and structs apart', () => {
    expect(parseSignature('aya{sv}(ib)av')).toEqual([
      { kind: 'bytes' },
      { kind: 'dictionary', key: { kind: 'basic', code: 's' }, value: { kind: 'variant' } },
      {
        kind: 'struct',
        fields: [
          { kind: 'basic', code: 'i' },
          { kind: 'basic', code: 'b' },
        ],
      },
      { kind: 'array', item: { kind: 'variant' } },
    ]);
  });

  it.each(['a', '(', '()', '(i', 'i)', 'a{s}', 'a{vs}', 'a{sss}', 'a{s', '{sv}', 'z', 'a{(i)s}', ' '])(
    'refuses %j',
    (signature) => {
      expect(() => parseSignature(signature)).toThrow(expect.objectContaining({ code: 'invalid' }));
    },
  );

  it.each([
    { signature: `${'a'.repeat(32)}i`, code: undefined },
    { signature: `${'a'.repeat(33)}i`, code: 'too-deep' },
    { signature: `${'('.repeat(33)}i${')'.repeat(33)}`, code: 'too-deep' },
    { signature: 'i'.repeat(255), code: undefined },
    { signature: 'i'.repeat(256), code: 'too-long' },
  ])('ends with $code at the limits of the specification', ({ signature, code }) => {
    expect(codeOf(() => parseSignature(signature))).toBe(code);
  });

  it('wants exactly one type for a variant', () => {
    expect(codeOf(() => parseSingleType('ii'))).toBe('invalid');
    expect(codeOf(() => parseSingleType(''))).toBe('invalid');
    expect(parseSingleType('i')).toEqual({ kind: 'basic', code: 'i' });
  });
});

function codeOf(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}
