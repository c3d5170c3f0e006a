import { expect, it } from 'vitest';

import { ApiError } from './api-error.ts';
import { parseSession, SessionKeeper } from './session.ts';

it('reads who is signed in', () => {
  const answer = {
    user: { name: 'ada', groups: ['admins', 7] },
    expiresAt: '2026-01-01T00:00:00Z',
    hasHighAvailability: true,
  };

  expect(parseSession(answer)).toEqual({
    kind: 'signedIn',
    user: { name: 'ada', groups: ['admins'] },
    expiresAtMs: Date.parse('2026-01-01T00:00:00Z'),
    hasHighAvailability: true,
  });
});

it.each([{ answer: undefined }, { answer: {} }, { answer: { user: { name: 1 } } }])(
  'refuses $answer, which names nobody',
  ({ answer }) => {
    expect(() => parseSession(answer)).toThrow('did not say who');
  },
);

it.each([
  { code: 'signed-out', status: 401, kind: 'signedOut' },
  { code: 'unreachable', status: 0, kind: 'unknown' },
] as const)('is $kind when the console answers $status', async ({ code, status, kind }) => {
  const keeper = new SessionKeeper();

  await keeper.look({ call: () => Promise.reject(new ApiError({ code, status, message: 'no' })) });

  expect(keeper.session().kind).toBe(kind);
});

it('ends once, for whoever is signed in', async () => {
  const keeper = new SessionKeeper();
  let told = 0;
  await keeper.look({ call: () => Promise.resolve({ user: { name: 'ada' } }) });
  keeper.subscribe(() => (told += 1));

  keeper.ended();
  keeper.ended();

  expect([keeper.session().kind, told]).toEqual(['signedOut', 1]);
});
