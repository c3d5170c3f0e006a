import type { EvictionPlan, RememberedInstance } from '@smalt/eviction-plan';
import type { Eviction } from '@smalt/fleet-api';
import { describe, expect, it } from 'vitest';

import {
  evictingCondition,
  evictionFields,
  failureCondition,
  haltedConditions,
  haltedFields,
  judgeEviction,
  migratingCondition,
  preflightCondition,
  unchangedConditions,
} from './eviction-statement.ts';

const failed = { id: 'x', name: 'web', state: 'Failed', attempts: 1, message: 'broken' } as const;

describe('judgeEviction', () => {
  it.each([
    ['succeeded', plan({ left: 0 }, [])],
    ['running', plan({ left: 2, failed: 1 }, [failed])],
    ['failed', plan({ left: 1, failed: 1 }, [failed])],
  ])('finds it %s', (kind, each) => {
    expect(judgeEviction(each).kind).toBe(kind);
  });

  it('names those that stay, what is the matter with them, and what to do; but not all of many', () => {
    const many = Array.from({ length: 7 }, (_, index) => ({ ...failed, id: `x${index}` }));

    const verdict = judgeEviction(plan({ left: 7, failed: 7 }, many));

    expect(verdict).toMatchObject({
      message: expect.stringContaining('7 instances could not be moved: x0 (web): broken; '),
    });
    expect(verdict).toMatchObject({ message: expect.stringContaining('x4 (web): broken; and 2 more; settle that') });
    expect(verdict).toMatchObject({ message: expect.stringContaining('kvm.cloud.sap/retry') });
  });
});

describe('evictingCondition', () => {
  it.each([
    [
      'moves of others are all that is allowed',
      { left: 2 },
      'Running, waits: 6 moves of other evictions are under way',
    ],
    ['something of its own moves', { left: 2, moving: 1 }, 'Running'],
  ])('says why it waits when %s', (_when, counts, message) => {
    const condition = evictingCondition(judgeEviction({ ...plan(counts, []), waitsForMoves: 6 }), 1);

    expect(condition.message.split(', as many')[0]).toBe(message);
  });
});

describe('migratingCondition', () => {
  it.each([
    ['nothing has happened', eviction(), plan({}, []), undefined],
    [
      'something moves, though another one failed',
      eviction(),
      plan({ total: 9, moved: 3, left: 6, moving: 2, failed: 1 }, [failed]),
      ['True', 'Running', '2 moving, 3 of 9 moved, 3 waiting, 1 failed'],
    ],
    [
      'one failed and nothing moves',
      eviction(),
      plan({ left: 1, failed: 1 }, [failed]),
      ['False', 'Failed', 'Migration of instance x failed: broken'],
    ],
    [
      'one waits after a failure',
      eviction(),
      plan({ left: 1 }, [{ ...failed, state: 'Waiting' }]),
      ['False', 'Failed', 'Migration of instance x failed: broken'],
    ],
    [
      'one has moved',
      eviction(),
      {
        ...plan({}, []),
        happenings: [{ kind: 'moved', id: 'y', name: '', message: 'Migration of instance y finished' }],
      },
      ['False', 'Succeeded', 'Migration of instance y finished'],
    ],
    ['one had moved before', eviction('False', 'Succeeded', 'old'), plan({}, []), ['False', 'Succeeded', 'old']],
    [
      'a failure is over',
      eviction('False', 'Failed', 'old'),
      plan({}, []),
      ['False', 'Succeeded', 'no instance is moving'],
    ],
  ] as const)('when %s', (_when, each, what, expected) => {
    const condition = migratingCondition(each, what);

    expect(condition && [condition.status, condition.reason, condition.message]).toEqual(expected);
  });
});

