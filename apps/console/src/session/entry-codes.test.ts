import { expect, it } from 'vitest';

import { EntryCodes } from './entry-codes.ts';

it('gives the token of a code once', () => {
  const { codes } = clocked();
  const [one, other] = [codes.create('token-1'), codes.create('token-2')];

  expect([codes.take(one), codes.take(one), codes.take(other), codes.take('')]).toEqual([
    'token-1',
    undefined,
    'token-2',
    undefined,
  ]);
  expect(one).toMatch(/^[\w-]{32}$/);
});

it('is good for 15 minutes', () => {
  const { codes, pass } = clocked();
  const [soon, late] = [codes.create('soon'), codes.create('late')];

  pass(15 * 60_000 - 1);
  const inTime = codes.take(soon);
  pass(1);

  expect([inTime, codes.take(late)]).toEqual(['soon', undefined]);
});

it('is bounded: the oldest go first', () => {
  const { codes } = clocked();
  const all = Array.from({ length: 1_001 }, (_, index) => codes.create(String(index)));

  expect([codes.take(all[0] ?? ''), codes.take(all[1] ?? ''), codes.take(all.at(-1) ?? '')]).toEqual([
    undefined,
    '1',
    '1000',
  ]);
});

function clocked(): { readonly codes: EntryCodes; readonly pass: (milliseconds: number) => void } {
  let now = 0;
  const codes = new EntryCodes({ now: () => now, wait: () => Promise.resolve() });
  return { codes, pass: (milliseconds) => (now += milliseconds) };
}
