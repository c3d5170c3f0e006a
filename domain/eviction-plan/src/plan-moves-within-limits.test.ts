import { describe, expect, it } from 'vitest';

import type { EvictionView } from './eviction-plan.ts';
import { instance, limits, move, moving, onN2, target, view } from './fixtures/instances.ts';
import { planMoves } from './plan-moves.ts';

describe('limits', () => {
  const many = Array.from({ length: 10 }, (_, index) => instance(`${index}`));

  it.each<[string, Partial<EvictionView>, number]>([
    ['five from one host', {}, 5],
    ['what the lowest trait of the host allows', withTraits({ A: 3, B: 2, C: 1 }, ['A', 'B']), 2],
    ['at least one, whatever a trait says', withTraits({ A: 0 }, ['A']), 1],
    ['never more for a trait than for any host', withTraits({ A: 50 }, ['A']), 5],
    ['what other hosts leave of the whole', { others: { count: 97, to: () => 0 } }, 3],
    [
      'what the targets can take',
      { targets: allTo([target('n2'), target('n3')]), limits: { ...limits, perTarget: 2 } },
      4,
    ],
    [
      'what other hosts leave at the targets',
      { targets: allTo([target('n2'), target('n3')]), others: { count: 4, to: (name) => (name === 'n2' ? 4 : 5) } },
      1,
    ],
  ])('begins %s', (_what, change, count) => {
    expect(planMoves(view({ instances: many, ...change })).steps).toHaveLength(count);
  });

  it.each<[string, Partial<EvictionView>, number]>([
    ['other hosts have all there is', { others: { count: 100, to: () => 0 } }, 100],
    ['other hosts have all targets', { targets: allTo([target('n2')]), others: { count: 7, to: () => 5 } }, 7],
    ['its own limit is reached', { others: { count: 7, to: () => 0 } }, 0],
    ['it may not begin', { others: { count: 100, to: () => 0 }, mayStart: false }, 0],
  ])('says for how many moves of others it waits when %s', (_when, change, count) => {
    expect(planMoves(view({ instances: many, ...change })).waitsForMoves).toBe(count);
  });

  it('counts what is under way, and at its target', () => {
    const instances = [instance('x', { state: 'moving' }), ...many];
    const change = {
      remembered: [moving('x')],
      moves: [move('x', { targetName: 'n2' })],
      targets: allTo([target('n2')]),
    };

    const plan = planMoves(view({ instances, ...change, limits: { ...limits, perTarget: 3 } }));

    expect(plan.steps).toHaveLength(2);
  });

  it('holds back instances with a trait that has its fill, and lets the others go', () => {
    const instances = [
      instance('a', { requiredTraits: ['GPU'] }),
      instance('b', { requiredTraits: ['GPU'] }),
      instance('c'),
    ];

    const plan = planMoves(view({ instances, limits: { ...limits, perTrait: { GPU: 1 } } }));

    expect(plan.steps.map(({ instanceId }) => instanceId)).toEqual(['a', 'c']);
  });

  it('gives no slot to a cold move that waits for confirmation', () => {
    const elsewhere = new Map([['x', instance('x', { ...onN2, state: 'unconfirmed' })]]);
    const change = {
      elsewhere,
      remembered: [moving('x')],
      moves: [move('x', { isLive: false, state: 'unconfirmed' })],
    };

    const plan = planMoves(view({ instances: many, ...change, limits: { ...limits, perHost: 1 } }));

    expect(plan.steps.map(({ kind }) => kind)).toEqual(['confirm', 'start-live']);
  });

  function allTo(targets: readonly ReturnType<typeof target>[]) {
    return new Map(many.map(({ id }) => [id, targets]));
  }
});

function withTraits(perTrait: Record<string, number>, hostTraits: readonly string[]): Partial<EvictionView> {
  return { limits: { ...limits, perTrait }, hostTraits };
}
