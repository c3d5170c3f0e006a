import { eventKind } from '@smalt/controller-runtime';
import { isNotFound, type ResourceClient } from '@smalt/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ClusterNode } from '../nodes/cluster-node.ts';
import type { DependentObject } from '../dependents/dependent-object.ts';
import { startOperatorBed, type NodeShape, type OperatorBed } from '../fixtures/operator-bed.ts';
import { plainSpec } from '../fixtures/test-hosts.ts';
import { untilObject } from '../fixtures/until-object.ts';
import { createNodeLifecycleController } from './node-lifecycle-controller.ts';
import { defaultNodeLifecycleSettings } from './node-lifecycle-settings.ts';
import { deploymentKind, podDisruptionBudgetKind } from './signal-kinds.ts';

const SYSTEM = { namespace: 'kube-system' };
const GARDENER = { 'worker.gardener.cloud/pool': 'p' };
const OURS = { key: 'kvm.cloud.sap/offboarding', effect: 'NoExecute' };
const OTHER = { key: 'example.com/other', value: 'x', effect: 'NoSchedule' };
const ONBOARDED = ['Onboarding', 'False', 'Succeeded'] as const;
const EVICTED = ['Evicting', 'False', 'Succeeded'] as const;
const OFFBOARDED = ['Offboarded', 'True', 'Offboarded'] as const;

type Words = readonly [type: string, status: string, reason: string];

