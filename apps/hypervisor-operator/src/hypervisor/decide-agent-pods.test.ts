import { expect, it } from 'vitest';

import { decideAgentPods } from './decide-agent-pods.ts';
import type { Pod } from './pod.ts';
import type { Toleration } from './tolerates-taint.ts';

const KEY = 'kvm.cloud.sap/offboarding';

it.each<{ what: string; one: Pod; isInTheWay: boolean }>([
  { what: 'a running pod', one: pod('nova-compute'), isInTheWay: true },
  { what: 'a pending pod', one: pod('nova-compute', { phase: 'Pending' }), isInTheWay: true },
  { what: 'a pod that is being deleted', one: pod('nova-compute', { isDeleted: true }), isInTheWay: true },
  { what: 'a pod that succeeded', one: pod('job', { phase: 'Succeeded' }), isInTheWay: false },
  { what: 'a pod that failed', one: pod('job', { phase: 'Failed' }), isInTheWay: false },
  {
    what: 'a pod that tolerates the taint',
    one: pod('agent', { tolerates: [{ key: KEY, operator: 'Exists' }] }),
    isInTheWay: false,
  },
  {
    what: 'a pod that tolerates everything',
    one: pod('agent', { tolerates: [{ operator: 'Exists' }] }),
    isInTheWay: false,
  },
  {
    what: 'a pod that tolerates it for a while',
    one: pod('neutron', { tolerates: [{ key: KEY, operator: 'Exists', tolerationSeconds: 300 }] }),
    isInTheWay: true,
  },
  {
    what: 'a pod that tolerates it for no time at all',
    one: pod('neutron', { tolerates: [{ key: KEY, operator: 'Exists', tolerationSeconds: 0 }] }),
    isInTheWay: true,
  },
  {
    what: 'a pod that tolerates another effect',
    one: pod('neutron', { tolerates: [{ key: KEY, operator: 'Exists', effect: 'NoSchedule' }] }),
    isInTheWay: true,
  },
  {
    what: 'a pod of which one toleration lasts',
    one: pod('agent', { tolerates: [{ operator: 'Exists', tolerationSeconds: 1 }, { operator: 'Exists' }] }),
    isInTheWay: false,
  },
])('takes $what for one that is in the way: $isInTheWay', ({ one, isInTheWay }) => {
  expect(decideAgentPods([one]).status).toBe(isInTheWay ? 'False' : 'True');
});

it('says that none are left', () => {
  expect(decideAgentPods([])).toEqual({
    type: 'AgentPodsEvicted',
    status: 'True',
    reason: 'NoAgentPods',
    message: 'No agent pods are running on this node',
  });
});

it('names those that are left, in order', () => {
  const pods = [pod('nova-compute'), pod('done', { phase: 'Succeeded' }), pod('neutron-agent')];

  expect(decideAgentPods(pods)).toEqual({
    type: 'AgentPodsEvicted',
    status: 'False',
    reason: 'AgentPodsRunning',
    message: '2 agent pod(s) still running on node: monsoon3/neutron-agent, monsoon3/nova-compute',
  });
});

interface PodShape {
  readonly phase?: string;
  readonly isDeleted?: boolean;
  readonly tolerates?: readonly Toleration[];
}

function pod(name: string, { phase = 'Running', isDeleted = false, tolerates = [] }: PodShape = {}): Pod {
  const deletion = isDeleted ? { deletionTimestamp: '2026-03-01T12:00:00Z' } : {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'monsoon3', ...deletion },
    spec: { nodeName: 'node1', tolerations: tolerates },
    status: { phase },
  };
}
