import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readOsRelease } from './read-os-release.ts';

describe('readOsRelease', () => {
  it.each([
    { line: 'ID=debian', value: 'debian' },
    { line: 'ID="debian"', value: 'debian' },
    { line: "ID='debian'", value: 'debian' },
    { line: 'ID=', value: '' },
    { line: 'ID=""', value: '' },
    { line: '  ID=debian  ', value: 'debian' },
    { line: 'ID="a \\"b\\" \\$c \\`d\\` \\\\e"', value: 'a "b" $c `d` \\e' },
    { line: 'ID="a\\nb"', value: 'a\\nb' },
    { line: "ID='a \\ \"b'", value: 'a \\ "b' },
    { line: 'ID=a\\ b', value: 'a b' },
    { line: `ID="a"'b'c`, value: 'abc' },
    { line: 'ID="not closed', value: 'not closed' },
    { line: 'ID=a=b', value: 'a=b' },
    { line: 'ID=back\\', value: 'back\\' },
  ])('reads $line', ({ line, value }) => {
    expect(readOsRelease(`${line}\nNEXT=1`)).toEqual(
      new Map([
        ['ID', value],
        ['NEXT', '1'],
      ]),
    );
  });

  it('passes over comments, empty lines and what is no assignment', () => {
    expect(readOsRelease('# ID=x\n\n;\n1D=x\n =x\nID=y\n  # end')).toEqual(new Map([['ID', 'y']]));
  });

  it.each(['\n', '\r\n', '\r'])('takes lines that end in %j, and the last of two', (end) => {
    expect(readOsRelease(`\uFEFFID=a${end}ID="b"${end}`)).toEqual(new Map([['ID', 'b']]));
  });

  it('reads back whatever is quoted as a shell would', () => {
    const values = fc.string().filter((value) => !/[\r\n\u2028\u2029]/.test(value));

    fc.assert(
      fc.property(values, (value) => {
        const quoted = value.replaceAll(/[$"`\\]/g, '\\$&');

        expect(readOsRelease(`ID="${quoted}"`).get('ID')).toBe(value);
      }),
    );
  });
});
