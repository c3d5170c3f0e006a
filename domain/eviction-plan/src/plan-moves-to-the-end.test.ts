import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { EvictionPlan, MoveAnswer } from './eviction-plan.ts';
import { limits, NOW, view } from './fixtures/instances.ts';
import { ToyCloud, type ToyFate, type ToyInstance } from './fixtures/toy-cloud.ts';
import { missingInstances } from './missing-instances.ts';
import { planMoves } from './plan-moves.ts';
import { isGivenUp } from './remembered-instance.ts';

const LOOK_MS = 5_000;
const LAST_ARRIVAL_MS = 200_000;
/** Two hours. */
const MOST_LOOKS = 1_440;
const strict = { ...limits, perHost: 3, perTrait: { GPU: 1 }, liveTimeoutMs: 60_000, coldTimeoutMs: 60_000 };

describe('an eviction that is planned to the end', () => {
  it('keeps its limits, asks nothing twice, lets nobody block the others, and ends, however moves go', () => {
    fc.assert(
      fc.property(fc.array(toys, { maxLength: 12 }), fc.array(fc.nat(200)), (list, crashes) => {
        const cloud = new ToyCloud(named(list), NOW);

        const { plan, mostOpen, mostTrait } = runToTheEnd(cloud, new Set(crashes));

        expect(cloud.doubles).toEqual([]);
        expect(mostOpen).toBeLessThanOrEqual(strict.perHost);
        expect(mostTrait).toBeLessThanOrEqual(1);
        expect(plan.steps).toEqual([]);
        expect(plan.remembered.every(isGivenUp)).toBe(true);
        expect(plan.counts.left).toBe(plan.counts.failed);
        expect(plan.counts.total).toBe(list.length);
        // Whoever could leave did.
        const good = named(list).filter(({ fates }) => fates.every((fate) => GOOD.has(fate)));
        expect(good.filter(({ id }) => plan.outstanding.includes(id))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

const GOOD = new Set<ToyFate>(['succeeds', 'lost-done', 'deleted']);

const toys = fc.record({
  isStopped: fc.boolean(),
  trait: fc.boolean(),
  arrivesAt: fc.oneof(fc.constant(NOW), fc.integer({ min: NOW, max: NOW + LAST_ARRIVAL_MS })),
  fates: fc.array(
    fc.constantFrom<ToyFate>(
      'succeeds',
      'fails',
      'stuck',
      'refused',
      'lost-undone',
      'unavailable',
      'lost-done',
      'accepted-only',
      'deleted',
    ),
    { minLength: 1, maxLength: 3 },
  ),
  last: fc.constantFrom<ToyFate>(
    'succeeds',
    'fails',
    'stuck',
    'never-stops',
    'refused',
    'accepted-only',
    'lost-undone',
  ),
});

function named(list: readonly (Omit<ToyInstance, 'id'> & { readonly last: ToyFate })[]): readonly ToyInstance[] {
  return list.map(({ last, ...toy }, index) => ({ ...toy, fates: [...toy.fates, last], id: `i${index}` }));
}

/** Looks, writes down, acts, and waits, until nothing is left to do. Crashes lose all that is not written down. */
function runToTheEnd(cloud: ToyCloud, crashes: ReadonlySet<number>) {
  let memory = view();
  let answers = new Map<string, MoveAnswer>();
  let plan: EvictionPlan = planMoves(view());
  let mostOpen = 0;
  let mostTrait = 0;
  for (let look = 0; look < MOST_LOOKS; look++) {
    const instances = cloud.onHost();
    const missing = missingInstances({ ...memory, instances });
    const elsewhere = new Map(missing.map((id) => [id, cloud.find(id)]));
    const seen = { instances, elsewhere, moves: cloud.moves(), answers, now: cloud.now, limits: strict };
    plan = planMoves({ ...memory, ...seen });
    if (cloud.now > NOW + LAST_ARRIVAL_MS && plan.steps.length === 0 && plan.remembered.every(isGivenUp)) break;
    memory = { ...memory, remembered: plan.remembered, outstanding: plan.outstanding, moved: plan.counts.moved };
    const isCrash = crashes.has(look);
    if (isCrash) answers = new Map();
    // A crash between the steps: only the first is carried out.
    for (const step of isCrash ? plan.steps.slice(0, 1) : plan.steps) {
      const answer = cloud.act(step);
      if (!isCrash) answers.set(step.instanceId, answer);
    }
    mostOpen = Math.max(mostOpen, cloud.openCount - stuckCount(plan));
    mostTrait = Math.max(mostTrait, cloud.openWithTraitCount - stuckCount(plan));
    cloud.pass(LOOK_MS);
  }
  return { plan, mostOpen, mostTrait };
}

/** Those that cannot be stopped are given up, and take no slot any more. */
function stuckCount({ remembered }: EvictionPlan): number {
  return remembered.filter(({ message }) => message?.startsWith('stuck: ') === true).length;
}
