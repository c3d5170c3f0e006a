import { describe, expect, it } from 'vitest';

import { readDelayLimitMs } from './shutdown-delay-limit.ts';

describe('readDelayLimitMs', () => {
  it.each([
    { value: 5_000_000n, milliseconds: 5_000 },
    { value: 1_800_000_000n, milliseconds: 1_800_000 },
    { value: 999n, milliseconds: 0 },
    { value: 0n, milliseconds: 0 },
    { value: 2n ** 64n - 1n, milliseconds: Infinity },
  ])('makes $milliseconds ms of $value', ({ value, milliseconds }) => {
    expect(readDelayLimitMs({ signature: 't', value })).toBe(milliseconds);
  });

  it.each([undefined, 5, 5n, { signature: 's', value: '5 s' }])('refuses %o, which is no time', (property) => {
    expect(() => readDelayLimitMs(property)).toThrow(expect.objectContaining({ code: 'bad-answer' }));
  });
});
