import { shareStructure } from '@smalt/controller-runtime';
import type { Hypervisor, HypervisorStatus } from '@smalt/fleet-api';
import { expect, it } from 'vitest';

import { isMoreThanWords } from './is-more-than-words.ts';

const own = { conditionTypes: ['TraitsUpdated'], fieldNames: ['traits'] };
const SAID = [
  condition('TraitsUpdated', 'False', 'Failed', 'busy'),
  condition('Evicting', 'True', 'Running', '3 left'),
  condition('Ready', 'False', 'Evicting', '3 left'),
];
const BEFORE: HypervisorStatus = { numInstances: 3, traits: ['A'], lifecycleState: 'Evicting', conditions: SAID };

it.each<{ readonly what: string; readonly change: Partial<HypervisorStatus>; readonly isMore: boolean }>([
  { what: 'its own condition', change: { conditions: said('TraitsUpdated', 'True', 'Succeeded') }, isMore: false },
  { what: 'its own field', change: { traits: ['B'] }, isMore: false },
  { what: 'the words of another', change: { conditions: said('Evicting', 'True', 'Running') }, isMore: false },
  { what: 'the reason of another', change: { conditions: said('Evicting', 'True', 'Waiting') }, isMore: true },
  { what: 'the status of another', change: { conditions: said('Evicting', 'False', 'Running') }, isMore: true },
  { what: 'a condition that goes', change: { conditions: SAID.slice(0, 1) }, isMore: true },
  { what: 'the summary', change: { conditions: said('Ready', 'True', 'Ready') }, isMore: false },
  { what: 'the state', change: { lifecycleState: 'Maintenance' }, isMore: false },
  { what: 'a field of another', change: { serviceId: 'new' }, isMore: true },
  { what: 'nothing', change: {}, isMore: false },
])('says $isMore when $what changes', ({ change, isMore }) => {
  const old = told(BEFORE);

  const current = shareStructure(old, told({ ...BEFORE, ...change }));

  expect(isMoreThanWords({ key: 'node-1', old, current }, own)).toBe(isMore);
});

it('takes whatever happens beside the status for a reason', () => {
  const old = told(BEFORE);
  const labelled = shareStructure(old, { ...old, metadata: { ...old.metadata, labels: { a: 'b' } } });

  expect(isMoreThanWords({ key: 'node-1', old, current: labelled }, own)).toBe(true);
  expect(isMoreThanWords({ key: 'node-1', old: undefined, current: old }, own)).toBe(true);
  expect(isMoreThanWords({ key: 'node-1', old, current: undefined }, own)).toBe(true);
});

function said(type: string, status: 'True' | 'False', reason: string) {
  return SAID.map((each) => (each.type === type ? condition(type, status, reason, 'other words') : each));
}

function condition(type: string, status: 'True' | 'False', reason: string, message: string) {
  return { type, status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' };
}

function told(status: HypervisorStatus): Hypervisor {
  return { apiVersion: 'kvm.cloud.sap/v1', kind: 'Hypervisor', metadata: { name: 'node-1' }, status };
}
