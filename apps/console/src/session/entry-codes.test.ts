import { expect, it } from 'vitest';

import { EntryCodes } from './entry-codes.ts';

it('gives the token of a code once', () => {
  const { codes } = clocked();
  const [one, other] = [codes.create('token-1'), codes.create('token-2')];

  expect([codes.take(one)?.token, codes.take(one)?.token, codes.take(other)?.token, codes.take('')?.token]).toEqual([
    'token-1',
    undefined,
    'token-2',
    undefined,
  ]);
  expect(one).toMatch(/^[\w-]{32}$/);
});

it('is good again once it was put back, for the rest of its time', () => {
  const { codes, pass } = clocked();
  const [soon, late] = [codes.create('soon'), codes.create('late')];
  codes.take(soon)?.putBack();
  codes.take(late)?.putBack();

  const again = [codes.take(soon)?.token, codes.take(soon)?.token];
  pass(15 * 60_000);

  expect([again, codes.take(late)?.token]).toEqual([['soon', undefined], undefined]);
});

it('is good for 15 minutes', () => {
  const { codes, pass } = clocked();
  const [soon, late] = [codes.create('soon'), codes.create('late')];

  pass(15 * 60_000 - 1);
  const inTime = codes.take(soon)?.token;
  pass(1);

  expect([inTime, codes.take(late)?.token]).toEqual(['soon', undefined]);
});

it('is bounded: the oldest go first', () => {
  const { codes } = clocked();
  const all = Array.from({ length: 1_001 }, (_, index) => codes.create(String(index)));

  expect([
    codes.take(all[0] ?? '')?.token,
    codes.take(all[1] ?? '')?.token,
    codes.take(all.at(-1) ?? '')?.token,
  ]).toEqual([undefined, '1', '1000']);
});

function clocked(): { readonly codes: EntryCodes; readonly pass: (milliseconds: number) => void } {
  let now = 0;
  const codes = new EntryCodes({ now: () => now, wait: () => Promise.resolve() });
  return { codes, pass: (milliseconds) => (now += milliseconds) };
}
