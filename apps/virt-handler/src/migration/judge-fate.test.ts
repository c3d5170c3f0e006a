import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Whereabouts } from './guest-whereabouts.ts';
import { judgeFate, type Fate, type FateFacts } from './judge-fate.ts';

const ALL: readonly Whereabouts[] = [
  ...(['running', 'paused', 'held', 'post-copy', 'broken', 'off', 'failed', 'absent', 'unreachable'] as const),
];
const WAIT: Fate = { kind: 'wait' };
const MOVED: Fate = { kind: 'moved' };
const UNKNOWN: Fate = { kind: 'unknown' };
const LOST: Fate = { kind: 'lost', why: 'half' };
const OUTRUN: Fate = { kind: 'lost', why: 'outrun' };

describe('judgeFate', () => {
  it.each<[Whereabouts, Whereabouts, Partial<FateFacts>, Fate]>([
    ['running', 'unreachable', {}, stayed()],
    ['absent', 'unreachable', {}, MOVED],
    ['unreachable', 'running', {}, WAIT],
    ['held', 'running', {}, MOVED],
    ['held', 'paused', {}, MOVED],
    ['held', 'post-copy', {}, UNKNOWN],
    ['held', 'post-copy', { isPostCopy: true }, MOVED],
    ['held', 'broken', {}, UNKNOWN],
    ['held', 'broken', { isPostCopy: true }, MOVED],
    ['paused', 'broken', {}, UNKNOWN],
    ['off', 'broken', {}, UNKNOWN],
    ['off', 'post-copy', {}, UNKNOWN],
    ['held', 'held', {}, WAIT],
    ['held', 'absent', {}, stayed({ needsResume: true })],
    ['held', 'absent', { isTargetOff: true }, OUTRUN],
    ['held', 'failed', {}, stayed({ needsResume: true })],
    ['held', 'off', {}, MOVED],
    ['held', 'off', { mayHaveMoved: false }, stayed({ needsResume: true })],
    ['held', 'unreachable', {}, UNKNOWN],
    ['held', 'unreachable', { isDetected: true }, MOVED],
    ['held', 'unreachable', { isTargetOff: true }, OUTRUN],
    ['held', 'unreachable', { isTargetOff: true, isDetected: true }, MOVED],
    ['held', 'unreachable', { isTargetOff: true, mayHaveMoved: false }, stayed({ needsResume: true })],
    ['held', 'absent', { isDetected: true }, MOVED],
    ['held', 'unreachable', { mayHaveMoved: false }, stayed({ needsResume: true })],
    ['held', 'running', { mayHaveMoved: false }, MOVED],
    ['held', 'unreachable', { mayHaveMoved: false, hasArrived: true }, MOVED],
    ['running', 'unreachable', { hasArrived: true }, MOVED],
    ['unreachable', 'unreachable', { hasArrived: true }, WAIT],
    ['paused', 'unreachable', { mayHaveMoved: false }, stayed()],
    ['paused', 'unreachable', {}, UNKNOWN],
    ['paused', 'absent', {}, stayed()],
    ['paused', 'off', {}, MOVED],
    ['paused', 'unreachable', { isTargetOff: true }, OUTRUN],
    ['off', 'running', {}, MOVED],
    ['off', 'absent', {}, stayed()],
    ['off', 'unreachable', { isTargetOff: true }, stayed()],
    ['failed', 'running', {}, MOVED],
    ['off', 'unreachable', {}, UNKNOWN],
    ['off', 'unreachable', { mayHaveMoved: false }, stayed()],
    ['post-copy', 'running', {}, MOVED],
    ['post-copy', 'post-copy', {}, WAIT],
    ['broken', 'broken', {}, { kind: 'recoverable' }],
    ['broken', 'absent', {}, LOST],
    ['broken', 'off', {}, LOST],
    ['broken', 'unreachable', {}, UNKNOWN],
    ['broken', 'unreachable', { isTargetOff: true }, LOST],
    ['broken', 'unreachable', { isTargetOff: true, isDetected: true }, UNKNOWN],
  ])('with %s here and %s there (%j) is %j', (source, target, more, fate) => {
    expect(judgeFate(facts({ source, target, ...more }))).toEqual(fate);
  });

  it('never lets a guest go on here that may run there, or may have done so', () => {
    fc.assert(
      fc.property(anyFacts(), (each) => {
        const isLeftAlive = judgeFate(each).kind === 'stayed' && ['held', 'paused'].includes(each.source);
        const isNowhere = each.target === 'failed' || (each.target === 'absent' && !each.isTargetOff);
        const hasSurelyNotRun = isNowhere && !each.isDetected;

        // What was never asked to run there does not, whatever is found.
        expect(isLeftAlive && each.mayHaveMoved && !hasSurelyNotRun).toBe(false);
      }),
    );
  });

  it('never ends a whole guest here for half of one there', () => {
    fc.assert(
      fc.property(anyFacts(), (each) => {
        const isHalfThere = each.target === 'post-copy' || each.target === 'broken';
        const isWholeHere = ['running', 'paused', 'held', 'off', 'failed'].includes(each.source);

        const isKnown = each.isPostCopy || each.hasArrived;
        expect(judgeFate(each).kind === 'moved' && isHalfThere && isWholeHere && !isKnown).toBe(false);
      }),
    );
  });

  it('never ends a guest here before it is known to run there, or to be of no use', () => {
    fc.assert(
      fc.property(anyFacts(), (each) => {
        const { kind } = judgeFate(each);
        const endsHere = kind === 'moved' || kind === 'lost';
        expect(endsHere && each.source === 'running' && !each.hasArrived).toBe(false);
      }),
    );
  });

  it('never lets a guest go on here after the target has said that it runs there', () => {
    fc.assert(
      fc.property(anyFacts(), (each) => {
        expect(judgeFate({ ...each, hasArrived: true }).kind).not.toBe('stayed');
      }),
    );
  });
});

function stayed({ needsResume = false }: { readonly needsResume?: boolean } = {}): Fate {
  return { kind: 'stayed', needsResume };
}

function facts(change: Partial<FateFacts>): FateFacts {
  const none = { hasArrived: false, isPostCopy: false, isDetected: false, isTargetOff: false };
  return { source: 'held', target: 'absent', mayHaveMoved: true, ...none, ...change };
}

function anyFacts(): fc.Arbitrary<FateFacts> {
  return fc.record({
    source: fc.constantFrom(...ALL),
    target: fc.constantFrom(...ALL),
    mayHaveMoved: fc.boolean(),
    hasArrived: fc.boolean(),
    isPostCopy: fc.boolean(),
    isDetected: fc.boolean(),
    isTargetOff: fc.boolean(),
  });
}
