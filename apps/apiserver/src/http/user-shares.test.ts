import { expect, it } from 'vitest';

import { ANONYMOUS, SYSTEM_USER } from '../identity/user.ts';
import { UserShares } from './user-shares.ts';

it('gives one user half of the room, and the other half to others', () => {
  const shares = new UserShares(4);
  const other = { ...ANONYMOUS, name: 'ann' };

  const taken = [shares.take(ANONYMOUS), shares.take(ANONYMOUS), shares.take(ANONYMOUS), shares.take(other)];

  expect(taken.map((release) => release !== undefined)).toEqual([true, true, false, true]);
});

it('has room again when a request has ended', () => {
  const shares = new UserShares(2);

  shares.take(ANONYMOUS)?.();

  expect(shares.take(ANONYMOUS)).toBeDefined();
  expect(shares.take(ANONYMOUS)).toBeUndefined();
});

it('does not hold up who has to put things right', () => {
  const shares = new UserShares(2);

  const taken = [1, 2, 3].map(() => shares.take(SYSTEM_USER));

  expect(taken).not.toContain(undefined);
});
