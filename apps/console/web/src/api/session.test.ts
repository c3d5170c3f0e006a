import { describe, expect, it } from 'vitest';

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

it('does not take words for a time', () => {
  expect(parseSession({ user: { name: 'ada' }, expiresAt: 'soon' }).expiresAtMs).toBeUndefined();
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

describe('a look whether who is signed in still is', () => {
  const ADA = { user: { name: 'ada' }, expiresAt: '2026-01-01T00:00:00Z' };

  it('ends the session when the console does not know it any more', async () => {
    const keeper = await signedIn(ADA);

    await keeper.check({ call: () => Promise.reject(failure('signed-out', 401)) });

    expect(keeper.session()).toEqual({ kind: 'signedOut', message: 'Your session has ended.' });
  });

  it.each([failure('unreachable', 0), failure('unreachable', 503), new Error('it took too long')])(
    'changes nothing when there is no clear answer: %s',
    async (cause) => {
      const keeper = await signedIn(ADA);
      const before = keeper.session();

      await keeper.check({ call: () => Promise.reject(cause) });

      expect(keeper.session()).toBe(before);
    },
  );

  it('tells nobody when nothing has changed, and takes on what has', async () => {
    const keeper = await signedIn(ADA);
    const told: unknown[] = [];
    keeper.subscribe(() => told.push(keeper.session()));

    await keeper.check({ call: () => Promise.resolve(ADA) });
    await keeper.check({ call: () => Promise.resolve({ ...ADA, hasHighAvailability: true }) });

    expect(told).toMatchObject([{ kind: 'signedIn', hasHighAvailability: true }]);
  });

  it('asks once, however many want to know at the same time', async () => {
    const keeper = await signedIn(ADA);
    let asked = 0;
    const call = async (): Promise<unknown> => {
      asked += 1;
      return ADA;
    };

    await Promise.all([keeper.check({ call }), keeper.check({ call })]);
    await keeper.check({ call });

    expect(asked).toBe(2);
  });

  it('says nothing of a session that began after it was asked', async () => {
    const keeper = await signedIn(ADA);
    const answer = Promise.withResolvers<unknown>();
    const checked = keeper.check({ call: () => answer.promise });

    keeper.ended();
    await keeper.look({ call: () => Promise.resolve(ADA) });
    answer.reject(failure('signed-out', 401));
    await checked;

    expect(keeper.session().kind).toBe('signedIn');
  });

  it('is not made where nobody is signed in', async () => {
    const keeper = new SessionKeeper();

    await keeper.check({ call: () => Promise.reject(new Error('was asked')) });

    expect(keeper.session()).toEqual({ kind: 'looking' });
  });
});

async function signedIn(answer: object): Promise<SessionKeeper> {
  const keeper = new SessionKeeper();
  await keeper.look({ call: () => Promise.resolve(answer) });
  return keeper;
}

function failure(code: 'signed-out' | 'unreachable', status: number): ApiError {
  return new ApiError({ code, status, message: 'no' });
}
