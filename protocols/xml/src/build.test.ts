import { describe, expect, it } from 'vitest';

import { element, text } from './index.ts';

describe('element', () => {
  it('takes strings for text, numbers for values, and undefined for nothing', () => {
    const disk = element('disk', { type: 'file', index: 2, size: 10n, device: undefined }, [
      'a',
      undefined,
      element('b'),
    ]);

    expect(disk).toEqual({
      kind: 'element',
      name: 'disk',
      attributes: [
        { name: 'type', value: 'file' },
        { name: 'index', value: '2' },
        { name: 'size', value: '10' },
      ],
      children: [
        { kind: 'text', text: 'a' },
        { kind: 'element', name: 'b', attributes: [], children: [] },
      ],
    });
  });

  it('joins neighbouring texts and drops empty ones, as a parser would', () => {
    expect(element('a', {}, ['', 'b', text('c'), '', element('d'), text('')]).children).toEqual([
      text('bc'),
      element('d'),
    ]);
  });

  it('refuses a number that is not finite, with the attribute it was for', () => {
    expect(() => element('disk', { size: Number.POSITIVE_INFINITY })).toThrow(
      expect.objectContaining({ code: 'invalid-value', path: 'disk/@size' }),
    );
  });
});
