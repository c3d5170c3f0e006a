import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { runModel, story, type Story } from './fixtures/run-model.ts';
import { allPaths, type WorldEvent } from './fixtures/world.ts';
import { isOver } from './index.ts';

const MINUTE = 60_000;

describe('the world', () => {
  it('recovers a host that lost its power', () => {
    const end = runModel(story({ events: [event(6, 0, 'power-loss')] }));

    expect(end.violations).toEqual([]);
    expect(end.incidents).toMatchObject([{ state: 'recovered', host: 'n0', outcome: '2 instances were rebuilt' }]);
    expect([...end.world.placement.values()]).not.toContain('n0');
  });

  it('fences a host that is only cut off before it rebuilds', () => {
    const end = runModel(story({ events: [event(6, 1, 'cut')] }));

    expect(end.violations).toEqual([]);
    expect(end.fencedAt).toHaveLength(1);
    expect(end.incidents).toMatchObject([{ state: 'recovered', proof: { kind: 'readings' } }]);
  });

  it('leaves a host alone that still writes to its storage', () => {
    const paths = allPaths.filter((path) => path !== 'storage');

    const end = runModel(story({ events: [{ ...event(6, 1, 'cut'), paths }] }));

    expect(end).toMatchObject({ violations: [], incidents: [], fencedAt: [] });
  });

  it.each(['ignores', 'flips', 'hangs'] as const)('stops and says so when a BMC %s', (bmc) => {
    const end = runModel(story({ bmcs: [bmc, 'honest', 'honest', 'honest'], events: [event(6, 0, 'cut')] }));

    expect(end.violations).toEqual([]);
    expect(end.incidents).toMatchObject([{ state: 'fencing', wait: { reason: 'no-proof', needsPerson: true } }]);
    expect(end.world.evacuations).toEqual([]);
  });

  it('goes on when a person confirms what no BMC can prove', () => {
    const bmcs = ['hangs', 'honest', 'honest', 'honest'] as const;

    const end = runModel(story({ bmcs, events: [event(6, 0, 'power-loss')], personAt: 20 * MINUTE }));

    expect(end.violations).toEqual([]);
    expect(end.incidents).toMatchObject([{ state: 'recovered', proof: { kind: 'person', by: 'ann' } }]);
  });

  it('touches nobody when half of the fleet goes', () => {
    const end = runModel(story({ events: [event(6, 0, 'cut'), event(6, 1, 'cut')] }));

    expect(end).toMatchObject({ violations: [], incidents: [], fencedAt: [] });
  });

  it('touches nobody while it is blind', () => {
    const blindness = [{ from: 5 * MINUTE, to: 60 * MINUTE }];

    const end = runModel(story({ events: [event(6, 0, 'power-loss')], blindness }));

    expect(end).toMatchObject({ violations: [], fencedAt: [], incidents: [] });
  });

  it('loses and repeats nothing, wherever it is killed', () => {
    for (let action = 1; action <= 12; action += 1) {
      for (const isDone of [true, false]) {
        const end = runModel(story({ events: [event(6, 0, 'power-loss')], kills: [{ action, isDone }], minutes: 45 }));

        expect(end.violations, `killed at action ${action}`).toEqual([]);
        expect(end.incidents, `killed at action ${action}`).toMatchObject([{ state: 'recovered' }]);
        expect(end.world.evacuations).toHaveLength(2);
      }
    }
  });

  it('loses and repeats nothing when the next run has another clock', () => {
    for (let action = 1; action <= 12; action += 1) {
      for (const clockMs of [-20 * MINUTE, -5_000, 5_000, 24 * 60 * MINUTE]) {
        const kills = [{ action, isDone: true, clockMs }];
        const end = runModel(story({ events: [event(6, 0, 'power-loss')], fates: ['late'], kills, minutes: 45 }));

        expect(end.violations, `killed at action ${action}, clock off by ${clockMs}`).toEqual([]);
        expect(end.incidents, `killed at action ${action}, clock off by ${clockMs}`).toMatchObject([
          { state: 'recovered' },
        ]);
        expect(end.world.evacuations).toHaveLength(2);
      }
    }
  });

  it('tries again what failed, and gives up after some attempts', () => {
    const again = runModel(story({ events: [event(6, 0, 'power-loss')], fates: ['fails', 'prompt'] }));
    const never = runModel(story({ events: [event(6, 0, 'power-loss')], fates: ['fails'] }));

    expect(again).toMatchObject({ violations: [], incidents: [{ state: 'recovered' }] });
    expect(again.world.evacuations).toHaveLength(4);
    expect(never).toMatchObject({
      violations: [],
      incidents: [{ state: 'failed', instances: [{ attempts: 3 }, { attempts: 3 }] }],
    });
    expect(never.world.evacuations).toHaveLength(6);
  });

  it('cleans up before it rebuilds, and goes on without when that never works', () => {
    const late = runModel(story({ events: [event(6, 0, 'power-loss')], failedCleanUps: 2 }));
    const never = runModel(story({ events: [event(6, 0, 'power-loss')], failedCleanUps: 1_000 }));

    expect(late).toMatchObject({
      violations: [],
      incidents: [{ state: 'recovered', cleanUp: { state: 'done', tries: 3 } }],
    });
    expect(never).toMatchObject({
      violations: [],
      incidents: [{ state: 'recovered', cleanUp: { state: 'given-up' } }],
    });
  });

  it.each(['reserved-host', 'reserved-host-priority'] as const)('uses reserved hosts by method %s', (method) => {
    for (let action = 0; action <= 14; action += 1) {
      const kills = action === 0 ? [] : [{ action, isDone: action % 2 === 0, clockMs: -MINUTE }];
      const end = runModel(story({ events: [event(6, 0, 'power-loss')], method, reserved: 1, kills, minutes: 45 }));

      expect(end.violations).toEqual([]);
      expect(end.incidents, `killed at action ${action}`).toMatchObject([
        { state: 'recovered', method, instances: [{ target: 'n3' }, { target: 'n3' }] },
      ]);
      expect(end.world.reserves).toMatchObject([{ isReserved: false, isEnabled: true }]);
    }
  });

  it('takes the next reserved host when one dies, and none when the compute system finds a place', () => {
    const bmcs = ['honest', 'honest', 'honest', 'honest', 'honest', 'honest', 'honest', 'honest'] as const;
    const events = [event(5, 6, 'panic'), event(6, 0, 'power-loss')];
    const next = runModel(story({ bmcs, events, method: 'reserved-host', reserved: 2, minutes: 45 }));
    const none = runModel(story({ events: [event(6, 0, 'power-loss')], method: 'auto-priority', reserved: 1 }));

    expect(next.violations).toEqual([]);
    expect(next.incidents.find(({ host }) => host === 'n0')).toMatchObject({
      state: 'recovered',
      instances: [{ target: 'n7' }, { target: 'n7' }],
    });
    expect(none.incidents).toMatchObject([{ state: 'recovered', method: 'auto-priority' }]);
    expect(none.world.reserves).toMatchObject([{ isReserved: true, isEnabled: false }]);
  });

  it('asks again for what never arrived, and only once for what came late', () => {
    const end = runModel(story({ events: [event(6, 0, 'power-loss')], fates: ['lost', 'late', 'prompt'] }));

    expect(end.violations).toEqual([]);
    expect(end.incidents).toMatchObject([{ state: 'recovered', instances: [{ asks: 2 }, { asks: 1 }] }]);
    expect(end.world.evacuations).toHaveLength(2);
  });

  it('does not take readings for a row when one between them was lost', () => {
    const end = runModel(
      story({
        bmcs: ['flips', 'honest', 'honest', 'honest'],
        events: [event(5, 0, 'cut'), { ...event(0, 0, 'power-loss'), at: 635_001 }],
        kills: [{ action: 7, isDone: true }],
        blindness: [{ from: 5 * MINUTE, to: 10 * MINUTE }],
      }),
    );

    expect(end.violations).toEqual([]);
    expect(end.incidents).toMatchObject([{ state: 'recovered' }]);
  });

  it('never runs an instance twice, never breaks a rule, and never stops without a word', () => {
    fc.assert(
      fc.property(anyStory(), (each) => {
        const { violations, incidents } = runModel(each);

        expect(violations).toEqual([]);
        expect(incidents.filter((incident) => !isOver(incident) && incident.wait === undefined)).toEqual([]);
        expect(incidents.filter(({ state, outcome }) => state === 'failed' && outcome === undefined)).toEqual([]);
      }),
      { numRuns: 300, seed: 6 },
    );
  });
});

