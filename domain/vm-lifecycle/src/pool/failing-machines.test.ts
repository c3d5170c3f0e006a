import { describe, expect, it } from 'vitest';

import { at, instance } from '../fixtures/objects.ts';
import { decide, made, pool, running } from '../fixtures/pools.ts';

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

  it.each([
    ['is halted', 'Halted', 0],
    ['nobody has started', 'Manual', 0],
    ['has been stopped', 'RerunOnFailure', 0],
    ['is to run', 'Always', 1],
  ])('of a machine whose volume has failed and that %s', (_what, runStrategy, count) => {
    const machine = made(0);
    const status = { ...failing(-3600), printableStatus: 'DataVolumeError', runStrategy };
    const machines = [{ ...machine, spec: { ...machine.spec, runStrategy }, status }];

    expect(decide(pool({ autohealing: {} }), { machines }).actions).toHaveLength(count);
  });

  it('counts from when a machine that was stopped for long was started', () => {
    const status = { ...failing(-3600), printableStatus: 'ErrorUnschedulable' };
    const { metadata } = running(0);
    const started = (since: number) => instance('Scheduling', {}, { ...metadata, creationTimestamp: at(since) });
    const after = (since: number) =>
      decide(pool({ autohealing: {} }), { machines: [{ ...made(0), status }], instances: [started(since)] });

    expect(after(-60)).toMatchObject({ actions: [], againInMs: 240_000 });
    expect(after(-300).actions).toMatchObject([{ kind: 'delete-machine', name: 'web-0' }]);
  });

  it('counts from when it failed first, though each instance is younger', () => {
    // After two failures there was a delay of 10 s and there is one of 40 s.
    const startFailure = { consecutiveFailCount: 2, retryAfterTimestamp: at(20) };
    const machines = [{ ...made(0), status: { ...failing(-3600), startFailure } }];

    expect(decide(pool({ autohealing: {} }), { machines })).toMatchObject({ actions: [], againInMs: 270_000 });
  });

  it('comes back when a machine will have failed for long enough', () => {
    expect(decide(pool({ autohealing: {} }), { machines: [{ ...made(0), status: failing(-60) }] }).againInMs).toBe(
      240_000,
    );
    expect(decide(pool({ autohealing: {} }), { machines: [made(0)] }).againInMs).toBeUndefined();
    // It costs disks: a clock that was set back is no reason to do it early, only to look again.
    expect(decide(pool({ autohealing: {} }), { machines: [{ ...made(0), status: failing(7200) }] })).toMatchObject({
      actions: [],
      againInMs: 300_000,
    });
  });
});

function failing(since: number) {
  const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: at(since) }];
  return { printableStatus: 'CrashLoopBackOff', conditions };
}
