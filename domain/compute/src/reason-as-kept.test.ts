import { describe, expect, it } from 'vitest';

import { reasonAsKept } from './reason-as-kept.ts';

describe('reasonAsKept', () => {
  it.each([
    ['kernel update', 'kernel update'],
    ['Wartung für Zürich: 維持', 'Wartung für Zürich: 維持'],
    ['\u{1F525} fire \u{1F468}\u200D\u{1F692}', '\uFFFD fire \uFFFD\u200D\uFFFD'],
    ['half a pair \uD83D', 'half a pair \uFFFD'],
    ['one\ntwo\r\n\tthree\u0000', 'one two three'],
    ['one\r\n\ttwo\u0000\u2028three\n', 'one two three'],
    ['w'.repeat(400), 'w'.repeat(255)],
    ['\u{1F525}'.repeat(400), '\uFFFD'.repeat(255)],
    ['Eviction: ', 'Eviction:'],
    [' \n ', ''],
    ['', ''],
  ])('keeps of %j %j', (reason, kept) => {
    expect(reasonAsKept(reason)).toBe(kept);
    expect(reasonAsKept(kept)).toBe(kept);
  });

  it('keeps 255 characters, and cuts none in two', () => {
    const kept = reasonAsKept(`${'a'.repeat(254)}\u{1F525}b`);

    expect(kept).toBe(`${'a'.repeat(254)}\uFFFD`);
    expect(reasonAsKept(`${'a'.repeat(254)} b`)).toBe('a'.repeat(254));
  });

  it('changes nothing of what it has made', () => {
    const kept = reasonAsKept(`\u{1F525}${'x\ty '.repeat(200)}`);

    expect(reasonAsKept(kept)).toBe(kept);
  });
});
