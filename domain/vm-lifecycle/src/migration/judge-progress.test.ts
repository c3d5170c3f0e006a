import { describe, expect, it } from 'vitest';

import { NOW } from '../fixtures/objects.ts';
import { completionSeconds, judgeProgress, type ProgressFacts } from './judge-progress.ts';

const GIB = 1024n ** 3n;
const settings = {
  completionTimeoutPerGiB: 150,
  progressTimeout: 150,
  allowPostCopy: false,
  allowWorkloadDisruption: false,
};
const stuckAt = (seconds: number) => ({ remainingBytes: 10n, at: NOW - seconds * 1000 });

interface Row {
  readonly kind: string;
  readonly when: string;
  readonly facts: Partial<ProgressFacts>;
}

const ROWS: readonly Row[] = [
  { kind: 'continue', when: 'it has just begun', facts: {} },
  { kind: 'continue', when: 'less is left than ever', facts: { best: { remainingBytes: 200n, at: NOW - 400_000 } } },
  { kind: 'continue', when: 'nothing got better for 150 s', facts: { best: stuckAt(150) } },
  { kind: 'abort', when: 'nothing got better for 151 s', facts: { best: stuckAt(151) } },
  {
    kind: 'continue',
    when: 'nobody minds that nothing gets better',
    facts: { best: stuckAt(9999), settings: { ...settings, progressTimeout: 0, completionTimeoutPerGiB: 0 } },
  },
  { kind: 'continue', when: 'it takes as long as it may', facts: { startedAt: NOW - 300_000 } },
  { kind: 'abort', when: 'it takes longer than it may', facts: { startedAt: NOW - 301_000 } },
  {
    kind: 'post-copy',
    when: 'it takes too long and post-copy is allowed',
    facts: { startedAt: NOW - 301_000, settings: { ...settings, allowPostCopy: true, allowWorkloadDisruption: true } },
  },
  {
    kind: 'pause',
    when: 'it takes too long and the guest may stand still',
    facts: { startedAt: NOW - 301_000, settings: { ...settings, allowWorkloadDisruption: true } },
  },
  {
    kind: 'continue',
    when: 'the guest stands still for a while',
    facts: { mode: 'Paused', startedAt: NOW - 900_000, modeSince: NOW - 10_000, best: stuckAt(200) },
  },
  {
    kind: 'abort',
    when: 'it takes too long though the guest stands still',
    facts: { mode: 'Paused', startedAt: NOW - 900_000, modeSince: NOW - 301_000 },
  },
  {
    kind: 'continue',
    when: 'half of the guest is at each end, however long it takes',
    facts: { mode: 'PostCopy', startedAt: NOW - 9_000_000, modeSince: NOW - 9_000_000, best: stuckAt(9000) },
  },
];

describe('judgeProgress', () => {
  it.each(ROWS)('says $kind when $when', ({ kind, facts }) => {
    expect(judge(facts).kind).toBe(kind);
  });

  it('remembers the least that was left', () => {
    const best = { remainingBytes: 50n, at: NOW - 1000 };

    expect(judge({ best, remainingBytes: 80n }).best).toEqual(best);
    expect(judge({ best, remainingBytes: 49n }).best).toEqual({ remainingBytes: 49n, at: NOW });
  });

  it('says why it gives up', () => {
    expect(judge({ best: stuckAt(160) })).toMatchObject({
      reason: 'Live migration stuck for 160 sec and has been aborted',
    });
    expect(judge({ startedAt: NOW - 400_000 })).toMatchObject({
      reason: 'Live migration is not completed after 400 sec and has been aborted',
    });
  });

  it.each([
    [0n, 150],
    [GIB, 150],
    [GIB + 1n, 300],
    [64n * GIB, 9600],
  ])('gives %s bytes %i s', (totalBytes, seconds) => {
    expect(completionSeconds({ settings, totalBytes })).toBe(seconds);
  });
});

function judge(facts: Partial<ProgressFacts>) {
  const startedAt = NOW - 200_000;
  const usual = { settings, totalBytes: 2n * GIB, remainingBytes: 100n, best: undefined, mode: 'PreCopy' } as const;
  return judgeProgress({ ...usual, startedAt, modeSince: startedAt, now: NOW, ...facts });
}
