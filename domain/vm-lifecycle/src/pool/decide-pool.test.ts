import type { VirtualMachine, VirtualMachinePool } from '@smalt/vm-api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { at } from '../fixtures/objects.ts';
import {
  after,
  changed,
  decide,
  inOrder,
  made,
  nameOf,
  pool,
  READY,
  running,
  template,
  withFirmware,
} from '../fixtures/pools.ts';

describe('decidePool', () => {
  it('makes what is missing, with the lowest numbers that nobody has', () => {
    const { actions } = decide(pool({ replicas: 3 }), { machines: [made(1)], taken: ['web-0'] });

    expect(actions.map(nameOf)).toEqual(['web-2', 'web-3']);
    expect(actions[0]).toMatchObject({
      kind: 'create-machine',
      machine: {
        metadata: {
          labels: { app: 'web', 'kubevirt.io/vm-pool-revision-name': 'web-2' },
          ownerReferences: [{ kind: 'VirtualMachinePool', name: 'web', uid: 'pool-uid', controller: true }],
        },
        spec: { runStrategy: 'Always', template: { metadata: { labels: { app: 'web' } } } },
      },
    });
  });

  it('makes one when it does not say how many', () => {
    expect(decide(pool({})).actions).toHaveLength(1);
  });

  it.each([
    ['AscendingOrder', ['web-0', 'web-1']],
    ['DescendingOrder', ['web-3', 'web-2']],
    ['Newest', ['web-1', 'web-3']],
    ['Oldest', ['web-2', 'web-0']],
  ] as const)('deletes those that come first in %s', (sortPolicy, names) => {
    const ages = [-30, -10, -40, -20];
    const machines = ages.map((age, index) => made(index, { creationTimestamp: at(age) }));
    const strategy = { proactive: { selectionPolicy: { sortPolicy } } };

    const { actions } = decide(pool({ replicas: 2, scaleInStrategy: strategy }), { machines });

    expect(actions.map(nameOf)).toEqual(names);
    expect(actions.every(({ kind }) => kind === 'delete-machine')).toBe(true);
  });

  it('deletes by chance unless it is told otherwise', () => {
    const machines = [made(0), made(1), made(2)];
    const chances = [0.9, 0.1, 0.5];

    const { actions } = decide(pool({ replicas: 1 }), { machines, random: () => chances.shift() ?? 0 });

    expect(actions.map(nameOf)).toEqual(['web-1', 'web-2']);
  });

  it('deletes only those that may go', () => {
    const selectors = { labelSelector: { matchLabels: { app: 'other' } } };
    const strategy = { proactive: { selectionPolicy: { selectors } } };

    expect(decide(pool({ replicas: 1, scaleInStrategy: strategy }), { machines: [made(0), made(1)] }).actions).toEqual(
      [],
    );
  });

  it('counts those that go already', () => {
    const machines = [made(0), made(1), made(2, { deletionTimestamp: at(0) })];

    expect(decide(pool({ replicas: 2 }), { machines }).actions).toEqual([]);
  });

  it.each([{ unmanaged: {} }, { opportunistic: {} }])('deletes none with %j', (scaleInStrategy) => {
    expect(decide(pool({ replicas: 0, scaleInStrategy }), { machines: [made(0)] }).actions).toEqual([]);
  });

  it.each<[string, VirtualMachinePool]>([
    ['paused', pool({ replicas: 5, paused: true })],
    ['deleted', { ...pool({ replicas: 5 }), metadata: { name: 'web', deletionTimestamp: at(0) } }],
    ['about other labels than it gives', pool({ replicas: 5, selector: { matchLabels: { app: 'other' } } })],
  ])('does nothing while it is %s', (_what, idle) => {
    expect(decide(idle).actions).toEqual([]);
  });

  it('counts those that are there, and those that are ready', () => {
    const machines = [{ ...made(0), status: READY }, made(1)];

    expect(decide(pool({ replicas: 2 }), { machines }).status).toEqual({
      replicas: 2,
      readyReplicas: 1,
      labelSelector: 'app=web',
      conditions: [],
    });
  });

  it('says that it is paused, and what went wrong', () => {
    const problem = { reason: 'FailedCreate', message: 'exceeded quota' };

    const { status } = decide(pool({ paused: true }), { problem });

    expect(status.conditions).toMatchObject([
      { type: 'ReplicaPaused', status: 'True', reason: 'SuccessfulPaused' },
      { type: 'ReplicaFailure', status: 'True', ...problem },
    ]);
    expect(decide({ ...pool({}), status }).status.conditions).toEqual([]);
  });

  it('comes to rest: what it makes and deletes leaves nothing to do', () => {
    fc.assert(
      fc.property(fc.nat(8), fc.uniqueArray(fc.nat(9)), (replicas, numbers) => {
        const wanted = pool({ replicas });
        let machines: readonly VirtualMachine[] = numbers.map((number) => made(number));
        for (let pass = 0; pass < 3; pass++) machines = after(decide(wanted, { machines }).actions, machines);

        expect(machines).toHaveLength(replicas);
        expect(decide(wanted, { machines }).actions).toEqual([]);
      }),
    );
  });
});

