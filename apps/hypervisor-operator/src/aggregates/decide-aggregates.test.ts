import { expect, it } from 'vitest';

import { testHypervisor, type HypervisorParts } from '../fixtures/fleet-objects.ts';
import { decideAggregates } from './decide-aggregates.ts';

const ids = { hypervisorId: 'h', serviceId: 's' };
const TERMINATION = { maintenance: 'termination' } as const;
const TESTED = ['False', 'TestAggregates', 'Test aggregate applied during onboarding instead of spec aggregates'];
const WAITING = ['False', 'WaitingForTraits', 'Waiting for traits to be applied before switching to spec aggregates'];
const ABORTED = [
  'False',
  'TestAggregates',
  'Test aggregate applied instead of spec aggregates: onboarding was aborted',
];
const APPLIED = ['True', 'Succeeded', 'Aggregates from spec applied successfully'];
const CLEARED = ['False', 'Terminating', 'Aggregates cleared due to termination after eviction'];
const UNCHANGED = ['False', 'EvictionInProgress', 'Aggregates unchanged while terminating and eviction in progress'];

interface Row {
  readonly what: string;
  readonly parts: HypervisorParts;
  readonly names: readonly string[] | 'kept';
  readonly words: readonly string[];
}

it.each<Row>([
  { what: 'begins', parts: { conditions: [['Onboarding', 'True', 'Initial']] }, names: ['a', 'test'], words: TESTED },
  {
    what: 'is tested',
    parts: { conditions: [['Onboarding', 'True', 'Testing']] },
    names: ['a', 'test'],
    words: TESTED,
  },
  {
    what: 'hands over before it has its traits',
    parts: { conditions: [['Onboarding', 'True', 'Handover']] },
    names: ['a', 'test'],
    words: WAITING,
  },
  {
    what: 'hands over when its traits have failed',
    parts: {
      conditions: [
        ['Onboarding', 'True', 'Handover'],
        ['TraitsUpdated', 'False', 'Failed'],
      ],
    },
    names: ['a', 'test'],
    words: WAITING,
  },
  {
    what: 'hands over with its traits',
    parts: {
      conditions: [
        ['Onboarding', 'True', 'Handover'],
        ['TraitsUpdated', 'True', 'Succeeded'],
      ],
    },
    names: ['a', 'special'],
    words: APPLIED,
  },
  {
    what: 'is onboarded',
    parts: { conditions: [['Onboarding', 'False', 'Succeeded']] },
    names: ['a', 'special'],
    words: APPLIED,
  },
  {
    what: 'failed its tests',
    parts: { conditions: [['Onboarding', 'False', 'Aborted']] },
    names: ['a', 'test'],
    words: ABORTED,
  },
  {
    what: 'is in maintenance',
    parts: { spec: { maintenance: 'manual' }, conditions: [['Onboarding', 'False', 'Succeeded']] },
    names: ['a', 'special'],
    words: APPLIED,
  },
  {
    what: 'is terminated and evicted',
    parts: { spec: TERMINATION, conditions: [['Evicting', 'False', 'Succeeded']] },
    names: [],
    words: CLEARED,
  },
  {
    what: 'is terminated and was evicted in an earlier maintenance',
    parts: { spec: TERMINATION, status: { evicted: false }, conditions: [['Evicting', 'False', 'Succeeded']] },
    names: 'kept',
    words: UNCHANGED,
  },
  {
    what: 'is terminated and being evicted',
    parts: { spec: TERMINATION, conditions: [['Evicting', 'True', 'Running']] },
    names: 'kept',
    words: UNCHANGED,
  },
  {
    what: 'is terminated and could not be evicted',
    parts: { spec: TERMINATION, conditions: [['Evicting', 'False', 'Failed']] },
    names: 'kept',
    words: UNCHANGED,
  },
  { what: 'is terminated and not evicted yet', parts: { spec: TERMINATION }, names: 'kept', words: UNCHANGED },
])('a host that $what belongs in $names', ({ parts, names, words }) => {
  const decision = decideAggregates(inZone('a', parts), 'test');

  const [status, reason, message] = words;
  const condition = { type: 'AggregatesUpdated', status, reason, message };
  expect(decision).toEqual(names === 'kept' ? { kind: 'keep', condition } : { kind: 'apply', names, condition });
});

it.each<{ what: string; parts: HypervisorParts }>([
  { what: 'is not looked after', parts: { spec: { lifecycleEnabled: false } } },
  { what: 'has no hypervisor id', parts: { status: { serviceId: 's', hypervisorId: '' } } },
  { what: 'has no service id', parts: { status: { hypervisorId: 'h', serviceId: '' } } },
  { what: 'has its ids, but is not onboarded yet', parts: { status: ids } },
  {
    what: 'is gone from the compute system',
    parts: {
      spec: TERMINATION,
      conditions: [
        ['Evicting', 'False', 'Succeeded'],
        ['Offboarded', 'True', 'Offboarded'],
      ],
    },
  },
])('nothing is decided for a host that $what', ({ parts }) => {
  expect(decideAggregates(inZone('a', parts), 'test')).toEqual({ kind: 'wait' });
});

it('needs to know the zone of a host that is to be tested', () => {
  const hypervisor = testHypervisor('n1', { status: ids, conditions: [['Onboarding', 'True', 'Initial']] });

  expect(decideAggregates(hypervisor, 'test')).toMatchObject({
    kind: 'keep',
    condition: {
      status: 'False',
      reason: 'Failed',
      message:
        'failed to apply aggregates: the hypervisor has no label topology.kubernetes.io/zone: set it on its node',
      isWarning: true,
    },
  });
});

it('takes a name that is given twice for one', () => {
  const hypervisor = inZone('a', {
    spec: { aggregates: ['x', 'y', 'x'] },
    conditions: [['Onboarding', 'False', 'Succeeded']],
  });

  expect(decideAggregates(hypervisor, 'test')).toMatchObject({ names: ['x', 'y'] });
});

function inZone(zone: string, { spec, status, conditions = [] }: HypervisorParts) {
  return testHypervisor('n1', {
    metadata: { labels: { 'topology.kubernetes.io/zone': zone } },
    spec: { aggregates: [zone, 'special'], ...spec },
    status: { ...ids, ...status },
    conditions,
  });
}
