import { randomBytes } from 'node:crypto';

import { assert, property, string, integer } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { SessionSeal } from './session-seal.ts';

describe('a seal', () => {
  const seal = new SessionSeal(randomBytes(32));
  const session = { id: 'one', token: 'a.b.c', expiresAt: 1_000 };

  it('gives back what was sealed, and shows nothing of it', () => {
    assert(
      property(string(), string({ minLength: 8 }), integer(), (id, token, expiresAt) => {
        const text = seal.seal({ id, token, expiresAt });

        expect(seal.open(text)).toEqual({ id, token, expiresAt });
        expect(text).not.toContain(token);
      }),
      { numRuns: 50 },
    );
  });

  it('is never twice the same', () => {
    expect(seal.seal(session)).not.toBe(seal.seal(session));
  });

  it('opens nothing that was changed, wherever', () => {
    const bytes = Buffer.from(seal.seal(session), 'base64url');

    const opened = Array.from(bytes, (byte, index) => {
      const changed = Buffer.from(bytes);
      changed[index] = byte ^ 1;
      return seal.open(changed.toString('base64url'));
    });

    expect(opened.filter((each) => each !== undefined)).toEqual([]);
  });

  it('opens nothing of another key, and nothing that is no seal', () => {
    const other = new SessionSeal(randomBytes(32));

    expect(['', 'x', 'A'.repeat(200), other.seal(session)].map((text) => seal.open(text))).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });

  it('fits into a cookie with the token of a large organisation', () => {
    const token = [900, 2_400, 256]
      .map((length) => randomBytes(Math.ceil((length * 3) / 4)).toString('base64url'))
      .join('.');

    expect(token.length).toBeGreaterThan(3_500);
    expect(seal.seal({ ...session, token }).length).toBeLessThan(4_000);
  });
});
