import { describe, expect, it } from 'vitest';

import { readFreezeRequest } from './read-freeze-request.ts';

describe('readFreezeRequest', () => {
  it.each([
    [undefined, 300_000],
    [{}, 300_000],
    [{ unfreezeTimeout: null }, 300_000],
    [{ unfreezeTimeout: '0' }, 0],
    [{ unfreezeTimeout: '0s' }, 0],
    [{ unfreezeTimeout: '90s' }, 90_000],
    [{ unfreezeTimeout: '1m30s' }, 90_000],
    [{ unfreezeTimeout: '1.5h' }, 5_400_000],
    [{ unfreezeTimeout: '250ms' }, 250],
  ])('reads %j as %i ms', (body, ms) => {
    expect(readFreezeRequest(body)).toBe(ms);
  });

  it.each([
    [[], 'must be an object'],
    [7, 'must be an object'],
    [{ unfreezeTimeout: 5 }, 'unfreezeTimeout: 5 is no duration'],
    [{ unfreezeTimeout: '' }, 'unfreezeTimeout: "" is no duration'],
    [{ unfreezeTimeout: '-5s' }, 'unfreezeTimeout: "-5s" is no duration'],
    [{ unfreezeTimeout: '5 minutes' }, 'is no duration'],
    [{ unfreezeTimeout: '25h' }, 'more than a day'],
  ])('refuses %j', (body, why) => {
    expect(() => readFreezeRequest(body)).toThrow(why);
  });
});
