import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ModelWorld, type ModelClocks } from './fixtures/model-world.ts';

const NAMES = ['n1', 'n2', 'n3'] as const;

describe('a virtual machine on nodes that fail', () => {
  it('never runs twice, whatever fails when, and runs again when all is well', () => {
    fc.assert(
      fc.property(clocks(), fc.array(fault(), { maxLength: 80, size: 'max' }), (skews, faults) => {
        const world = new ModelWorld(skews);
        for (const [kind, name] of faults) {
          happen(world, kind, name);
          expect(world.runningCopies).toBeLessThanOrEqual(1);
        }
        for (const name of NAMES) happen(world, 'repair', name);
        for (let minute = 0; minute < 30; minute += 1) world.passMinute('n1');

        expect(world.runningCopies).toBe(1);
      }),
      { numRuns: 100 },
    );
  });

  it('stays where it may still run while its node is silent, and is started elsewhere after the proof', () => {
    const world = started();
    happen(world, 'cut', 'n1');
    for (let minute = 0; minute < 60; minute += 1) world.passMinute('n2');
    world.forgetPods('n1');
    for (let minute = 0; minute < 60; minute += 1) world.passMinute('n2');

    expect(world.vmi?.status).toMatchObject({ phase: 'Running', nodeName: 'n1' });
    world.fence('n1');
    for (let minute = 0; minute < 10; minute += 1) world.passMinute('n2');

    expect(world.vmi?.status).toMatchObject({ phase: 'Running', nodeName: 'n2' });
    expect(world.runningCopies).toBe(1);
  });

  it('does not take the proof of an earlier failure for one of this', () => {
    const world = started();
    world.fence('n1');
    happen(world, 'repair', 'n1');
    happen(world, 'long-wait', 'n1');
    happen(world, 'cut', 'n1');
    happen(world, 'long-wait', 'n2');
    happen(world, 'long-wait', 'n2');

    expect(world.vmi?.status).toMatchObject({ phase: 'Running', nodeName: 'n1' });
    expect(world.runningCopies).toBe(1);
  });

  it('does not take a proof of the clock of the HA service for one of what came after it', () => {
    const world = started({ nodes: [0, 0, 0], service: 600_000 });
    world.fence('n1');
    world.passMinute('n1');
    happen(world, 'repair', 'n1');
    for (let minute = 0; minute < 5; minute += 1) world.passMinute('n1');
    happen(world, 'cut', 'n1');
    happen(world, 'long-wait', 'n2');

    expect(world.vmi?.status).toMatchObject({ phase: 'Running', nodeName: 'n1' });
    expect(world.runningCopies).toBe(1);
  });

  it('is lost with a node whose clock is ahead of that of the HA service', () => {
    const world = started({ nodes: [120_000, 0, 0], service: 0 });
    world.fence('n1');
    happen(world, 'long-wait', 'n2');

    expect(world.vmi?.status).toMatchObject({ phase: 'Running', nodeName: 'n2' });
  });

  it.each([
    ['belongs to the target that it has arrived at', true, 'uid-1'],
    ['is started again when it had not arrived', false, 'uid-3'],
  ])('%s when its source loses its power on the way', (_, arrives, uid) => {
    const world = started();
    happen(world, 'migrate', 'n2');
    world.passMinute('n3');
    if (arrives) happen(world, 'transfer', 'n2');
    world.fence('n1');
    for (let minute = 0; minute < 10; minute += 1) world.passMinute('n2');

    expect(world.vmi).toMatchObject({ metadata: { uid }, status: { phase: 'Running', nodeName: 'n2' } });
    expect(world.runningCopies).toBe(1);
  });

  it('is started again when the source of a migration lost its power before that began', () => {
    const world = started();
    happen(world, 'migrate', 'n2');
    world.fence('n1');
    for (let minute = 0; minute < 10; minute += 1) world.passMinute('n3');

    expect(world.vmi?.status).toMatchObject({ phase: 'Running', nodeName: 'n3' });
    expect(world.runningCopies).toBe(1);
  });

  it('is started again where it was when its node has rebooted', () => {
    const world = started();
    world.powerOff('n1');
    happen(world, 'repair', 'n1');
    for (let minute = 0; minute < 10; minute += 1) world.passMinute('n1');

    expect(world.vmi?.status).toMatchObject({ phase: 'Running', nodeName: 'n1' });
  });
});

type Kind =
  | 'minute'
  | 'long-wait'
  | 'decide'
  | 'cut'
  | 'repair'
  | 'power-off'
  | 'fence'
  | 'forget-pods'
  | 'crash'
  | 'migrate'
  | 'transfer'
  | 'delete';

function fault(): fc.Arbitrary<[Kind, string]> {
  const kinds: fc.WeightedArbitrary<Kind>[] = [
    { weight: 4, arbitrary: fc.constant('minute') },
    { weight: 4, arbitrary: fc.constant('long-wait') },
    { weight: 3, arbitrary: fc.constantFrom('decide', 'repair', 'cut') },
    { weight: 3, arbitrary: fc.constantFrom('migrate', 'transfer') },
    { weight: 2, arbitrary: fc.constantFrom('forget-pods', 'fence', 'power-off', 'crash', 'delete') },
  ];
  return fc.tuple(fc.oneof(...kinds), fc.constantFrom(...NAMES));
}

/** Up to two minutes off, in both directions. */
function clocks(): fc.Arbitrary<ModelClocks> {
  const skew = fc.integer({ min: -120, max: 120 }).map((seconds) => seconds * 1000);
  return fc.record({ nodes: fc.array(skew, { minLength: 3, maxLength: 3 }), service: skew });
}

function happen(world: ModelWorld, kind: Kind, name: string): void {
  const found = world.nodes.get(name);
  if (found === undefined) throw new Error(`there is no node ${name}`);
  switch (kind) {
    case 'minute':
      return world.passMinute(name);
    case 'long-wait':
      // Longer than a node may be silent.
      for (let minute = 0; minute < 8; minute += 1) world.passMinute(name);
      return;
    case 'decide':
      return world.decide();
    case 'cut':
      found.isLinked = false;
      return;
    case 'repair':
      return world.repair(name);
    case 'migrate':
      return world.migrate(name);
    case 'transfer':
      return world.transfer();
    case 'power-off':
      return world.powerOff(name);
    case 'fence':
      return world.fence(name);
    case 'forget-pods':
      return world.forgetPods(name);
    case 'crash':
      found.domains.clear();
      return;
    case 'delete':
      return world.deleteInstance();
  }
}

function started(skews?: ModelClocks): ModelWorld {
  const world = new ModelWorld(skews);
  for (let minute = 0; minute < 5; minute += 1) world.passMinute('n1');
  return world;
}
