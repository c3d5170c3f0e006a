import { expect, it } from 'vitest';

import { SignInLimit } from './sign-in-limit.ts';

it('lets an address try so often in a minute, and others as well', () => {
  const { limit, pass } = limited(3);

  const first = [1, 2, 3, 4].map(() => limit.take('10.0.0.1'));
  const other = limit.take('10.0.0.2');
  pass(20_000);
  const later = [limit.take('10.0.0.1'), limit.take('10.0.0.1')];

  expect([first, other, later]).toEqual([[true, true, true, false], true, [true, false]]);
});

it('counts failures alone', () => {
  const { limit } = limited(1);

  const tried = [1, 2, 3].map(() => {
    const mayTry = limit.take('a');
    limit.giveBack('a');
    return mayTry;
  });

  expect(tried).toEqual([true, true, true]);
});

it.each([
  ['2001:db8::1', '2001:db8:0:0:ffff::2', false],
  ['2001:db8::1', '2001:db8:0:1::1', true],
  ['::ffff:10.0.0.1', '::ffff:10.0.0.2', true],
])('takes %s and %s for two: %s', (one, other, areTwo) => {
  const { limit } = limited(1);

  limit.take(one);

  expect(limit.take(other)).toBe(areTwo);
});

function limited(perMinute: number): { readonly limit: SignInLimit; readonly pass: (milliseconds: number) => void } {
  let now = 0;
  const limit = new SignInLimit({ now: () => now, wait: () => Promise.resolve() }, perMinute);
  return { limit, pass: (milliseconds) => (now += milliseconds) };
}
