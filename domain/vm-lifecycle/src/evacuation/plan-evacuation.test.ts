import type { VirtualMachineInstance, VirtualMachineInstanceMigration } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { at, guest, instance, migration, node, NOW } from '../fixtures/objects.ts';
import { evacuationDelayMs } from './evacuation-delay.ts';
import { planEvacuation, type EvacuationFacts } from './plan-evacuation.ts';

const migratable = { conditions: [{ type: 'LiveMigratable', status: 'True' }] };
const marked = instance('Running', { ...migratable, evacuationNodeName: 'n1' });

describe('planEvacuation', () => {
  it('migrates an instance that was told to leave, with high priority', () => {
    expect(plan({ instances: [marked] })).toEqual({
      stuck: [],
      actions: [
        {
          kind: 'create-migration',
          migration: {
            apiVersion: 'kubevirt.io/v1',
            kind: 'VirtualMachineInstanceMigration',
            metadata: {
              name: '',
              generateName: 'kubevirt-evacuation-',
              namespace: 'default',
              annotations: { 'kubevirt.io/evacuationMigration': 'n1' },
            },
            spec: { vmiName: 'vm', priority: 'system-critical' },
          },
        },
      ],
    });
  });

  it('is in less of a hurry for the descheduler', () => {
    const annotations = { 'kubevirt.io/eviction-source': 'descheduler' };
    const vmi = { ...marked, metadata: { ...marked.metadata, annotations } };

    expect(plan({ instances: [vmi] }).actions).toMatchObject([
      { migration: { spec: { priority: 'system-maintenance' } } },
    ]);
  });

  it.each<[string, Partial<EvacuationFacts>]>([
    ['nobody told to leave', { instances: [instance('Running', migratable)] }],
    ['that is deleted', { instances: [{ ...marked, metadata: { ...marked.metadata, deletionTimestamp: at(0) } }] }],
    [
      'that has ended',
      { instances: [instance('Succeeded', { ...migratable, nodeName: 'n1', evacuationNodeName: 'n1' })] },
    ],
    ['that is on its way', { instances: [marked], migrations: [migration('Scheduling')] }],
    ['that somebody else moves', { instances: [{ ...marked, spec: guest({ evictionStrategy: 'External' }) }] }],
  ])('leaves one alone %s', (_which, facts) => {
    expect(plan(facts)).toEqual({ actions: [], stuck: [] });
  });

  it.each([
    ['LiveMigrate', 1],
    ['LiveMigrateIfPossible', 1],
    ['None', 0],
  ])('with the drain taint alone, moves those whose strategy is %s: %i', (evictionStrategy, count) => {
    const tainted = { ...node('n1', 0), spec: { taints: [{ key: 'kubevirt.io/drain', effect: 'NoSchedule' }] } };
    const instances = [instance('Running', migratable, {}, guest({ evictionStrategy }))];

    expect(plan({ node: tainted, drainTaintKey: 'kubevirt.io/drain', instances }).actions).toHaveLength(count);
  });

  it('names those that cannot leave, and what to do', () => {
    const conditions = [{ type: 'LiveMigratable', status: 'False', message: 'it uses the GPU a' }];

    const { actions, stuck } = plan({ instances: [instance('Running', { conditions, evacuationNodeName: 'n1' })] });

    expect({ actions, stuck }).toMatchObject({
      actions: [],
      stuck: [{ name: 'vm', message: expect.stringContaining('it uses the GPU a; stop it') }],
    });
  });

  it('takes the mark off one that has left', () => {
    const vmi = instance('Running', { ...migratable, nodeName: 'n2', evacuationNodeName: 'n1' });

    expect(plan({ instances: [vmi] }).actions).toEqual([
      { kind: 'clear-evacuation', namespace: 'default', name: 'vm' },
    ]);
  });

  it('waits after a failure before it tries again', () => {
    const facts = { instances: [marked], migrations: [evacuation('Failed', -5)] };

    expect(plan(facts)).toEqual({ actions: [], stuck: [], requeueAfterMs: 15_000 });
    expect(plan({ ...facts, now: NOW + 15_000 }).actions).toHaveLength(1);
  });
});

describe('evacuationDelayMs', () => {
  it.each([
    [0, 0],
    [1, 20],
    [2, 40],
    [3, 80],
    [8, 2560],
    [9, 3600],
  ])('waits after %i failures in a row %i s', (count, seconds) => {
    const failures = Array.from({ length: count }, (_, index) => evacuation('Failed', -index * 100));

    expect(evacuationDelayMs(failures, NOW)).toBe(seconds * 1000);
  });

  it('begins anew after a success, and does not count what people asked for', () => {
    expect(
      evacuationDelayMs([evacuation('Failed', 0), evacuation('Succeeded', -10), evacuation('Failed', -20)], NOW),
    ).toBe(20_000);
    expect(evacuationDelayMs([migration('Failed')], NOW)).toBe(0);
  });

  const HOURS = 3 * 3600;
  it.each([
    ['does not wait for the time of before', [evacuation('Failed', HOURS)], 0],
    ['waits after the next failure', [evacuation('Failed', HOURS), evacuation('Failed', -5)], 35],
    [
      'takes a success of before for older than a failure of now',
      [evacuation('Succeeded', HOURS), evacuation('Failed', -5)],
      15,
    ],
    ['waits no longer than the delay where clocks differ a little', [evacuation('Failed', 10)], 20],
  ])('after the clock was set back %s', (_what, migrations, seconds) => {
    expect(evacuationDelayMs(migrations, NOW)).toBe(seconds * 1000);
  });
});

function plan(
  facts:
    | (Partial<EvacuationFacts> & { readonly instances: readonly VirtualMachineInstance[] })
    | Partial<EvacuationFacts>,
) {
  return planEvacuation({ node: node('n1', 0), instances: [], migrations: [], now: NOW, ...facts });
}

function evacuation(phase: string, seconds: number): VirtualMachineInstanceMigration {
  return migration(phase, {
    name: `m${-seconds}`,
    metadata: { creationTimestamp: at(seconds), annotations: { 'kubevirt.io/evacuationMigration': 'n1' } },
    status: { phase, phaseTransitionTimestamps: [{ phase, phaseTransitionTimestamp: at(seconds) }] },
  });
}
