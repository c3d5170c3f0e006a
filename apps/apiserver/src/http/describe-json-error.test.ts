import { describe, expect, it } from 'vitest';

import { describeJsonError } from './describe-json-error.ts';

describe('describeJsonError', () => {
  it.each([
    ['', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['nonsense', "invalid character 'o' in literal null (expecting 'u')"],
    ['hello', "invalid character 'h' looking for beginning of value"],
    ['{a: 1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
  ])('says of %j: %s', (text, problem) => {
    expect(describeJsonError(text)).toBe(problem);
  });

  it.each(['{}', '[1, -2.5e+3, "a\\u00e9\\n", true, false, null]', ' {"a": {"b": []}} '])(
    'finds nothing wrong with %s',
    (text) => {
      expect(describeJsonError(text)).toBeUndefined();
    },
  );
});
