import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { happen, passMinutes, play, started, stories } from './fixtures/happenings.ts';

describe('a virtual machine on nodes that fail', () => {
  it('never runs twice, and never meets a newer disk, whatever fails when, and runs again when all is well', () => {
    fc.assert(
      fc.property(stories(), (story) => {
        const { damages, runningOn } = play(story);

        expect(damages).toEqual([]);
        expect(runningOn).toHaveLength(1);
      }),
      { numRuns: 100 },
    );
  });

  it('stays where it may still run while its node is silent, and is started elsewhere after the proof', () => {
    const world = started();
    happen(world, 'cut', 'n1');
    passMinutes(world, 60, 'n2');
    world.forgetPods('n1');
    passMinutes(world, 60, 'n2');

    expect(world.instance?.status).toMatchObject({ phase: 'Running', nodeName: 'n1' });
    world.fence('n1');
    passMinutes(world, 10, 'n2');

    expect(world.instance?.status).toMatchObject({ phase: 'Running', nodeName: 'n2' });
    expect(world.runningOn).toEqual(['n2']);
  });

  it('does not take the proof of an earlier failure for one of this', () => {
    const world = started();
    world.fence('n1');
    world.repair('n1');
    happen(world, 'long-wait', 'n1');
    happen(world, 'cut', 'n1');
    happen(world, 'long-wait', 'n2');
    happen(world, 'long-wait', 'n2');

    expect(world.instance?.status).toMatchObject({ phase: 'Running', nodeName: 'n1' });
    expect(world.runningOn).toEqual(['n1']);
  });

  it('does not take a proof of the clock of the HA service for one of what came after it', () => {
    const world = started({ nodes: [0, 0, 0], service: 600_000 });
    world.fence('n1');
    world.pass(60, 'n1');
    world.repair('n1');
    passMinutes(world, 5, 'n1');
    happen(world, 'cut', 'n1');
    happen(world, 'long-wait', 'n2');

    expect(world.instance?.status).toMatchObject({ phase: 'Running', nodeName: 'n1' });
    expect(world.runningOn).toEqual(['n1']);
  });

  it('is lost with a node whose clock is ahead of that of the HA service', () => {
    const world = started({ nodes: [120_000, 0, 0], service: 0 });
    world.fence('n1');
    happen(world, 'long-wait', 'n2');

    expect(world.instance?.status).toMatchObject({ phase: 'Running', nodeName: 'n2' });
  });

  it.each([
    ['belongs to the target that it has arrived at', ['n2'], 'uid-1'],
    ['is started again when it had not arrived', [], 'uid-3'],
  ])('%s when its source loses its power on the way', (_, runningOn, uid) => {
    const world = started();
    world.controller.migrate('n2');
    const isThere = (): boolean => world.host('n2').copies.size > 0;
    for (let second = 0; second < 60 && !isThere(); second += 5) world.pass(5, 'n3');
    for (let second = 0; second < 60 && world.runningOn[0] !== runningOn[0] && runningOn.length > 0; second += 5)
      world.pass(5, 'n3');
    world.fence('n1');

    expect(world.runningOn).toEqual(runningOn);
    passMinutes(world, 10, 'n2');
    expect(world.instance).toMatchObject({ metadata: { uid }, status: { phase: 'Running', nodeName: 'n2' } });
    expect(world.damages).toEqual([]);
  });

  it('is started again when the source of a migration lost its power before that began', () => {
    const world = started();
    world.controller.migrate('n2');
    world.fence('n1');
    passMinutes(world, 10, 'n3');

    expect(world.instance?.status).toMatchObject({ phase: 'Running', nodeName: 'n3' });
    expect(world.runningOn).toEqual(['n3']);
  });

  it('is started again where it was when its node has rebooted', () => {
    const world = started();
    world.powerOff('n1');
    world.repair('n1');
    passMinutes(world, 10, 'n1');

    expect(world.instance?.status).toMatchObject({ phase: 'Running', nodeName: 'n1' });
  });

  it('is started again where its migration failed on an old view of what was handed over, and its pod went', () => {
    const world = started();
    world.controller.migrate('n3');
    world.look('controller');
    world.hang('controller', 'vmi');
    world.pass(5, 'n1');
    world.forgetPods('n3');
    passMinutes(world, 8, 'n1');
    const left = world.instance?.status?.migrationState;
    world.forgetPods('n1');
    world.recover();
    passMinutes(world, 10, 'n1');

    expect(left).toMatchObject({ targetNode: 'n3' });
    expect(left?.abortRequested).toBeUndefined();
    expect(world.instance?.status).toMatchObject({ phase: 'Running', nodeName: 'n1' });
    expect(world.runningOn).toEqual(['n1']);
  });

  it('stands still where the next handler would have announced on an old view what the one before has begun', () => {
    const world = started();
    world.controller.migrate('n2');
    let before = 0;
    for (let pass = 0; pass < 20 && world.runningOn.length > 0; pass += 1) {
      world.pass(5, 'n3');
      const { targetNodeAddress, startTimestamp } = world.instance?.status?.migrationState ?? {};
      if (targetNodeAddress !== undefined && startTimestamp === undefined) before = world.store.version;
    }
    happen(world, 'cut', 'n2');
    world.pass(5, 'n3');
    happen(world, 'part', 'n2');
    world.restart('n1', world.store.version - before);
    world.hang('n1', 'vmi');
    world.look('n1');
    world.repair('n1');
    passMinutes(world, 5, 'n3');

    expect(before).toBeGreaterThan(0);
    expect([world.runningOn, world.damages]).toEqual([['n2'], []]);
  });

  it('is not sent to another node before it is known what became of an earlier migration that failed on an old view', () => {
    const world = started();
    world.controller.migrate('n3');
    world.look('controller');
    world.hang('controller', 'vmi');
    world.pass(5, 'n1');
    world.forgetPods('n3');
    passMinutes(world, 8, 'n1');
    world.host('n1').hasApi = false;
    world.recover();
    world.look('controller');
    world.controller.migrate('n2');
    passMinutes(world, 2, 'n1');
    const before = world.instance?.status?.migrationState;
    world.repair('n1');
    passMinutes(world, 10, 'n1');

    expect(before).toMatchObject({ targetNode: 'n3', abortRequested: true });
    expect(world.instance?.status).toMatchObject({
      nodeName: 'n2',
      migrationState: { targetNode: 'n2', completed: true },
    });
    expect([world.runningOn, world.damages]).toEqual([['n2'], []]);
  });
});
