import { describe, expect, it } from 'vitest';

import {
  duplicate,
  forbidden,
  formatFieldError,
  goJson,
  goNumber,
  goQuote,
  internalError,
  invalid,
  invalidCauses,
  invalidMessage,
  notFound,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
  type FieldError,
} from './index.ts';

describe('formatFieldError', () => {
  it.each<{ error: FieldError; text: string }>([
    { error: required('spec.x'), text: 'spec.x: Required value' },
    { error: required('spec.x', 'say it'), text: 'spec.x: Required value: say it' },
    { error: invalid('spec.x', '', 'too short'), text: 'spec.x: Invalid value: "": too short' },
    { error: invalid('spec.x', 'a"b\n', 'no'), text: String.raw`spec.x: Invalid value: "a\"b\n": no` },
    { error: invalid('spec.x', 3, 'no'), text: 'spec.x: Invalid value: 3: no' },
    { error: invalid('spec.x', 9007199254740993n, 'no'), text: 'spec.x: Invalid value: 9007199254740993: no' },
    { error: invalid('spec.x', true, 'no'), text: 'spec.x: Invalid value: true: no' },
    { error: invalid('spec.x', null, 'no'), text: 'spec.x: Invalid value: null: no' },
    { error: invalid('spec.x', undefined, 'no'), text: 'spec.x: Invalid value: no' },
    {
      error: invalid('x', { b: '<&>', a: [1] }, ''),
      text: String.raw`x: Invalid value: {"a":[1],"b":"\u003c\u0026\u003e"}`,
    },
    { error: notSupported('x', 'c', ['a', 'b']), text: 'x: Unsupported value: "c": supported values: "a", "b"' },
    { error: notSupported('x', 'c', []), text: 'x: Unsupported value: "c"' },
    { error: duplicate('x[1]', { name: 'a' }), text: 'x[1]: Duplicate value: {"name":"a"}' },
    { error: forbidden('x', 'not here'), text: 'x: Forbidden: not here' },
    { error: notFound('x', 'y'), text: 'x: Not found: "y"' },
    { error: tooLong('x', 63), text: 'x: Too long: may not be more than 63 bytes' },
    { error: tooLong('x', 1), text: 'x: Too long: may not be more than 1 byte' },
    { error: tooLong('x', -1), text: 'x: Too long: value is too long' },
    { error: tooMany('x', 9, 8), text: 'x: Too many: 9: must have at most 8 items' },
    { error: tooMany('x', -1, 1), text: 'x: Too many: must have at most 1 item' },
    {
      error: typeInvalid('x', 'string', 'must be of type integer'),
      text: 'x: Invalid value: "string": must be of type integer',
    },
    { error: internalError('x', 'broken'), text: 'x: Internal error: broken' },
  ])('writes $text', ({ error, text }) => {
    expect(formatFieldError(error)).toBe(text);
  });
});

describe('goQuote', () => {
  it.each([
    { text: 'plain', quoted: '"plain"' },
    { text: 'tab\tbell\u0007', quoted: String.raw`"tab\tbell\a"` },
    { text: '\u0000\u001b', quoted: String.raw`"\x00\x1b"` },
    { text: 'grün 世界 😀', quoted: '"grün 世界 😀"' },
    { text: '\u00a0\u200b', quoted: String.raw`"\u00a0\u200b"` },
    { text: '\u{e0001}', quoted: String.raw`"\U000e0001"` },
  ])('quotes $quoted', ({ text, quoted }) => {
    expect(goQuote(text)).toBe(quoted);
  });
});

describe('goNumber', () => {
  it.each([
    { value: 0.5, text: '0.5' },
    { value: 0.00001, text: '1e-05' },
    { value: 0.0001, text: '0.0001' },
    { value: 1e21, text: '1e+21' },
    { value: 123456789, text: '123456789' },
    { value: 2.5e-7, text: '2.5e-07' },
  ])('writes $text', ({ value, text }) => {
    expect(goNumber(value)).toBe(text);
  });
});

describe('goJson', () => {
  it('writes bigints and nested values with names in order', () => {
    expect(goJson({ z: 1n, a: { c: null, b: false } })).toBe('{"a":{"b":false,"c":null},"z":1}');
  });
});

describe('invalidMessage', () => {
  const kind = { group: 'kvm.cloud.sap', kind: 'Eviction' };

  it('puts several errors in brackets, and each once', () => {
    const errors = [required('a'), forbidden('b', 'no'), required('a')];

    expect(invalidMessage(kind, 'x', errors)).toBe(
      'Eviction.kvm.cloud.sap "x" is invalid: [a: Required value, b: Forbidden: no]',
    );
  });

  it('puts one error without brackets, also when it stands there twice', () => {
    const message = invalidMessage({ group: '', kind: 'Pod' }, 'x', [required('a'), required('a')]);

    expect(message).toBe('Pod "x" is invalid: a: Required value');
  });

  it('says only that it is invalid when there is nothing else to say', () => {
    expect(invalidMessage(kind, 'x', [])).toBe('Eviction.kvm.cloud.sap "x" is invalid');
  });
});

describe('invalidCauses', () => {
  it('gives each error its reason, its field and the rest of its text', () => {
    expect(invalidCauses([notSupported('spec.bus', 'ide', ['virtio'])])).toEqual([
      {
        reason: 'FieldValueNotSupported',
        message: 'Unsupported value: "ide": supported values: "virtio"',
        field: 'spec.bus',
      },
    ]);
  });
});
