import { describe, expect, it } from 'vitest';

import { aged, ago, instance, limits, move, moving, onN2, view } from './fixtures/instances.ts';
import { planMoves } from './plan-moves.ts';

describe('what is begun', () => {
  it('moves what runs while it runs, and what stands still cold', () => {
    const plan = planMoves(view({ instances: [instance('a'), instance('b', { state: 'stopped' })] }));

    expect(plan.steps).toEqual([
      { kind: 'start-live', instanceId: 'a' },
      { kind: 'start-cold', instanceId: 'b' },
    ]);
    expect(plan.remembered).toEqual([moving('a', { since: ago(0) }), moving('b', { since: ago(0) })]);
    expect(plan.counts).toEqual({ total: 2, moved: 0, moving: 2, left: 2, failed: 0 });
  });

  it('moves the large ones first and says so in the order of what is left, the last being next', () => {
    const instances = [
      instance('a', { memoryMiB: 1 }),
      instance('b', { memoryMiB: 9 }),
      instance('c', { memoryMiB: 5 }),
    ];

    const plan = planMoves(view({ instances, limits: { ...limits, perHost: 1 } }));

    expect(plan.steps).toEqual([{ kind: 'start-live', instanceId: 'b' }]);
    expect(plan.outstanding).toEqual(['a', 'c', 'b']);
    expect(plan.outstandingMemoryMiB).toBe(15);
  });

  it('begins nothing where it may not', () => {
    const plan = planMoves(view({ instances: [instance('a')], mayStart: false }));

    expect(plan).toMatchObject({ steps: [], remembered: [], counts: { left: 1, moving: 0 } });
  });

  it('moves error-free servers and leaves the one in ERROR, named with its fault', () => {
    const instances = [
      instance('good-1'),
      instance('error-1', { state: 'failed', fault: 'broken' }),
      instance('good-2'),
    ];

    const plan = planMoves(view({ instances }));

    expect(plan.steps.map(({ instanceId }) => instanceId)).toEqual(['good-1', 'good-2']);
    expect(plan.outstanding[0]).toBe('error-1');
    expect(plan.counts.failed).toBe(1);
    expect(plan.happenings).toEqual([
      expect.objectContaining({ kind: 'failed', message: 'Migration of instance error-1 failed: broken' }),
    ]);
  });

  it('remembers the last move there was, to tell it from its own', () => {
    const old = move('a', { id: 'old', state: 'failed' });

    const plan = planMoves(view({ instances: [instance('a')], moves: [old] }));

    expect(plan.remembered).toMatchObject([{ id: 'a', move: 'old', attempts: 1 }]);
  });
});

describe('moves under way', () => {
  it.each([
    ['the instance says so', { instances: [instance('a', { state: 'moving' })] }],
    ['its record says so', { instances: [instance('a')], moves: [move('a')] }],
    ['it is queued', { instances: [instance('a')], moves: [move('a', { state: 'queued' })] }],
    ['it was asked for a moment ago', { instances: [instance('a')], remembered: [moving('a', { since: ago(29) })] }],
    [
      'a request for it was lost a moment ago',
      {
        instances: [instance('a')],
        remembered: [moving('a', { since: ago(29) })],
        answers: new Map([['a', { kind: 'unknown', message: 'hang up' } as const]]),
      },
    ],
  ])('are waited for when %s', (_when, change) => {
    const plan = planMoves(view(change));

    expect(plan.steps).toEqual([]);
    expect(plan.counts.moving).toBe(1);
  });

  it('are over for us only when their record says so', () => {
    const elsewhere = new Map([['a', instance('a', { ...onN2 })]]);
    const change = { elsewhere, remembered: [moving('a')], outstanding: ['a'] };

    const before = planMoves(view({ ...change, moves: [move('a')] }));
    const after = planMoves(view({ ...change, moves: [move('a', { state: 'succeeded' })] }));

    expect(before.counts).toEqual({ total: 1, moved: 0, moving: 1, left: 1, failed: 0 });
    expect(after.counts).toEqual({ total: 1, moved: 1, moving: 0, left: 0, failed: 0 });
    expect(after.remembered).toEqual([]);
    expect(after.happenings).toMatchObject([
      { kind: 'moved', message: 'Migration of instance a finished: it is on n2 now', tookMs: 1000 },
    ]);
  });

  it('are not over while the compute system says that the instance is still on the host', () => {
    const elsewhere = new Map([['a', instance('a', { state: 'moving' })]]);

    const plan = planMoves(view({ elsewhere, remembered: [moving('a')], outstanding: ['a'] }));

    expect(plan.counts).toMatchObject({ moved: 0, left: 1, moving: 1 });
  });

  it('of others are counted, but neither stopped nor tried again at once', () => {
    const seen = planMoves(view({ instances: [instance('a', { state: 'moving' })] }));
    const late = planMoves(view({ instances: [instance('a', { state: 'moving' })], remembered: aged(seen, 3601) }));
    const over = planMoves(
      view({ instances: [instance('a')], remembered: seen.remembered, moves: [move('a', { state: 'failed' })] }),
    );

    expect(seen.remembered).toMatchObject([{ state: 'Moving', attempts: 0 }]);
    expect(late).toMatchObject({ steps: [], remembered: [{ state: 'Failed' }] });
    expect(over).toMatchObject({ steps: [], remembered: [{ state: 'Waiting', attempts: 0 }] });
  });
});