describe('a pool whose template has changed', () => {
  const larger = { memory: { guest: '2Gi' } };

  it('changes its machines first, and keeps what their guests know themselves by', () => {
    const old = withFirmware(made(0), { uuid: 'u-1', serial: 's-1' });

    const { actions } = decide(changed(larger), { machines: [old] });

    expect(actions).toMatchObject([
      {
        kind: 'update-machine',
        machine: {
          metadata: { name: 'web-0', labels: { 'kubevirt.io/vm-pool-revision-name': 'web-3' } },
          spec: { template: { spec: { domain: { ...larger, firmware: { uuid: 'u-1', serial: 's-1' } } } } },
        },
      },
    ]);
  });

  it('does not touch machines when only their number has changed', () => {
    const wanted = { ...pool({ replicas: 1 }), metadata: { ...pool({}).metadata, generation: 9 } };

    expect(decide(wanted, { machines: [made(0)], instances: [running(0)] }).actions).toEqual([]);
  });

  it('restarts what runs of the old one, as many as may be down', () => {
    const wanted = changed(larger, { replicas: 3, maxUnavailable: 1, ...inOrder() });
    const facts = {
      machines: [0, 1, 2].map((index) => made(index, {}, wanted)),
      instances: [0, 1, 2].map((index) => running(index)),
    };

    expect(decide(wanted, facts).actions).toEqual([{ kind: 'restart-instance', name: 'web-0', uid: 'uid-0' }]);
  });

  it('waits while others are down', () => {
    const wanted = changed(larger, { replicas: 3, maxUnavailable: '34%', ...inOrder() });
    const machines = [0, 1, 2].map((index) => made(index, {}, wanted));

    expect(decide(wanted, { machines, instances: [running(0), running(1)] }).actions).toEqual([]);
  });

  it('goes on beside a machine that somebody has halted', () => {
    const wanted = changed(larger, { replicas: 3, maxUnavailable: 1, ...inOrder() });
    const halted = made(0, {}, wanted);
    const machines = [
      { ...halted, spec: { ...halted.spec, runStrategy: 'Halted' } },
      made(1, {}, wanted),
      made(2, {}, wanted),
    ];

    expect(decide(wanted, { machines, instances: [running(1), running(2)] }).actions.map(nameOf)).toEqual(['web-1']);
  });

  it('waits while others are down that it may not restart itself', () => {
    const selectors = { labelSelector: { matchLabels: { tier: 'front' } } };
    const updateStrategy = { proactive: { selectionPolicy: { selectors } } };
    const wanted = changed(larger, { replicas: 2, maxUnavailable: 1, updateStrategy });
    const front = made(0, {}, wanted);
    const metadata = { ...front.spec.template.metadata, labels: { app: 'web', tier: 'front' } };
    const spec = { ...front.spec, template: { ...front.spec.template, metadata } };
    const machines = [{ ...front, spec }, made(1, {}, wanted)];

    const whileDown = decide(wanted, { machines, instances: [running(0)] });
    const whileUp = decide(wanted, { machines, instances: [running(0), running(1)] });

    expect([whileDown.actions, whileUp.actions.map(nameOf)]).toEqual([[], ['web-0']]);
  });

  it('restarts at once what serves nobody', () => {
    const wanted = changed(larger, { replicas: 2, maxUnavailable: 1, ...inOrder() });
    const facts = {
      machines: [0, 1].map((index) => made(index, {}, wanted)),
      instances: [running(0), running(1, { conditions: [] })],
    };

    expect(decide(wanted, facts).actions.map(nameOf)).toEqual(['web-1']);
  });

  it.each([
    [{ unmanaged: {} }, []],
    [{ opportunistic: {} }, ['update-machine']],
  ])('does with %j no more than %j', (updateStrategy, kinds) => {
    const wanted = changed(larger, { updateStrategy });

    expect(decide(wanted, { machines: [made(0)], instances: [running(0)] }).actions.map(({ kind }) => kind)).toEqual(
      kinds,
    );
    const upToDate = { machines: [made(0, {}, wanted)], instances: [running(0)] };
    expect(decide(wanted, upToDate).actions).toEqual([]);
  });

  it('makes machines anew whose volumes have changed', () => {
    const wanted = pool({
      virtualMachineTemplate: {
        metadata: { labels: { app: 'web' } },
        spec: {
          runStrategy: 'Always',
          template: template(),
          dataVolumeTemplates: [{ metadata: { name: 'data' }, spec: {} }],
        },
      },
    });

    const { actions } = decide(wanted, { machines: [made(0, {}, wanted)], instances: [running(0)] });

    expect(actions).toEqual([{ kind: 'replace-machine', name: 'web-0', uid: 'm-0' }]);
  });
});
