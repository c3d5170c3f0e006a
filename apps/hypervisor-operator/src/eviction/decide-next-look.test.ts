import type { RememberedInstance } from '@smalt/eviction-plan';
import { describe, expect, it } from 'vitest';

import { decideNextLook } from './decide-next-look.ts';

const now = Date.parse('2026-01-01T00:10:00Z');
const settings = { pollMs: 5_000, firstLookMs: 1_000, resyncMs: 300_000 };
const step = { kind: 'start-live', instanceId: 'a' } as const;

describe('decideNextLook', () => {
  it.each([
    ['soon after a request', { steps: [step], remembered: [] }, 1_000],
    ['soon while a move is young', { steps: [], remembered: [movingFor(1)] }, 1_000],
    ['later while the youngest move gets older', { steps: [], remembered: [movingFor(60), movingFor(6)] }, 3_000],
    ['at the poll while moves take long', { steps: [], remembered: [movingFor(600)] }, 5_000],
    ['at the poll while something waits', { steps: [], remembered: [] }, 5_000],
  ])('looks again %s', (_when, plan, afterMs) => {
    const verdict = { kind: 'running' } as const;

    expect(decideNextLook({ verdict, plan, settings, retryAfterMs: undefined, now })).toBe(afterMs);
  });

  it('looks rarely when it is over', () => {
    const input = { plan: { steps: [], remembered: [] }, settings, retryAfterMs: undefined, now };

    expect(decideNextLook({ ...input, verdict: { kind: 'succeeded', message: '' } })).toBe(300_000);
    expect(decideNextLook({ ...input, verdict: { kind: 'failed', message: '' } })).toBe(300_000);
  });

  it('waits as long as the compute system asks for, but not for ever', () => {
    const input = { verdict: { kind: 'running' }, plan: { steps: [step], remembered: [] }, settings, now } as const;

    expect(decideNextLook({ ...input, retryAfterMs: 60_000 })).toBe(60_000);
    expect(decideNextLook({ ...input, retryAfterMs: 86_400_000 })).toBe(300_000);
  });
});

function movingFor(seconds: number): RememberedInstance {
  return { id: `${seconds}`, state: 'Moving', attempts: 1, since: new Date(now - seconds * 1000).toISOString() };
}
