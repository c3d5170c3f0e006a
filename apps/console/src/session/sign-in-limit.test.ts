import { expect, it } from 'vitest';

import { SignInLimit } from './sign-in-limit.ts';

const SIGNAL = new AbortController().signal;

it('slows down an address that fails too often, and no other', async () => {
  const { limit, waits, pass } = limited(3);

  for (let count = 0; count < 4; count++) await limit.begin('10.0.0.1', SIGNAL);
  const first = [...waits];
  await limit.begin('10.0.0.2', SIGNAL);
  pass(20_000);
  await limit.begin('10.0.0.1', SIGNAL);
  const later = [...waits];
  await limit.begin('10.0.0.1', SIGNAL);

  expect([first, later, waits]).toEqual([[2_000], [2_000], [2_000, 2_000]]);
});

it('lets a good token in at an address where others fail all the time', async () => {
  const { limit } = limited(2);
  for (let count = 0; count < 50; count++) (await limit.begin('proxy', SIGNAL)).show(`guess ${count}`);

  const attempt = await limit.begin('proxy', SIGNAL);

  expect(() => attempt.show('good')).not.toThrow();
});

it('refuses a token that has failed too often, wherever it comes from', async () => {
  const { limit, pass } = limited(2);
  for (const address of ['a', 'b']) (await limit.begin(address, SIGNAL)).show('worn');

  const again = await limit.begin('c', SIGNAL);

  expect(() => again.show('worn')).toThrow(expect.objectContaining({ code: 'too-many-requests' }));
  pass(30_000);
  expect(() => again.show('worn')).not.toThrow();
});

it('counts failures alone', async () => {
  const { limit, waits } = limited(1);

  for (let count = 0; count < 3; count++) {
    const attempt = await limit.begin('a', SIGNAL);
    attempt.show('good');
    attempt.forgive();
  }

  expect(waits).toEqual([]);
});

it('has an end of how many wait for one address', async () => {
  const gate = Promise.withResolvers<void>();
  const limit = new SignInLimit({ now: () => 0, wait: () => gate.promise }, 1);
  await limit.begin('a', SIGNAL);
  const waiting = Array.from({ length: 100 }, () => limit.begin('a', SIGNAL));

  await expect(limit.begin('a', SIGNAL)).rejects.toMatchObject({ code: 'too-many-requests' });
  gate.resolve();
  await Promise.all(waiting);

  await expect(limit.begin('a', SIGNAL)).resolves.toBeDefined();
});

it.each([
  ['2001:db8::1', '2001:db8:0:0:ffff::2', false],
  ['2001:db8::1', '2001:db8:0:1::1', true],
  ['::ffff:10.0.0.1', '::ffff:10.0.0.2', true],
])('takes %s and %s for two: %s', async (one, other, areTwo) => {
  const { limit, waits } = limited(1);

  await limit.begin(one, SIGNAL);
  await limit.begin(other, SIGNAL);

  expect(waits.length === 0).toBe(areTwo);
});

interface Limited {
  readonly limit: SignInLimit;
  /** How long attempts were held up. */
  readonly waits: readonly number[];
  readonly pass: (milliseconds: number) => void;
}

function limited(perMinute: number): Limited {
  let now = 0;
  const waits: number[] = [];
  const wait = (milliseconds: number): Promise<void> => Promise.resolve(void waits.push(milliseconds));
  const limit = new SignInLimit({ now: () => now, wait }, perMinute);
  return { limit, waits, pass: (milliseconds) => (now += milliseconds) };
}