describe('moves that take too long', () => {
  const late = view({ instances: [instance('a', { state: 'moving' })], moves: [move('a')] });

  it('are stopped, and tried again when they have', () => {
    const stopping = planMoves({
      ...late,
      remembered: [moving('a', { since: ago(3600), message: 'on its way to n2' })],
    });
    const waiting = planMoves({ ...late, remembered: aged(stopping, 29) });
    const stopped = planMoves({
      ...late,
      instances: [instance('a')],
      moves: [move('a', { state: 'aborted' })],
      remembered: stopping.remembered,
    });

    expect(stopping).toMatchObject({
      steps: [{ kind: 'abort', move: { id: 'move-a' } }],
      remembered: [{ state: 'Aborting' }],
    });
    expect(waiting.steps).toEqual([]);
    expect(stopped).toMatchObject({
      remembered: [{ state: 'Waiting', attempts: 1 }],
      happenings: [{ kind: 'aborted' }],
    });
  });

  it('are told again to stop, and given up when they do not', () => {
    const aborting = { id: 'a', state: 'Aborting', attempts: 1 } as const;

    const again = planMoves({ ...late, remembered: [{ ...aborting, since: ago(31) }] });
    const never = planMoves({ ...late, remembered: [{ ...aborting, since: ago(300) }] });
    const still = planMoves({ ...late, remembered: aged(never, 600) });

    expect(again.steps).toMatchObject([{ kind: 'abort' }]);
    expect(never).toMatchObject({ steps: [], remembered: [{ state: 'Failed' }], happenings: [{ kind: 'failed' }] });
    expect(still).toMatchObject({ steps: [], remembered: [{ state: 'Failed' }], happenings: [] });
  });

  it('are given all their time once they run, however long they waited for that', () => {
    const plan = planMoves({ ...late, remembered: [moving('a', { since: ago(3601) })] });

    expect(plan.steps).toEqual([]);
    expect(plan.remembered).toEqual([moving('a', { since: ago(0), message: 'on its way to n2' })]);
  });

  it('may take longer while they are queued behind others', () => {
    const queued = { ...late, moves: [move('a', { state: 'queued' })] };

    expect(planMoves({ ...queued, remembered: [moving('a', { since: ago(3601) })] }).steps).toEqual([]);
    expect(planMoves({ ...queued, remembered: [moving('a', { since: ago(18_000) })] }).steps).toHaveLength(1);
  });

  it('and are cold are not stopped, because nothing can', () => {
    const cold = { ...late, moves: [move('a', { isLive: false })] };

    const plan = planMoves({ ...cold, remembered: [moving('a', { since: ago(3600), message: 'on its way to n2' })] });

    expect(plan).toMatchObject({ steps: [], remembered: [{ state: 'Failed' }] });
  });
});

describe('cold moves', () => {
  const away = { elsewhere: new Map([['a', instance('a', { ...onN2, state: 'unconfirmed' })]]) };
  const arrived = move('a', { isLive: false, state: 'unconfirmed' });

  it('are confirmed where they arrived, until they are', () => {
    const first = planMoves(view({ ...away, moves: [arrived], remembered: [moving('a')], outstanding: ['a'] }));
    const again = planMoves(view({ ...away, moves: [arrived], remembered: first.remembered, outstanding: ['a'] }));

    expect(first).toMatchObject({ steps: [{ kind: 'confirm' }], remembered: [{ state: 'Confirming' }] });
    expect(first.counts).toMatchObject({ moved: 0, left: 1 });
    expect(again.steps).toMatchObject([{ kind: 'confirm' }]);
  });

  it('that cannot be confirmed are told, and tried on', () => {
    const remembered = [{ id: 'a', state: 'Confirming', attempts: 1, since: ago(3600) } as const];

    const plan = planMoves(view({ ...away, moves: [arrived], remembered }));

    expect(plan).toMatchObject({
      steps: [{ kind: 'confirm' }],
      remembered: [{ state: 'Failed' }],
      happenings: [{ kind: 'failed' }],
    });
  });

  it('of owners who change the size are not confirmed', () => {
    const resize = move('a', { isLive: false, isResize: true, state: 'unconfirmed' });

    const here = planMoves(view({ instances: [instance('a', { state: 'unconfirmed' })], moves: [resize] }));
    const there = planMoves(view({ ...away, moves: [resize], remembered: [moving('a', { attempts: 0 })] }));

    expect(here).toMatchObject({ steps: [], remembered: [{ state: 'Waiting' }] });
    expect(there).toMatchObject({ steps: [], remembered: [] });
  });

  it('are not taken for the resize that an owner began where his instance is now', () => {
    const confirmed = move('a', { isLive: false, state: 'succeeded', stateText: 'confirmed' });

    const plan = planMoves(view({ ...away, moves: [confirmed], remembered: [moving('a')], outstanding: ['a'] }));

    expect(plan).toMatchObject({ steps: [], remembered: [], counts: { moved: 1 } });
  });
});

