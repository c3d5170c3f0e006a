import { isNotFound } from '@smalt/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { makeHost, plainSpec, said } from '../fixtures/test-hosts.ts';
import { createHypervisorController } from './hypervisor-controller.ts';
import { defaultHypervisorSettings as settings } from './hypervisor-settings.ts';

const LIFECYCLE = 'cobaltcore.cloud.sap/node-hypervisor-lifecycle';
const AGGREGATES = 'nova.openstack.cloud.sap/aggregates';
const TRAITS = 'nova.openstack.cloud.sap/custom-traits';
const ZONE = 'topology.kubernetes.io/zone';
const TERMINATING = [{ type: 'Terminating', status: 'True', reason: 'Drain' }] as const;
const PASSES = 'controller_runtime_reconcile_total{controller="hypervisor",result="success"}';

describe('the hypervisor controller', { timeout: 60_000 }, () => {
  let bed: OperatorBed;

  beforeAll(async () => {
    bed = await startOperatorBed({
      cloud: 'none',
      controllers: (context) => [createHypervisorController(context, settings)],
    });
  });

  afterAll(() => bed[Symbol.asyncDispose]());

  it('makes a hypervisor of a node that runs virtual machines, in one piece', async () => {
    const node = await makeHost(bed, 'new', { labels: { [ZONE]: 'a', [LIFECYCLE]: 'skip-tests' } });

    const hypervisor = await bed.until('new', () => true);

    expect(hypervisor.spec).toMatchObject({ lifecycleEnabled: true, skipTests: true, highAvailability: true });
    expect(hypervisor.metadata).toMatchObject({
      labels: { [ZONE]: 'a', 'kubernetes.io/hostname': 'new' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'new', uid: node.metadata.uid }],
      generation: 1,
    });
    expect(hypervisor.metadata.managedFields?.map(({ manager }) => manager)).toContain('hypervisor');
  });

  it('leaves nodes of other kinds, and hypervisors without a node, alone', async () => {
    await bed.node('worker', {});
    const alone = await bed.hypervisors.create({
      metadata: { name: 'alone', labels: { [ZONE]: 'z' } },
      spec: plainSpec(),
    });
    await makeHost(bed, 'after-worker');

    await bed.until('after-worker', () => true);

    await expect(bed.hypervisors.get('worker')).rejects.toSatisfy(isNotFound);
    expect((await bed.hypervisors.get('alone')).metadata.resourceVersion).toBe(alone.metadata.resourceVersion);
  });

  it('starts a host in termination when its node terminates already, and only then', async () => {
    await bed.node('late', { conditions: TERMINATING });
    await makeHost(bed, 'late');
    await bed.until('late', () => true);
    await makeHost(bed, 'early');
    await bed.until('early', () => true);
    await makeHost(bed, 'early', { conditions: TERMINATING });

    const early = await bed.until('early', (one) => said(one, 'Terminating') !== undefined);
    const late = await bed.until('late', (one) => said(one, 'Terminating') !== undefined);

    expect(said(early, 'Terminating')).toEqual({
      type: 'Terminating',
      status: 'True',
      reason: 'Terminating',
      message: 'Node is terminating',
      lastTransitionTime: expect.any(String),
    });
    expect(early.spec).not.toHaveProperty('maintenance');
    expect(late.spec?.maintenance).toBe('termination');
  });

  it('takes back that a node terminates', async () => {
    await makeHost(bed, 'kept', { conditions: TERMINATING });
    await bed.until('kept', (one) => said(one, 'Terminating') !== undefined);

    await makeHost(bed, 'kept', { conditions: [{ ...TERMINATING[0], status: 'False' }] });

    const kept = await bed.until('kept', (one) => said(one, 'Terminating') === undefined);
    expect(kept.spec).not.toHaveProperty('maintenance');
  });

  it('follows labels and annotations of the node, there and back', async () => {
    const annotations = { [AGGREGATES]: 'x', [TRAITS]: 'CUSTOM_A' };
    await makeHost(bed, 'changing', { labels: { [ZONE]: 'a' }, annotations });
    await bed.until('changing', ({ spec: its }) => its?.aggregates.join() === 'x,a');
    await makeHost(bed, 'changing', { labels: { [ZONE]: 'b' }, annotations: { [AGGREGATES]: '' } });

    const moved = await bed.until('changing', ({ spec: its }) => its?.aggregates.join() === 'b');
    await makeHost(bed, 'changing', {});
    const bare = await bed.until('changing', ({ spec: its }) => its?.aggregates.length === 0);

    expect(moved).toMatchObject({ metadata: { labels: { [ZONE]: 'b' } }, spec: { customTraits: [] } });
    expect(bare.metadata.labels).toEqual({ 'kubernetes.io/hostname': 'changing' });
    expect(bare.metadata.annotations).toEqual({ 'kvm.cloud.sap/from-node': 'kubernetes.io/hostname' });
  });

  it('leaves what a person has set, and never switches a lifecycle off', async () => {
    await makeHost(bed, 'by-hand', { labels: { [LIFECYCLE]: 'true' } });
    await bed.until('by-hand', () => true);
    await bed.hypervisors.patch('by-hand', 'merge', {
      metadata: { labels: { [ZONE]: 'mine' } },
      spec: { aggregates: ['mine'] },
    });

    await makeHost(bed, 'by-hand', { labels: { 'worker.gardener.cloud/pool': 'p' } });
    const changed = await bed.until(
      'by-hand',
      ({ metadata }) => metadata.labels?.['worker.gardener.cloud/pool'] === 'p',
    );

    expect(changed.metadata.labels).toMatchObject({ [ZONE]: 'mine' });
    expect(changed.spec).toMatchObject({ aggregates: ['mine'], lifecycleEnabled: true });
  });

  it('adopts a hypervisor that was there before', async () => {
    await bed.hypervisors.create({ metadata: { name: 'adopted' }, spec: { ...plainSpec(), highAvailability: false } });

    await makeHost(bed, 'adopted', {
      labels: { [ZONE]: 'a' },
      addresses: [{ type: 'InternalIP', address: '10.0.0.7' }],
    });
    const adopted = await bed.until('adopted', ({ status }) => status?.internalIp !== undefined);

    expect(adopted.metadata.labels).toMatchObject({ [ZONE]: 'a' });
    expect(adopted.spec?.highAvailability).toBe(false);
  });

  it('makes a hypervisor anew that somebody has deleted', async () => {
    await makeHost(bed, 'deleted');
    const first = await bed.until('deleted', () => true);

    await bed.hypervisors.delete('deleted');

    const second = await bed.until('deleted', ({ metadata }) => metadata.uid !== first.metadata.uid);
    expect(second.spec).toEqual(first.spec);
  });

  it('keeps one address of a node with two, and takes the next when that is gone', async () => {
    const six = { type: 'InternalIP', address: 'fd00::1' };
    const four = { type: 'InternalIP', address: '10.0.0.1' };
    await makeHost(bed, 'dual');
    await address('dual', six, four);
    await bed.until('dual', ({ status }) => status?.internalIp === 'fd00::1');
    await address('dual', four, six);
    await makeHost(bed, 'dual', { labels: { [ZONE]: 'a' } });

    const turned = await bed.until('dual', ({ metadata }) => metadata.labels?.[ZONE] === 'a');
    await address('dual', four);

    expect(turned.status?.internalIp).toBe('fd00::1');
    await bed.until('dual', ({ status }) => status?.internalIp === '10.0.0.1');
  });

  it('needs two writes for a new host, and none for one that is as it should be', async () => {
    const before = { posts: requests('POST'), patches: requests('PATCH') };
    for (const name of ['cheap-1', 'cheap-2', 'cheap-3']) {
      await makeHost(bed, name, { addresses: [{ type: 'InternalIP', address: '10.1.0.1' }] });
      await bed.until(name, ({ status }) => status?.internalIp !== undefined);
    }
    const passes = bed.metric(PASSES);
    await makeHost(bed, 'cheap-1', { annotations: { 'example.com/nothing': 'of interest' } });

    await expect.poll(() => bed.metric(PASSES)).toBeGreaterThan(passes);

    expect(requests('POST') - before.posts).toBe(3);
    expect(requests('PATCH') - before.patches).toBe(3);
  });

  it('takes back what another program said in its place', async () => {
    await makeHost(bed, 'inherited');
    await bed.until('inherited', () => true);
    const terminating = { type: 'Terminating', status: 'True', reason: 'Terminating', message: 'Node is terminating' };
    const ready = { type: 'Ready', status: 'True', reason: 'Ready', message: 'Hypervisor is ready' };
    const conditions = [terminating, ready].map((one) => ({ ...one, lastTransitionTime: '2026-03-01T12:00:00Z' }));

    await bed.hypervisors.patch('inherited', 'merge', { status: { conditions } }, { subresource: 'status' });

    const inherited = await bed.until(
      'inherited',
      (one) => said(one, 'Terminating') === undefined && said(one, 'Ready') !== undefined,
    );
    expect(said(inherited, 'Ready')).toMatchObject(ready);
  });

  it('writes nothing after a restart', async () => {
    const before = await bed.hypervisors.list();
    await bed.restartOperator();

    await expect.poll(() => bed.metric(PASSES)).toBeGreaterThanOrEqual(before.items.length);

    expect([requests('POST'), requests('PATCH')]).toEqual([0, 0]);
  });

  it('takes a hypervisor into its shard that was made without the labels for it', async () => {
    await bed.hypervisors.create({ metadata: { name: 'sharded' }, spec: plainSpec() });
    await bed.hypervisors.create({ metadata: { name: 'foreign' }, spec: plainSpec() });
    const shard = { ...settings, transferLabels: [...settings.transferLabels, 'shard'] };
    await bed.restartOperator({
      labelSelector: 'shard=1',
      controllers: (context) => [createHypervisorController(context, shard)],
    });

    await makeHost(bed, 'foreign', { labels: { shard: '2' } });
    await makeHost(bed, 'sharded', {
      labels: { shard: '1' },
      addresses: [{ type: 'InternalIP', address: '10.3.0.1' }],
    });
    const sharded = await bed.until('sharded', ({ status }) => status?.internalIp === '10.3.0.1');

    expect(sharded.metadata.labels).toMatchObject({ shard: '1' });
    expect((await bed.hypervisors.get('foreign')).metadata.labels).toBeUndefined();
  });

  function requests(method: string): number {
    const lines = bed.operator.context.metrics.expose().split('\n');
    const counted = lines.filter(
      (line) => line.startsWith('rest_client_requests_total{') && line.includes(`method="${method}"`),
    );
    return counted.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  }

  // By a merge: server-side apply knows one address of each type only.
  async function address(name: string, ...addresses: readonly object[]): Promise<void> {
    await bed.nodes.patch(name, 'merge', { status: { addresses } }, { subresource: 'status' });
  }
});
