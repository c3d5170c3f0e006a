import { describe, expect, it } from 'vitest';

import { isLeftOver } from './capture-mark.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const LATER = '2026-01-01T00:00:01Z';
const EARLIER = '2025-12-31T23:59:59Z';
const OWNERS = { running: new Set(['runs']), own: 'me', ended: new Set(['dead']), now: NOW };

describe('isLeftOver', () => {
  it.each([
    { what: 'a capture of this agent that runs, however late', marks: mark('runs', 'me', EARLIER), isLeft: false },
    { what: 'one of this agent that has ended', marks: mark('over', 'me', LATER), isLeft: true },
    { what: 'one of an agent that is dead', marks: mark('over', 'dead', LATER), isLeft: true },
    { what: 'one of an agent that may run', marks: mark('other', 'other', LATER), isLeft: false },
    { what: 'one of an agent that may run, too late', marks: mark('other', 'other', EARLIER), isLeft: true },
    { what: 'one of nobody', marks: mark('other', undefined, LATER), isLeft: false },
    { what: 'one of nobody, too late', marks: mark('other', undefined, EARLIER), isLeft: true },
    { what: 'one without a time', marks: mark('other', 'other', undefined), isLeft: true },
    { what: 'one with a time that is none', marks: mark('other', 'other', 'soon'), isLeft: true },
    { what: 'a mirror of somebody else', marks: mark(undefined, 'dead', EARLIER), isLeft: false },
  ])('says $isLeft of $what', ({ marks, isLeft }) => {
    expect(isLeftOver(marks, OWNERS)).toBe(isLeft);
  });
});

function mark(
  capture: string | undefined,
  owner: string | undefined,
  expires: string | undefined,
): ReadonlyMap<string, string> {
  const marks = { 'smalt-capture': capture, 'smalt-owner': owner, 'smalt-expires': expires };
  return new Map(Object.entries(marks).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])));
}
