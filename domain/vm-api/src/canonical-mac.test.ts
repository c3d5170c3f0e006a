import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { canonicalMac } from './canonical-mac.ts';

describe('canonicalMac', () => {
  it.each(['de:ad:00:00:be:af', 'DE-AD-00-00-BE-AF', 'dead.0000.beaf', 'DeAd.0000.BeAf'])('reads %s', (text) => {
    expect(canonicalMac(text)).toBe('de:ad:00:00:be:af');
  });

  it.each([
    ['nothing', ''],
    ['two notations at once', 'de:ad-00:00:be:af'],
    ['five bytes', 'de:ad:00:00:be'],
    ['eight bytes', 'de:ad:00:00:be:af:be:af'],
    ['four words', 'dead.0000.beaf.beaf'],
    ['twenty bytes', Array.from({ length: 20 }, () => '00').join(':')],
    ['digits alone', 'dead0000beaf'],
    ['words of two bytes with colons', 'dead:0000:beaf'],
    ['bytes with dots', 'de.ad.00.00.be.af'],
    ['what follows an address', 'de:ad:00:00:be:af\n'],
    ['what is no digit', 'de:ad:00:00:be:ag'],
  ])('does not take %s for an address of a network card', (_what, text) => {
    expect(canonicalMac(text)).toBeUndefined();
  });

  it('leads from every notation of an address to the same text, and leaves that as it is', () => {
    const six = fc.uint8Array({ minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(six, fc.boolean(), (bytes, isUpper) => {
        const pairs = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
        const words = [pairs.slice(0, 2), pairs.slice(2, 4), pairs.slice(4)].map((word) => word.join(''));
        const canonical = pairs.join(':');
        for (const text of [canonical, pairs.join('-'), words.join('.')]) {
          expect(canonicalMac(isUpper ? text.toUpperCase() : text)).toBe(canonical);
        }
      }),
    );
  });
});
