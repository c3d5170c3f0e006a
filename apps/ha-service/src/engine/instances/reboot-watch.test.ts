import { describe, expect, it } from 'vitest';

import { decideBoot, isLost } from './reboot-watch.ts';

describe('a boot', () => {
  it.each([
    { case: 'of a host that was never seen', known: undefined, bootId: 'b1', step: 'newcomer' },
    { case: 'that is the last one', known: 'b1', bootId: 'b1', step: 'same' },
    { case: 'that is another one', known: 'b1', bootId: 'b2', step: 'rebooted' },
    { case: 'of which the agent says nothing', known: 'b1', bootId: undefined, step: 'same' },
    { case: 'of a new host whose agent says nothing', known: undefined, bootId: undefined, step: 'same' },
  ])('$case is $step', ({ known, bootId, step }) => {
    const before = known === undefined ? undefined : { bootId: known, isWatched: false };

    expect(decideBoot(before, bootId)).toBe(step);
  });
});

describe('an instance', () => {
  it.each([
    { state: 'stopped', isMeantToRun: true, is: true },
    { state: 'stopped', isMeantToRun: false, is: false },
    { state: 'running', isMeantToRun: true, is: false },
    { state: 'busy', isMeantToRun: true, is: false },
  ] as const)('that is $state and meant to run $isMeantToRun is lost: $is', ({ is, ...instance }) => {
    expect(isLost(instance)).toBe(is);
  });
});
