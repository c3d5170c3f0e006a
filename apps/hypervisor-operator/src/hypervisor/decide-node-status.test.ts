import { describe, expect, it } from 'vitest';

import { testHypervisor, testNode, type HypervisorParts, type NodeParts } from '../fixtures/fleet-objects.ts';
import { decideAgentPods } from './decide-agent-pods.ts';
import { currentAgentPods, decideAgentPodsQuestion, decideInternalIp, nodeStatement } from './decide-node-status.ts';

const TAINT = { key: 'kvm.cloud.sap/offboarding', effect: 'NoExecute' } as const;
const EVICTED = ['Evicting', 'False', 'Succeeded'] as const;

describe('decideInternalIp', () => {
  const both = [
    ['InternalIP', 'fd00::1'],
    ['InternalIP', '10.0.0.1'],
  ] as const;

  it.each<{ what: string; addresses: NodeParts['addresses']; current?: string; chosen: string | undefined }>([
    { what: 'none of a node without addresses', addresses: [], chosen: undefined },
    {
      what: 'the one there is',
      addresses: [
        ['Hostname', 'n1'],
        ['InternalIP', '10.0.0.1'],
      ],
      chosen: '10.0.0.1',
    },
    { what: 'no external one', addresses: [['ExternalIP', '192.0.2.1']], chosen: undefined },
    {
      what: 'no empty one',
      addresses: [
        ['InternalIP', ''],
        ['InternalIP', '10.0.0.1'],
      ],
      chosen: '10.0.0.1',
    },
    { what: 'the first of two', addresses: both, chosen: 'fd00::1' },
    { what: 'the current one of two, whichever it is', addresses: both, current: '10.0.0.1', chosen: '10.0.0.1' },
    { what: 'the first when the current one is gone', addresses: both, current: '10.0.0.9', chosen: 'fd00::1' },
    { what: 'the last known when there is none now', addresses: [], current: '10.0.0.9', chosen: '10.0.0.9' },
  ])('takes $what', ({ addresses = [], current, chosen }) => {
    expect(decideInternalIp(testNode('n1', { addresses }), current)).toBe(chosen);
  });
});

describe('nodeStatement', () => {
  it.each<{ what: string; node: NodeParts; conditions: readonly object[] }>([
    { what: 'a node that stays', node: {}, conditions: [] },
    { what: 'a node that was to terminate', node: { terminating: 'False' }, conditions: [] },
    { what: 'a node of which nobody knows', node: { terminating: 'Unknown' }, conditions: [] },
    { what: 'a node that terminates', node: { terminating: 'True' }, conditions: [terminating()] },
    {
      what: 'a node that is being deleted',
      node: { deletionTimestamp: '2026-03-01T12:00:00Z' },
      conditions: [terminating()],
    },
  ])('says of $what what is so now', ({ node, conditions }) => {
    const hypervisor = testHypervisor('n1', { conditions: [['Terminating', 'True', 'Terminating']] });

    expect(nodeStatement(hypervisor, testNode('n1', node), undefined)).toEqual({ fields: {}, conditions });
  });

  it('tells address, termination and agents in one go', () => {
    const node = testNode('n1', { terminating: 'True', addresses: [['InternalIP', '10.0.0.1']] });

    expect(nodeStatement(testHypervisor('n1'), node, decideAgentPods([]))).toMatchObject({
      fields: { internalIp: '10.0.0.1' },
      conditions: [{ type: 'Terminating' }, { type: 'AgentPodsEvicted', status: 'True' }],
    });
  });
});

describe('decideAgentPodsQuestion', () => {
  const termination = { maintenance: 'termination' } as const;
  const offboarded = ['Offboarded', 'True', 'Offboarded'] as const;

  it.each<{ what: string; is: HypervisorParts; node?: NodeParts; question: string }>([
    { what: 'a host in use', is: { conditions: [EVICTED] }, question: 'none' },
    {
      what: 'a host in manual maintenance',
      is: { spec: { maintenance: 'manual' }, conditions: [EVICTED] },
      question: 'none',
    },
    {
      what: 'a host that was taken back',
      is: { spec: { maintenance: 'ha' }, conditions: [EVICTED] },
      question: 'none',
    },
    { what: 'a host whose eviction has not begun', is: { spec: termination }, question: 'none' },
    {
      what: 'a host that is being emptied',
      is: { spec: termination, conditions: [['Evicting', 'True', 'Running']] },
      question: 'none',
    },
    {
      what: 'a host that could not be emptied',
      is: { spec: termination, conditions: [['Evicting', 'False', 'Failed']] },
      question: 'none',
    },
    {
      what: 'an empty host without the taint',
      is: { spec: termination, conditions: [EVICTED] },
      node: {},
      question: 'none',
    },
    {
      what: 'an empty host with the taint of another effect',
      is: { spec: termination, conditions: [EVICTED] },
      node: { taints: [{ ...TAINT, effect: 'NoSchedule' }] },
      question: 'none',
    },
    { what: 'an empty host with the taint', is: { spec: termination, conditions: [EVICTED] }, question: 'ask' },
    {
      what: 'a host that is offboarded',
      is: { spec: termination, conditions: [EVICTED, offboarded] },
      question: 'keep',
    },
  ])('is about $what: $question', ({ is, node = { taints: [TAINT] }, question }) => {
    expect(decideAgentPodsQuestion(testHypervisor('n1', is), testNode('n1', node))).toBe(question);
  });

  it('needs no taint where there is no node', () => {
    const hypervisor = testHypervisor('n1', { spec: termination, conditions: [EVICTED] });

    expect(decideAgentPodsQuestion(hypervisor, undefined)).toBe('ask');
  });
});

it('repeats what was said about agents, without the times', () => {
  const hypervisor = testHypervisor('n1', { conditions: [['AgentPodsEvicted', 'True', 'NoAgentPods']] });

  expect(currentAgentPods(hypervisor)).toEqual({
    type: 'AgentPodsEvicted',
    status: 'True',
    reason: 'NoAgentPods',
    message: 'AgentPodsEvicted is True',
  });
  expect(currentAgentPods(testHypervisor('n1'))).toBeUndefined();
});

function terminating(): object {
  return { type: 'Terminating', status: 'True', reason: 'Terminating', message: 'Node is terminating' };
}