function event(minute: number, host: number, kind: WorldEvent['kind']): WorldEvent {
  return { at: minute * MINUTE, host, kind, paths: allPaths };
}

function anyStory(): fc.Arbitrary<Story> {
  const bmc = fc.constantFrom('honest' as const, 'honest' as const, 'ignores', 'flips', 'says-off', 'hangs');
  const kind = fc.constantFrom('power-loss' as const, 'panic', 'cut', 'cut', 'heal', 'power-on');
  const paths = fc.oneof(fc.constant(allPaths), fc.subarray([...allPaths]));
  const at = fc.integer({ min: 5 * MINUTE, max: 30 * MINUTE });
  const clockMs = fc.constantFrom(0, -20 * MINUTE, -5_000, 5_000, 24 * 60 * MINUTE);
  const kill = fc.record({ action: fc.integer({ min: 1, max: 40 }), isDone: fc.boolean(), clockMs });
  return fc.record({
    bmcs: fc.array(bmc, { minLength: 4, maxLength: 5 }),
    events: fc.array(fc.record({ at, host: fc.nat(4), kind, paths }), { minLength: 1, maxLength: 6 }),
    fates: fc.array(fc.constantFrom('prompt' as const, 'late', 'lost', 'fails'), { minLength: 1, maxLength: 4 }),
    kills: fc.array(kill, { maxLength: 3 }),
    blindness: fc.array(
      at.map((from) => ({ from, to: from + 5 * MINUTE })),
      { maxLength: 1 },
    ),
    inMaintenance: fc.constantFrom(undefined, 'n0'),
    personAt: fc.option(at, { nil: undefined }),
    method: fc.constantFrom('auto' as const, 'reserved-host', 'auto-priority', 'reserved-host-priority'),
    reserved: fc.integer({ min: 0, max: 2 }),
    failedCleanUps: fc.constantFrom(0, 0, 3, 1_000),
    minutes: fc.constant(45),
  });
}
