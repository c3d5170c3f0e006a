import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { matchesFields, parseFieldSelector, printFieldSelector } from './field-selector.ts';

describe('parseFieldSelector', () => {
  it.each([
    ['', []],
    ['metadata.name=a', [{ field: 'metadata.name', isEqual: true, value: 'a' }]],
    [
      'status.phase!=Running,spec.nodeName==n1',
      [
        { field: 'status.phase', isEqual: false, value: 'Running' },
        { field: 'spec.nodeName', isEqual: true, value: 'n1' },
      ],
    ],
    [String.raw`a=b\,c\=d\\`, [{ field: 'a', isEqual: true, value: String.raw`b,c=d\ `.trim() }]],
    ['a=', [{ field: 'a', isEqual: true, value: '' }]],
  ])('reads %j', (text, requirements) => {
    expect(parseFieldSelector(text)).toEqual({ requirements });
  });

  it.each(['a', String.raw`a=\x`])('refuses %j', (text) => {
    expect(() => parseFieldSelector(text)).toThrow(`invalid selector: '${text}'; can't understand '${text}'`);
  });

  it('says of a second equals sign that it has to be escaped', () => {
    expect(() => parseFieldSelector('a=b=c')).toThrow('invalid field selector: unescaped character in value: 61');
  });

  it('reads back what was printed', () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), (value, isEqual) => {
        const selector = { requirements: [{ field: 'metadata.name', isEqual, value }] };

        expect(parseFieldSelector(printFieldSelector(selector))).toEqual(selector);
      }),
    );
  });

  it('compares fields', () => {
    expect(matchesFields(parseFieldSelector('metadata.name=a,x='), read)).toBe(true);
    expect(matchesFields(parseFieldSelector('metadata.name!=a'), read)).toBe(false);
  });
});

function read(field: string): string {
  return field === 'metadata.name' ? 'a' : '';
}
