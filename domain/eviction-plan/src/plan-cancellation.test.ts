import { describe, expect, it } from 'vitest';

import { instance, move, moving, onN2, view } from './fixtures/instances.ts';
import { planCancellation } from './plan-cancellation.ts';
import { planMoves } from './plan-moves.ts';

const busy = view({
  instances: [instance('a', { state: 'moving' }), instance('b', { state: 'moving' }), instance('c')],
  moves: [move('a'), move('b', { state: 'queued' })],
  remembered: [moving('a'), moving('b')],
});

describe('planCancellation', () => {
  it('stops all live moves that we began, and begins none', () => {
    const { plan, isOver } = planCancellation(busy, 'abort');

    expect(plan.steps).toMatchObject([
      { kind: 'abort', instanceId: 'a' },
      { kind: 'abort', instanceId: 'b' },
    ]);
    expect(plan.remembered).toMatchObject([{ state: 'Aborting' }, { state: 'Aborting' }]);
    expect(isOver).toBe(false);
  });

  it('lets them finish where that is wanted', () => {
    expect(planCancellation(busy, 'finish')).toMatchObject({ plan: { steps: [] }, isOver: false });
  });

  it('leaves moves of others alone', () => {
    const { plan, isOver } = planCancellation({ ...busy, remembered: [] }, 'abort');

    expect(plan.steps).toEqual([]);
    expect(isOver).toBe(true);
  });

  it('confirms cold moves, which cannot be stopped, and waits for that', () => {
    const elsewhere = new Map([['a', instance('a', { ...onN2, state: 'unconfirmed' })]]);
    const moves = [move('a', { isLive: false, state: 'unconfirmed' })];

    const { plan, isOver } = planCancellation(view({ elsewhere, moves, remembered: [moving('a')] }), 'abort');

    expect(plan.steps).toMatchObject([{ kind: 'confirm', instanceId: 'a' }]);
    expect(isOver).toBe(false);
  });

  it.each([
    ['runs', moving('a'), 'running', { isOver: false, isCold: true }],
    ['waits for confirmation', moving('a', { state: 'Confirming' }), 'unconfirmed', { isOver: false, isCold: true }],
    [
      'takes too long',
      moving('a', { state: 'Failed', message: 'stuck: ' }),
      'running',
      { isOver: false, isCold: true },
    ],
    ['failed', moving('a'), 'failed', { isOver: true, isCold: false }],
  ] as const)('knows of a cold move that %s that it must not be left alone', (_what, memory, state, expected) => {
    const isThere = state === 'unconfirmed';
    const found = instance('a', isThere ? { ...onN2, state } : { state: state === 'running' ? 'moving' : 'stopped' });
    const seen = isThere ? { elsewhere: new Map([['a', found]]) } : { instances: [found] };
    const moves = [move('a', { isLive: false, state })];

    expect(planCancellation(view({ ...seen, moves, remembered: [memory] }), 'abort')).toMatchObject(expected);
  });

  it('is not held against an instance when the eviction goes on after all', () => {
    const stopped = planCancellation(busy, 'abort').plan.remembered;
    const moves = [move('a', { state: 'aborted' }), move('b', { state: 'aborted' })];

    const plan = planMoves(view({ instances: [instance('a'), instance('b')], moves, remembered: stopped }));

    expect(plan.remembered).toMatchObject([
      { state: 'Waiting', attempts: 0 },
      { state: 'Waiting', attempts: 0 },
    ]);
  });
});