describe('the node lifecycle controller', { timeout: 60_000 }, () => {
  let bed: OperatorBed;

  beforeAll(async () => {
    bed = await startOperatorBed({
      cloud: 'none',
      controllers: (context) => [createNodeLifecycleController(context, defaultNodeLifecycleSettings)],
    });
  });

  afterAll(() => bed[Symbol.asyncDispose]());

  it('holds a fresh node, lets others in once it is onboarded, and lets go of it once it is offboarded', async () => {
    await host('n1', { labels: GARDENER });
    const fresh = await budget('n1', () => true);
    const closed = await deployment('n1', (one) => probe(one) === '/bin/false');
    await say('n1', ONBOARDED);
    const open = await deployment('n1', (one) => probe(one) === '/bin/true');
    await say('n1', ONBOARDED, OFFBOARDED);
    const gone = await deployment('n1', ({ spec }) => spec?.['replicas'] === 0);
    const free = await budget('n1', ({ spec }) => spec?.['minAvailable'] === 0);

    expect(fresh).toMatchObject({
      metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n1' }] },
      spec: { minAvailable: 1, selector: { matchLabels: { 'cobaltcore-maintenance-controller': 'maint-n1' } } },
    });
    expect(fresh.metadata.managedFields?.[0]).toMatchObject({ manager: 'maintenance', operation: 'Apply' });
    expect([closed, open].map(({ spec }) => spec?.['replicas'])).toEqual([1, 1]);
    expect([gone, free].map(({ metadata }) => metadata.name)).toEqual(['maint-n1', 'maint-n1']);
  });

  it('holds an offboarded node as long as high availability watches it', async () => {
    await host('watched', { labels: GARDENER, conditions: [{ type: 'Terminating', status: 'True', reason: 'Drain' }] });
    await say('watched', ONBOARDED, ['HaEnabled', 'True', 'Succeeded'], OFFBOARDED);
    const held = await deployment('watched', (one) => probe(one) === '/bin/true');

    await say('watched', ONBOARDED, ['HaEnabled', 'False', 'Evicted'], OFFBOARDED);

    expect(held.spec).toMatchObject({ replicas: 1 });
    await budget('watched', ({ spec }) => spec?.['minAvailable'] === 0);
  });

  it('puts right what others changed or deleted', async () => {
    await host('mended', { labels: GARDENER });
    const first = await deployment('mended', () => true);
    await deployments().patch('maint-mended', 'merge', { spec: { replicas: 5 } }, SYSTEM);

    await deployment('mended', ({ spec }) => spec?.['replicas'] === 1);
    await deployments().delete('maint-mended', { ...SYSTEM, propagationPolicy: 'Background' });

    const second = await deployment('mended', ({ metadata }) => metadata.uid !== first.metadata.uid);
    expect(second.spec).toMatchObject({ replicas: 1 });
  });

  it('makes no pods for nodes that Gardener did not make, nor without a lifecycle', async () => {
    await host('plain');
    await host('unmanaged', { labels: GARDENER }, { lifecycleEnabled: false });
    await host('managed', { labels: GARDENER });

    await deployment('managed', () => true);

    await expect(deployments().get('maint-plain', SYSTEM)).rejects.toSatisfy(isNotFound);
    await expect(deployments().get('maint-unmanaged', SYSTEM)).rejects.toSatisfy(isNotFound);
  });

  it('drives agents off an empty host, and lets them back when it is taken back', async () => {
    await host('empty');
    await bed.nodes.patch('empty', 'merge', { spec: { taints: [OTHER] } });
    await bed.hypervisors.patch('empty', 'merge', { spec: { maintenance: 'termination' } });
    await say('empty', EVICTED);

    const tainted = await node('empty', ({ spec }) => spec?.taints?.length === 2);
    await bed.hypervisors.patch('empty', 'merge', { spec: { maintenance: 'ha' } });
    const back = await node('empty', ({ spec }) => spec?.taints?.length === 1);
    await expect.poll(() => eventsOf('empty')).toEqual(['OffboardingTaintAdded', 'OffboardingTaintRemoved']);

    expect(tainted.spec?.taints).toEqual([OTHER, OURS]);
    expect(back.spec?.taints).toEqual([OTHER]);
  });

  it('removes its taint when that is the only one', async () => {
    await host('only', {}, { maintenance: 'termination' });
    await say('only', EVICTED);
    await node('only', ({ spec }) => spec?.taints?.length === 1);

    await say('only', ['Evicting', 'True', 'Running']);

    const untainted = await node('only', ({ spec }) => spec?.taints?.length !== 1);
    expect(untainted.spec).not.toHaveProperty('taints');
  });

  it('leaves agents on a host whose eviction failed', async () => {
    await host('failed', {}, { maintenance: 'termination' });
    await say('failed', ['Evicting', 'False', 'Failed']);
    await host('emptied', {}, { maintenance: 'termination' });
    await say('emptied', EVICTED);

    await node('emptied', ({ spec }) => spec?.taints?.length === 1);

    expect((await bed.nodes.get('failed')).spec?.taints ?? []).toEqual([]);
  });

  it('writes nothing for nodes that are as they should be, also after a restart', async () => {
    await host('settled', { labels: GARDENER }, { maintenance: 'termination' });
    await say('settled', EVICTED);
    await node('settled', ({ spec }) => spec?.taints?.length === 1);
    await deployment('settled', () => true);
    const count = (await bed.hypervisors.list()).items.length;

    await bed.restartOperator();
    await expect.poll(() => bed.metric(DONE)).toBeGreaterThanOrEqual(count);

    const patches = bed.operator.context.metrics
      .expose()
      .split('\n')
      .filter((line) => line.includes('method="PATCH"'));
    expect(patches).toEqual([]);
  });

  it('still sets the taint where there are no pods at all', async () => {
    const never = { ...defaultNodeLifecycleSettings, when: 'never' } as const;
    await bed.restartOperator({ controllers: (context) => [createNodeLifecycleController(context, never)] });
    await host('quiet', { labels: GARDENER }, { maintenance: 'termination' });
    await say('quiet', EVICTED);

    await node('quiet', ({ spec }) => spec?.taints?.length === 1);

    await expect(deployments().get('maint-quiet', SYSTEM)).rejects.toSatisfy(isNotFound);
  });

  async function eventsOf(name: string): Promise<readonly unknown[]> {
    const { items } = await bed.client.resource(eventKind).list({ namespace: 'default' });
    return items
      .filter(({ involvedObject }) => involvedObject['name'] === name)
      .map(({ reason }) => reason)
      .toSorted();
  }

  function deployments(): ResourceClient<DependentObject> {
    return bed.client.resource(deploymentKind);
  }

  async function deployment(name: string, isWanted: (one: DependentObject) => boolean): Promise<DependentObject> {
    return await untilObject(deployments(), `maint-${name}`, isWanted);
  }

  async function budget(name: string, isWanted: (one: DependentObject) => boolean): Promise<DependentObject> {
    return await untilObject(bed.client.resource(podDisruptionBudgetKind), `maint-${name}`, isWanted);
  }

  async function node(name: string, isWanted: (one: ClusterNode) => boolean): Promise<ClusterNode> {
    return await untilObject(bed.nodes, name, isWanted);
  }

  /** A node and its hypervisor, whose lifecycle is managed. */
  async function host(name: string, shape: NodeShape = {}, changes: object = {}): Promise<void> {
    await bed.node(name, shape);
    const spec = { ...plainSpec(), lifecycleEnabled: true, ...changes };
    await bed.hypervisors.create({ metadata: { name }, spec });
  }

  /** States conditions in the place of all controllers that are not here. */
  async function say(name: string, ...words: readonly Words[]): Promise<void> {
    const conditions = words.map(([type, status, reason]) => {
      return { type, status, reason, message: reason, lastTransitionTime: '2026-03-01T12:00:00Z' };
    });
    const evicted = conditions.some(({ type, reason }) => type === 'Evicting' && reason === 'Succeeded');
    await bed.hypervisors.applyStatus(name, { evicted, conditions }, { fieldManager: 'others', force: true });
  }
});

const DONE = 'controller_runtime_reconcile_total{controller="maintenance",result="success"}';

function probe({ spec }: DependentObject): unknown {
  const container = Object(spec?.['template']).spec?.containers?.[0];
  return container?.startupProbe?.exec?.command?.[0];
}
