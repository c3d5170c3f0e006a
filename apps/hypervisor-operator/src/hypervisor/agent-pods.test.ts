import type { Fields } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { makeEmptyHost, makeHost, plainSpec, said, stateEvicted, taintNode } from '../fixtures/test-hosts.ts';
import { createHypervisorController } from './hypervisor-controller.ts';
import { defaultHypervisorSettings, type HypervisorSettings } from './hypervisor-settings.ts';
import { listAgentPods } from './list-agent-pods.ts';
import { podKind } from './pod.ts';

const LIFECYCLE = 'cobaltcore.cloud.sap/node-hypervisor-lifecycle';
const TRAITS = 'nova.openstack.cloud.sap/custom-traits';
const ZONE = 'topology.kubernetes.io/zone';

const settings: HypervisorSettings = {
  ...defaultHypervisorSettings,
  agentNamespaces: ['agents', 'more-agents'],
  agentPodsPollMs: 50,
  podPageSize: 2,
};
const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

describe('the hypervisor controller, while a host leaves,', { timeout: 60_000 }, () => {
  let bed: OperatorBed;

  beforeAll(async () => {
    bed = await startOperatorBed({
      cloud: 'none',
      controllers: (context) => [createHypervisorController(context, settings)],
    });
    for (const name of ['agents', 'more-agents', 'others']) {
      await bed.client.resource(namespaceKind).create({ metadata: { name } });
    }
  });

  afterAll(() => bed[Symbol.asyncDispose]());

  it('waits for agent pods of a host that is being offboarded, whatever of its spec cannot be changed', async () => {
    await makeEmptyHost(bed, 'leaving');
    await makePod('leaving', 'agents', 'nova-compute');
    await makePod('leaving', 'agents', 'node-agent', { tolerations: [{ operator: 'Exists' }] });
    await makePod('leaving', 'agents', 'another', {
      tolerations: [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }],
    });
    await makePod('leaving', 'more-agents', 'neutron');
    await makePod('leaving', 'others', 'not-an-agent');
    await makePod('elsewhere', 'agents', 'nova-compute-elsewhere');
    await taintNode(bed, 'leaving');
    await makeHost(bed, 'leaving', {
      labels: { [ZONE]: 'b', [LIFECYCLE]: 'skip-tests' },
      annotations: { [TRAITS]: 'CUSTOM_B' },
    });

    const waiting = await bed.until('leaving', (one) => said(one, 'AgentPodsEvicted')?.status === 'False');
    const labelled = await bed.until('leaving', ({ metadata }) => metadata.labels?.[ZONE] === 'b');
    await bed.client.resource(podKind).delete('nova-compute', { namespace: 'agents', gracePeriodSeconds: 0 });
    await bed.client.resource(podKind).delete('another', { namespace: 'agents', gracePeriodSeconds: 0 });
    await bed.client.resource(podKind).delete('neutron', { namespace: 'more-agents', gracePeriodSeconds: 0 });
    const free = await bed.until('leaving', (one) => said(one, 'AgentPodsEvicted')?.status === 'True');

    expect(said(waiting, 'AgentPodsEvicted')).toMatchObject({
      reason: 'AgentPodsRunning',
      message: '3 agent pod(s) still running on node: agents/another, agents/nova-compute, more-agents/neutron',
    });
    expect(labelled.spec).toMatchObject({ skipTests: false, customTraits: [] });
    expect(said(free, 'AgentPodsEvicted')).toMatchObject({ reason: 'NoAgentPods' });
  });

  it('forgets about agent pods when a host is taken back', async () => {
    await makeEmptyHost(bed, 'back');
    await taintNode(bed, 'back');
    await bed.until('back', (one) => said(one, 'AgentPodsEvicted')?.status === 'True');

    await bed.hypervisors.patch('back', 'merge', { spec: { maintenance: 'ha' } });

    const back = await bed.until('back', (one) => said(one, 'AgentPodsEvicted') === undefined);
    expect(said(back, 'Evicting')).toMatchObject({ status: 'False' });
  });

  it('says of a terminating hypervisor without a node that no agents are in the way', async () => {
    await bed.hypervisors.create({
      metadata: { name: 'nodeless' },
      spec: { ...plainSpec(), maintenance: 'termination' },
    });
    await stateEvicted(bed, 'nodeless');

    const leaving = await bed.until('nodeless', (one) => said(one, 'AgentPodsEvicted') !== undefined);
    await bed.hypervisors.patch('nodeless', 'merge', { spec: { maintenance: 'ha' } });
    await bed.until('nodeless', (one) => said(one, 'AgentPodsEvicted') === undefined);

    expect(said(leaving, 'AgentPodsEvicted')).toMatchObject({ status: 'True', reason: 'NoAgentPods' });
  });

  it('lets a host leave whose node does not say what it is, and changes nothing else of it', async () => {
    await bed.hypervisors.create({ metadata: { name: 'shy' }, spec: { ...plainSpec(), maintenance: 'termination' } });
    await stateEvicted(bed, 'shy');
    await bed.node('shy', { labels: { [ZONE]: 'a' } });
    await makePod('shy', 'agents', 'shy-agent');
    await taintNode(bed, 'shy');

    const shy = await bed.until('shy', (one) => said(one, 'AgentPodsEvicted')?.status === 'False');

    expect(shy.metadata).not.toHaveProperty('labels');
  });

  it('looks for agents everywhere when it is not told where they run', async () => {
    await makePod('busy', 'agents', 'busy-agent');
    await makePod('busy', 'others', 'busy-other');

    const pods = await listAgentPods(
      bed.client,
      'busy',
      { agentNamespaces: [], podPageSize: 1 },
      AbortSignal.timeout(5_000),
    );

    expect(pods.map(({ metadata }) => metadata.name).toSorted()).toEqual(['busy-agent', 'busy-other']);
  });

  it('looks again after ten seconds while agents run', async () => {
    await makeEmptyHost(bed, 'polled');
    await makePod('polled', 'agents', 'slow-agent');
    await taintNode(bed, 'polled');
    await bed.until('polled', (one) => said(one, 'AgentPodsEvicted')?.status === 'False');
    const { context } = bed.operator;
    const { reconcile } = createHypervisorController(context, {
      ...settings,
      agentPodsPollMs: defaultHypervisorSettings.agentPodsPollMs,
    });

    const look = (): ReturnType<typeof reconcile> => reconcile('polled', AbortSignal.timeout(5_000));

    await expect.poll(look, { timeout: 5_000 }).toEqual({ kind: 'requeue', afterMs: 10_000 });
  });

  it('tells the rest when pods cannot be listed, and tries again', async () => {
    await makeEmptyHost(bed, 'blind');
    const wrong = { ...settings, agentNamespaces: ['Not A Namespace/'] };
    await bed.restartOperator({ controllers: (context) => [createHypervisorController(context, wrong)] });
    await taintNode(bed, 'blind');
    await makeHost(bed, 'blind', { addresses: [{ type: 'InternalIP', address: '10.2.0.1' }] });

    const blind = await bed.until('blind', ({ status }) => status?.internalIp === '10.2.0.1');
    await expect.poll(() => failures('blind')).toBeGreaterThan(1);
    await bed.restartOperator();
    const seeing = await bed.until('blind', (one) => said(one, 'AgentPodsEvicted') !== undefined);

    expect(said(blind, 'AgentPodsEvicted')).toBeUndefined();
    expect(said(seeing, 'AgentPodsEvicted')?.status).toBe('True');
  });

  function failures(name: string): number {
    return bed.log.filter((line) => line['msg'] === 'reconcile failed' && line['name'] === name).length;
  }

  async function makePod(nodeName: string, namespace: string, name: string, more: Fields = {}): Promise<void> {
    const containers = [{ name: 'main', image: 'example.com/agent:1' }];
    const spec = { nodeName, ...Object({ containers }), ...more };
    await bed.client.resource(podKind).create({ metadata: { name, namespace }, spec });
  }
});
