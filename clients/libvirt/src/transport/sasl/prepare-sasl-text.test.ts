import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareSaslText } from './prepare-sasl-text.ts';

describe('prepareSaslText', () => {
  // The examples of RFC 4013 §3, and a few more.
  it.each([
    ['I\u00adX', 'IX'],
    ['user', 'user'],
    ['USER', 'USER'],
    ['\u00aa', 'a'],
    ['\u2168', 'IX'],
    ['a\u00a0b', 'a b'],
    ['Gru\u0308n', 'Gr\u00fcn'],
    ['\u0627\u0628', '\u0627\u0628'],
    ['\u05d0 1 \u05d1', '\u05d0 1 \u05d1'],
    ['p\u{1f511}', 'p\u{1f511}'],
  ])('turns %j into %j', (text, prepared) => {
    expect(prepareSaslText(text, 'username')).toBe(prepared);
  });

  it.each([
    ['', 'is empty'],
    ['\u00ad\u200b', 'invisible'],
    ['secret\u0007', 'prohibited'],
    ['secret\ue000', 'prohibited'],
    ['secret\ud800', 'prohibited'],
    ['secret\u0378', 'prohibited'],
    ['secret\u202e', 'prohibited'],
    ['\u0627secret', 'mixes'],
    ['\u0627\u0031', 'mixes'],
  ])('refuses %j without repeating it', (text, reason) => {
    expect(() => prepareSaslText(text, 'password')).toThrow(
      expect.objectContaining({
        code: 'authentication',
        message: expect.stringMatching(new RegExp(`^credentials\\.password (?!.*secret).*${reason}`)),
      }),
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        let once: string;
        try {
          once = prepareSaslText(text, 'password');
        } catch {
          return;
        }

        expect(prepareSaslText(once, 'password')).toBe(once);
      }),
    );
  });
});
