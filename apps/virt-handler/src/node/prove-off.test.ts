import { describe, expect, it } from 'vitest';

import { isOffSince } from './prove-off.ts';

describe('isOffSince', () => {
  it.each([
    [true, at(10), at(0)],
    [true, at(10), undefined],
    [false, at(3), at(0)],
    [false, at(10), at(10)],
    [false, at(10), at(20)],
    [false, undefined, at(0)],
    [false, 'soon', at(0)],
  ])('is %s for a node off at %s and heard at %s', (isOff, fencedAt, heardAt) => {
    const annotations = {
      ...(fencedAt === undefined ? {} : { 'smalt.dev/fenced-at': fencedAt }),
      ...(heardAt === undefined ? {} : { 'kubevirt.io/heartbeat': heardAt }),
    };

    expect(isOffSince(annotations, Date.parse(at(5)))).toBe(isOff);
  });
});

function at(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
}
