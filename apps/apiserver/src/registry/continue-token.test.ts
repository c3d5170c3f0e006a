import { assert, integer, property, string } from 'fast-check';
import { expect, it } from 'vitest';

import { isStatusError } from '../errors/status-error.ts';
import { parseContinueToken, printContinueToken } from './continue-token.ts';

it('reads what it has printed', () => {
  assert(
    property(integer({ min: 1 }), string({ minLength: 1 }), (resourceVersion, start) => {
      const continuation = { resourceVersion, start: start.toWellFormed() };

      expect(parseContinueToken(printContinueToken(continuation))).toEqual(continuation);
    }),
  );
});

it('refuses everything else with a Status, whatever it is', () => {
  assert(
    property(string(), (token) => {
      expect(refusalOf(token)).toMatch(/^invalid continue token: continue key is not valid/);
    }),
  );
});

it.each([
  {
    content: { v: 'meta.k8s.io/v9', rv: 1, start: 'a' },
    why: 'server does not recognize this encoded version meta.k8s.io/v9',
  },
  {
    content: { v: 'meta.k8s.io/v1', rv: 0, start: 'a' },
    why: 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
  },
  { content: { v: 'meta.k8s.io/v1', rv: 3, start: '' }, why: 'encoded start key empty (version meta.k8s.io/v1)' },
])('says what is wrong: $why', ({ content, why }) => {
  const token = Buffer.from(JSON.stringify(content)).toString('base64url');

  expect(refusalOf(token)).toBe(`invalid continue token: continue key is not valid: ${why}`);
});

function refusalOf(token: string): string | undefined {
  try {
    parseContinueToken(token);
    return undefined;
  } catch (error) {
    return isStatusError(error) && error.status.code === 400 ? error.message : String(error);
  }
}
