import { describe, expect, it } from 'vitest';

import { at } from '../fixtures/objects.ts';
import { decide, made, pool } from '../fixtures/pools.ts';

describe('autohealing', () => {
  it.each([
    ['has failed to start three times', { startFailure: { consecutiveFailCount: 3 } }, {}, true],
    ['has failed to start twice', { startFailure: { consecutiveFailCount: 2 } }, {}, false],
    [
      'has failed often enough for a short patience',
      { startFailure: { consecutiveFailCount: 1 } },
      { startUpFailureThreshold: 1 },
      true,
    ],
    ['fails for five minutes', failing(-300), {}, true],
    ['fails for a minute', failing(-60), {}, false],
    ['fails for a minute, which is enough', failing(-60), { minFailingToStartDuration: '1m' }, true],
    ['is down for long, as it should', { printableStatus: 'Stopped', conditions: failing(-900).conditions }, {}, false],
  ])('of a machine that %s', (_what, status, autohealing, isReplaced) => {
    const { actions } = decide(pool({ autohealing }), { machines: [{ ...made(0), status }] });

    expect(actions.map(({ kind }) => kind)).toEqual(isReplaced ? ['delete-machine'] : []);
  });

  it('comes back when a machine will have failed for long enough', () => {
    expect(decide(pool({ autohealing: {} }), { machines: [{ ...made(0), status: failing(-60) }] }).againInMs).toBe(
      240_000,
    );
    expect(decide(pool({ autohealing: {} }), { machines: [made(0)] }).againInMs).toBeUndefined();
  });
});

function failing(since: number) {
  const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: at(since) }];
  return { printableStatus: 'CrashLoopBackOff', conditions };
}
