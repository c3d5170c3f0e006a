import { expect, it } from 'vitest';

import { tokenExpiry } from './token-expiry.ts';

it.each([
  [token({ exp: 1_700_000_000 }), 1_700_000_000_000],
  [token({}), undefined],
  [token({ exp: 'soon' }), undefined],
  ['opaque', undefined],
  ['a.b', undefined],
  ['a.%%%.c', undefined],
])('%s ends at %s', (text, end) => {
  expect(tokenExpiry(text)).toBe(end);
});

function token(claims: object): string {
  return `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
}
