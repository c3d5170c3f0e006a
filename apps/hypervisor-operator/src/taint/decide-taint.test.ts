import { expect, it } from 'vitest';

import { testHypervisor } from '../fixtures/fleet-objects.ts';
import { decideTaint } from './decide-taint.ts';
import { defaultTaintSettings } from './taint-settings.ts';

const BY_HAND = {
  type: 'Tainted',
  status: 'True',
  reason: 'Kubectl',
  message: '⚠️',
  observedGeneration: 3,
  isWarning: true,
};
const CLEAN = { type: 'Tainted', status: 'False', reason: 'NoKubectl', message: '🟢', observedGeneration: 3 };

it.each([
  { managers: [], stated: CLEAN },
  { managers: ['hypervisor', 'onboarding'], stated: CLEAN },
  { managers: ['hypervisor', 'kubectl-edit'], stated: BY_HAND },
  { managers: ['kubectl'], stated: BY_HAND },
  { managers: ['kubectl-client-side-apply', 'hypervisor'], stated: BY_HAND },
  { managers: ['my-kubectl'], stated: CLEAN },
])('with the managers $managers says $stated.reason', ({ managers, stated }) => {
  const managedFields = [...managers.map((manager) => ({ manager })), {}];
  const hypervisor = testHypervisor('n1', { metadata: { generation: 3, managedFields } });

  expect(decideTaint(hypervisor, defaultTaintSettings)).toEqual(stated);
});

it.each([
  { judged: 3, says: 'nothing about a generation it has judged', reason: undefined },
  { judged: 2, says: 'something about a new generation', reason: 'Kubectl' },
])('says $says', ({ judged, reason }) => {
  const hypervisor = testHypervisor('n1', {
    metadata: { generation: 3, managedFields: [{ manager: 'kubectl-edit' }] },
    conditions: [['Tainted', 'False', 'NoKubectl']],
  });
  const conditions = hypervisor.status?.conditions?.map((one) => ({ ...one, observedGeneration: judged }));
  const known = { ...hypervisor, status: { numInstances: 0, conditions: conditions ?? [] } };

  expect(decideTaint(known, defaultTaintSettings)?.reason).toBe(reason);
});
