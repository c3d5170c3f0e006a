import { describe, expect, it } from 'vitest';

import { aged, ago, instance, move, moving, onN2, view } from './fixtures/instances.ts';
import { planMoves } from './plan-moves.ts';

describe('moves that begin late', () => {
  const late = { instances: [instance('a', { state: 'moving' })], moves: [move('a')] };

  it.each([
    ['was accepted', 1, new Map([['a', { kind: 'accepted' } as const]])],
    ['was not answered', 1, new Map([['a', { kind: 'unknown', message: 'hung up' } as const]])],
    ['may never have been sent', 1, new Map()],
  ])('are ours when a request %s', (_what, attempts, answers) => {
    const unheard = planMoves(
      view({ instances: [instance('a')], remembered: [moving('a', { since: ago(31) })], answers }),
    );

    const plan = planMoves(view({ ...late, remembered: unheard.remembered }));

    expect(unheard.remembered).toMatchObject([{ state: 'Waiting' }]);
    expect(plan.remembered).toMatchObject([{ state: 'Moving', attempts, message: 'on its way to n2' }]);
  });

  it("are somebody else's after we were refused", () => {
    const remembered = [{ id: 'a', state: 'Waiting', attempts: 1, since: ago(1), message: 'refused' } as const];

    expect(planMoves(view({ ...late, remembered })).remembered).toMatchObject([{ state: 'Moving', attempts: 0 }]);
  });
});

describe('failures', () => {
  const failed = move('a', { state: 'failed', stateText: 'error', targetName: undefined });

  it('are remembered with their reason, and tried again after a pause', () => {
    const instances = [instance('a')];
    const first = planMoves(view({ instances, remembered: [moving('a')], moves: [failed] }));
    const soon = planMoves(view({ instances, remembered: aged(first, 29), moves: [failed] }));
    const later = planMoves(view({ instances, remembered: aged(first, 30), moves: [failed] }));

    expect(first).toMatchObject({
      steps: [],
      remembered: [
        {
          state: 'Waiting',
          attempts: 1,
          message: expect.stringMatching(/^its move ended as error before it had a target: see .* event list a'$/v),
        },
      ],
      happenings: [{ kind: 'failed' }],
    });
    expect(soon.steps).toEqual([]);
    expect(later.steps).toEqual([{ kind: 'start-live', instanceId: 'a' }]);
    expect(later.remembered).toMatchObject([{ state: 'Moving', attempts: 2, move: 'move-a' }]);
  });

  it('are given up after the third time, until somebody asks for more', () => {
    const instances = [instance('a')];

    const plan = planMoves(view({ instances, remembered: [moving('a', { attempts: 3 })], moves: [failed] }));
    const again = planMoves(view({ instances, remembered: aged(plan, 86_400), moves: [failed] }));

    expect(plan).toMatchObject({ remembered: [{ state: 'NonMigratable' }], happenings: [{ kind: 'non-migratable' }] });
    expect(plan.counts).toMatchObject({ failed: 1, moving: 0, left: 1 });
    expect(again).toMatchObject({ steps: [], happenings: [], remembered: [{ state: 'NonMigratable', attempts: 3 }] });
  });

  it.each([
    ['refused', 1, 'no'],
    ['not-done', 0, 'no'],
    ['unknown', 1, 'no move was heard of: no'],
  ] as const)('of a request that was %s count %d times', (kind, attempts, message) => {
    const answers = new Map([['a', { kind, message: 'no' }]]);

    const plan = planMoves(
      view({ instances: [instance('a')], remembered: [moving('a', { since: ago(31) })], answers }),
    );

    expect(plan).toMatchObject({ steps: [], remembered: [{ state: 'Waiting', attempts, message }] });
  });

  it('to begin count when the compute system had accepted the move', () => {
    const change = { instances: [instance('a')], remembered: [moving('a', { since: ago(31) })] };

    const accepted = planMoves(view({ ...change, answers: new Map([['a', { kind: 'accepted' }]]) }));
    const restarted = planMoves(view(change));

    expect(accepted.remembered).toMatchObject([
      { state: 'Waiting', attempts: 1, message: expect.stringContaining('never began') },
    ]);
    expect(restarted.remembered).toMatchObject([{ state: 'Waiting', attempts: 0 }]);
  });

  it('are still told while it is tried again', () => {
    const remembered = [{ id: 'a', state: 'Waiting', attempts: 1, since: ago(31), message: 'no answer' } as const];

    const plan = planMoves(view({ instances: [instance('a')], remembered }));

    expect(plan.remembered).toMatchObject([{ state: 'Moving', attempts: 2, message: 'last time: no answer' }]);
  });

  it('to answer are not taken for ever for a move that was never asked for', () => {
    const instances = [instance('a')];
    const answers = new Map([['a', { kind: 'unknown', message: '500' } as const]]);
    let plan = planMoves(view({ instances, answers }));
    for (let look = 0; look < 10; look++) plan = planMoves(view({ instances, answers, remembered: aged(plan, 60) }));

    expect(plan).toMatchObject({
      steps: [],
      remembered: [{ state: 'NonMigratable', attempts: 3, message: 'tried 3 times, last: no move was heard of: 500' }],
    });
  });

  it.each(['failed', 'unconfirmed'] as const)('that leave an instance broken elsewhere count, %s', (state) => {
    const broken = instance('a', { ...onN2, state: 'failed', stateText: 'ERROR', fault: 'no disk' });
    const moves = [move('a', { isLive: false, state, stateText: state })];
    const change = { elsewhere: new Map([['a', broken]]), moves, outstanding: ['a'] };
    const message = `its move ended as ${state} and left it in ERROR on n2: no disk`;

    const first = planMoves(view({ ...change, remembered: [moving('a')] }));
    const later = planMoves(view({ ...change, remembered: first.remembered }));
    const again = planMoves(view({ ...change, remembered: [] }));
    const mended = planMoves(
      view({ ...change, remembered: first.remembered, elsewhere: new Map([['a', instance('a', onN2)]]) }),
    );

    expect(first).toMatchObject({
      remembered: [{ state: 'Failed', attempts: 1, message }],
      counts: { moved: 0, left: 1, failed: 1 },
      happenings: [{ kind: 'failed', isEndOfMove: true }],
    });
    expect(later).toMatchObject({ remembered: first.remembered, happenings: [] });
    // Whoever asks for another try has not mended it yet.
    expect(again.counts).toMatchObject({ moved: 0, failed: 1 });
    expect(mended.counts).toMatchObject({ moved: 1, left: 0 });
  });

  it('of an instance that broke after it had arrived are none of the move', () => {
    const broken = instance('a', { ...onN2, state: 'failed' });
    const moves = [move('a', { state: 'succeeded' })];

    const plan = planMoves(view({ elsewhere: new Map([['a', broken]]), moves, remembered: [moving('a')] }));

    expect(plan).toMatchObject({ remembered: [], happenings: [{ kind: 'moved' }] });
  });

  it('end by themselves when an instance leaves ERROR', () => {
    const remembered = [{ id: 'a', state: 'Failed', attempts: 0, since: ago(5), message: 'broken' } as const];

    expect(planMoves(view({ instances: [instance('a')], remembered })).steps).toHaveLength(1);
  });

  it('are told once', () => {
    const broken = [instance('a', { state: 'failed', fault: 'broken' })];
    const first = planMoves(view({ instances: broken }));

    const second = planMoves(view({ instances: broken, remembered: first.remembered }));

    expect(first.happenings).toHaveLength(1);
    expect(second.happenings).toEqual([]);
    expect(second.remembered).toEqual(first.remembered);
  });
});