describe('preflightCondition', () => {
  it('is no warning while the host is not disabled yet', () => {
    expect(preflightCondition({ kind: 'not-disabled' })).toMatchObject({
      status: 'False',
      reason: 'Failed',
      message: 'hypervisor not disabled',
      isWarning: false,
    });
  });

  it.each([
    [false, /^the compute service of n1 is down, .*: start nova-compute there/v],
    [true, /^the compute service of n1 is down, .*: it was declared so; .* --up n1 nova-compute'$/v],
  ])('tells what to do about a host that is down, declared so: %s', (isForcedDown, message) => {
    const condition = preflightCondition({ kind: 'down', host: { name: 'n1', isForcedDown } });

    expect(condition).toMatchObject({ status: 'False', isWarning: true, message: expect.stringMatching(message) });
  });

  it('says which instances cannot leave, and what to do', () => {
    const problem = { kind: 'no-room', id: 'x', name: 'web', message: 'it needs more' } as const;

    const condition = preflightCondition({ kind: 'checked', report: { problems: [problem], isRoomMissing: true } });

    expect(condition.message).toBe(
      '1 instances cannot leave: x (web): it needs more; make room on other hosts, or set preflight to best-effort',
    );
  });
});

describe('the rest of the status', () => {
  it('stays as it is when only one condition changes', () => {
    const change = failureCondition(eviction('False', 'Succeeded', 'old'), 'no answer');

    expect(change).toMatchObject({ type: 'PreflightChecksSucceeded', status: 'False', message: 'no answer' });
    expect(unchangedConditions(eviction('False', 'Succeeded', 'old'), [change])).toMatchObject([
      { type: 'MigratingInstance', message: 'old' },
      { type: 'PreflightChecksSucceeded' },
    ]);
  });

  it('has messages of a bounded length', () => {
    const fields = evictionFields(plan({}, [{ ...failed, message: 'x'.repeat(5_000) }]), 'id', {});

    expect(JSON.stringify(fields).length).toBeLessThan(800);
  });

  it('has messages of whole characters', () => {
    const [short, long] = ['x🙂'.repeat(200), 'x🙂'.repeat(201)].map(
      (message) => failureCondition(eviction(), message).message,
    );

    expect(short).toBe('x🙂'.repeat(200));
    expect(long).toBe(`${'x🙂'.repeat(199)}x…`);
  });

  it('says that nothing moves when nobody looks any more', () => {
    const moving = eviction('True', 'Running', '2 moving');
    const progress = { total: 5, moved: 1, moving: 2, left: 4, failed: 0, mibPerSecond: 7 };
    const status = { ...moving.status, progress, instances: [failed], outstandingInstances: ['x'] };

    expect(haltedFields(status, false)).toEqual({
      progress: { total: 5, moved: 1, moving: 0, left: 4, failed: 0 },
      instances: [failed],
      outstandingInstances: ['x'],
    });
    expect(haltedFields(status, true)).toEqual({
      progress: { total: 5, moved: 5, moving: 0, left: 0, failed: 0 },
      instances: [],
      outstandingInstances: [],
      outstandingRamMb: 0,
    });
    expect(haltedConditions(moving, 'lost')).toMatchObject([{ status: 'False', reason: 'Failed', message: 'lost' }]);
    expect(haltedConditions(eviction('False', 'Succeeded', 'old'), 'lost')).toEqual([]);
  });
});

function plan(counts: Partial<EvictionPlan['counts']>, remembered: readonly RememberedInstance[]): EvictionPlan {
  return {
    steps: [],
    remembered,
    outstanding: [],
    outstandingMemoryMiB: 0,
    counts: { total: 0, moved: 0, moving: 0, left: 0, failed: 0, ...counts },
    happenings: [],
    open: [],
    waitingMemoryMiB: 0,
    waitsForMoves: 0,
  };
}

function eviction(status?: 'True' | 'False', reason = '', message = ''): Eviction {
  const condition = { type: 'MigratingInstance', reason, message, lastTransitionTime: '' };
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Eviction',
    metadata: { name: 'n1' },
    status: { conditions: status === undefined ? [] : [{ ...condition, status }] },
  };
}