describe('instances that are busy', () => {
  it('are waited for, then given up, and go on when they are free', () => {
    const busy = [instance('a', { state: 'deleting' })];

    const first = planMoves(view({ instances: busy }));
    const late = planMoves(view({ instances: busy, remembered: aged(first, 1800) }));
    const free = planMoves(view({ instances: [instance('a')], remembered: aged(late, 60) }));

    expect(first).toMatchObject({ steps: [], remembered: [{ state: 'Waiting' }], counts: { failed: 0 } });
    expect(first.remembered[0]?.message).toBe('Live migration of terminating instance a skipped');
    expect(late).toMatchObject({ steps: [], remembered: [{ state: 'Failed' }], counts: { failed: 1 } });
    expect(free.steps).toHaveLength(1);
  });

  it('are waited for while they are on their way to the host, and moved on when they have come', () => {
    const arriving = instance('a', { ...onN2, state: 'moving', isArriving: true });

    const first = planMoves(view({ instances: [arriving] }));
    const here = planMoves(view({ instances: [instance('a')], remembered: aged(first, 31) }));
    const rested = planMoves(view({ instances: [instance('a')], remembered: aged(here, 31) }));
    const away = { elsewhere: new Map([['a', instance('a', onN2)]]), remembered: first.remembered };

    expect([first, here].map(({ steps, counts }) => [steps.length, counts.left])).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(rested.steps).toEqual([{ kind: 'start-live', instanceId: 'a' }]);
    expect(planMoves(view(away)).counts).toMatchObject({ left: 0, failed: 0 });
  });
});

describe('what is counted', () => {
  it('counts those that came later, and those that vanished', () => {
    const change = { outstanding: ['a', 'b'], moved: 3, elsewhere: new Map([['b', undefined]]), mayStart: false };

    const plan = planMoves(view({ instances: [instance('a'), instance('new')], ...change }));

    expect(plan.counts).toEqual({ total: 6, moved: 4, moving: 0, left: 2, failed: 0 });
    expect(plan.happenings).toEqual([{ kind: 'gone', id: 'b', name: '', message: 'Instance b is gone' }]);
  });

  it('does not take a list that was cut short for an empty host', () => {
    const change = { outstanding: ['a'], elsewhere: new Map([['a', instance('a')]]) };

    const plan = planMoves(view(change));

    expect(plan).toMatchObject({ counts: { left: 1, moved: 0 }, steps: [{ kind: 'start-live', instanceId: 'a' }] });
  });

  it.each([
    ['of which nothing is remembered', [], { state: 'Waiting', attempts: 0 }],
    ['that moves', [moving('a')], { state: 'Moving', attempts: 1 }],
  ] as const)('does not take one %s for gone because its cell is away', (_which, remembered, memory) => {
    const nowhere = { hostName: undefined, hypervisorHostname: undefined } as const;
    const unknown = instance('a', { ...nowhere, state: 'busy', stateText: 'UNKNOWN' });
    const elsewhere = new Map([['a', unknown]]);

    const plan = planMoves(view({ outstanding: ['a'], elsewhere, remembered }));

    expect(plan).toMatchObject({ counts: { left: 1, moved: 0 }, outstanding: ['a'], steps: [], happenings: [] });
    expect(plan.remembered).toMatchObject([{ id: 'a', ...memory }]);
  });

  it.each(['building', 'shelved'] as const)('takes one that is %s on no host for gone from here', (state) => {
    const elsewhere = new Map([['a', instance('a', { hostName: undefined, hypervisorHostname: undefined, state })]]);

    const plan = planMoves(view({ outstanding: ['a'], elsewhere }));

    expect(plan.counts).toMatchObject({ left: 0, moved: 1 });
  });

  it('counts an instance once that is listed twice', () => {
    const plan = planMoves(view({ instances: [instance('a'), instance('a')] }));

    expect(plan.counts.total).toBe(1);
    expect(plan.steps).toHaveLength(1);
  });
});
