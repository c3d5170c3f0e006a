import { isNotFound } from '@smalt/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freshName } from '../fixtures/fresh-name.ts';
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
    const name = freshName('new');
    const node = await makeHost(bed, name, { labels: { [ZONE]: 'a', [LIFECYCLE]: 'skip-tests' } });

    const hypervisor = await bed.until(name, () => true);

    expect(hypervisor.spec).toMatchObject({ lifecycleEnabled: true, skipTests: true, highAvailability: true });
    expect(hypervisor.metadata).toMatchObject({
      labels: { [ZONE]: 'a', 'kubernetes.io/hostname': name },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid }],
      generation: 1,
    });
    expect(hypervisor.metadata.managedFields?.map(({ manager }) => manager)).toContain('hypervisor');
  });

  it('leaves nodes of other kinds, and hypervisors without a node, alone', async () => {
    const worker = freshName('worker');
    const aloneName = freshName('alone');
    const afterWorker = freshName('after-worker');
    await bed.node(worker, {});
    const alone = await bed.hypervisors.create({
      metadata: { name: aloneName, labels: { [ZONE]: 'z' } },
      spec: plainSpec(),
    });
    await makeHost(bed, afterWorker);

    await bed.until(afterWorker, () => true);

    await expect(bed.hypervisors.get(worker)).rejects.toSatisfy(isNotFound);
    expect((await bed.hypervisors.get(aloneName)).metadata.resourceVersion).toBe(alone.metadata.resourceVersion);
  });

  it('starts a host in termination when its node terminates already, and only then', async () => {
    const lateName = freshName('late');
    const earlyName = freshName('early');
    await bed.node(lateName, { conditions: TERMINATING });
    await makeHost(bed, lateName);
    await bed.until(lateName, () => true);
    await makeHost(bed, earlyName);
    await bed.until(earlyName, () => true);
    await makeHost(bed, earlyName, { conditions: TERMINATING });

    const early = await bed.until(earlyName, (one) => said(one, 'Terminating') !== undefined);
    const late = await bed.until(lateName, (one) => said(one, 'Terminating') !== undefined);

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
    const name = freshName('kept');
    await makeHost(bed, name, { conditions: TERMINATING });
    await bed.until(name, (one) => said(one, 'Terminating') !== undefined);

    await makeHost(bed, name, { conditions: [{ ...TERMINATING[0], status: 'False' }] });

    const kept = await bed.until(name, (one) => said(one, 'Terminating') === undefined);
    expect(kept.spec).not.toHaveProperty('maintenance');
  });

  it('follows labels and annotations of the node, there and back', async () => {
    const name = freshName('changing');
    const annotations = { [AGGREGATES]: 'x', [TRAITS]: 'CUSTOM_A' };
    await makeHost(bed, name, { labels: { [ZONE]: 'a' }, annotations });
    await bed.until(name, ({ spec: its }) => its?.aggregates.join() === 'x,a');
    await makeHost(bed, name, { labels: { [ZONE]: 'b' }, annotations: { [AGGREGATES]: '' } });

    const moved = await bed.until(name, ({ spec: its }) => its?.aggregates.join() === 'b');
    await makeHost(bed, name, {});
    const bare = await bed.until(name, ({ spec: its }) => its?.aggregates.length === 0);

    expect(moved).toMatchObject({ metadata: { labels: { [ZONE]: 'b' } }, spec: { customTraits: [] } });
    expect(bare.metadata.labels).toEqual({ 'kubernetes.io/hostname': name });
    expect(bare.metadata.annotations).toEqual({ 'kvm.cloud.sap/from-node': 'kubernetes.io/hostname' });
  });

  it('leaves what a person has set, and never switches a lifecycle off', async () => {
    const name = freshName('by-hand');
    await makeHost(bed, name, { labels: { [LIFECYCLE]: 'true' } });
    await bed.until(name, () => true);
    await bed.hypervisors.patch(name, 'merge', {
      metadata: { labels: { [ZONE]: 'mine' } },
      spec: { aggregates: ['mine'] },
    });

    await makeHost(bed, name, { labels: { 'worker.gardener.cloud/pool': 'p' } });
    const changed = await bed.until(name, ({ metadata }) => metadata.labels?.['worker.gardener.cloud/pool'] === 'p');

    expect(changed.metadata.labels).toMatchObject({ [ZONE]: 'mine' });
    expect(changed.spec).toMatchObject({ aggregates: ['mine'], lifecycleEnabled: true });
  });

  it('adopts a hypervisor that was there before', async () => {
    const name = freshName('adopted');
    await bed.hypervisors.create({ metadata: { name }, spec: { ...plainSpec(), highAvailability: false } });

    await makeHost(bed, name, {
      labels: { [ZONE]: 'a' },
      addresses: [{ type: 'InternalIP', address: '10.0.0.7' }],
    });
    const adopted = await bed.until(name, ({ status }) => status?.internalIp !== undefined);

    expect(adopted.metadata.labels).toMatchObject({ [ZONE]: 'a' });
    expect(adopted.spec?.highAvailability).toBe(false);
  });

  it('makes a hypervisor anew that somebody has deleted', async () => {
    const name = freshName('deleted');
    await makeHost(bed, name);
    const first = await bed.until(name, () => true);

    await bed.hypervisors.delete(name);

    const second = await bed.until(name, ({ metadata }) => metadata.uid !== first.metadata.uid);
    expect(second.spec).toEqual(first.spec);
  });

  it('keeps one address of a node with two, and takes the next when that is gone', async () => {
    const name = freshName('dual');
    const six = { type: 'InternalIP', address: 'fd00::1' };
    const four = { type: 'InternalIP', address: '10.0.0.1' };
    await makeHost(bed, name);
    await address(name, six, four);
    await bed.until(name, ({ status }) => status?.internalIp === 'fd00::1');
    await address(name, four, six);
    await makeHost(bed, name, { labels: { [ZONE]: 'a' } });

    const turned = await bed.until(name, ({ metadata }) => metadata.labels?.[ZONE] === 'a');
    await address(name, four);

    expect(turned.status?.internalIp).toBe('fd00::1');
    await bed.until(name, ({ status }) => status?.internalIp === '10.0.0.1');
  });

  it('needs two writes for a new host, and none for one that is as it should be', async () => {
    const names = [freshName('cheap'), freshName('cheap'), freshName('cheap')];
    // What other tests have left is settled once every host was looked at anew.
    await restartAndLook();
    for (const name of names) await bed.node(name, { addresses: [{ type: 'InternalIP', address: '10.1.0.1' }] });
    const before = { posts: requests('POST'), patches: requests('PATCH') };

    for (const name of names) {
      // The node has its address before it becomes a host: all is known at the first look, however long that takes.
      await makeHost(bed, name);
      await bed.until(name, ({ status }) => status?.internalIp !== undefined);
    }
    const passes = bed.metric(PASSES);
    for (const name of names) await makeHost(bed, name, { annotations: { 'example.com/nothing': 'of interest' } });
    await expect.poll(() => bed.metric(PASSES)).toBeGreaterThanOrEqual(passes + names.length);

    expect(requests('POST') - before.posts).toBe(names.length);
    expect(requests('PATCH') - before.patches).toBe(names.length);
  });

  it('takes back what another program said in its place', async () => {
    const name = freshName('inherited');
    await makeHost(bed, name);
    await bed.until(name, () => true);
    const terminating = { type: 'Terminating', status: 'True', reason: 'Terminating', message: 'Node is terminating' };
    const ready = { type: 'Ready', status: 'True', reason: 'Ready', message: 'Hypervisor is ready' };
    const conditions = [terminating, ready].map((one) => ({ ...one, lastTransitionTime: '2026-03-01T12:00:00Z' }));

    await bed.hypervisors.patch(name, 'merge', { status: { conditions } }, { subresource: 'status' });

    const inherited = await bed.until(
      name,
      (one) => said(one, 'Terminating') === undefined && said(one, 'Ready') !== undefined,
    );
    expect(said(inherited, 'Ready')).toMatchObject(ready);
  });

  it('writes nothing after a restart', async () => {
    await restartAndLook();

    expect([requests('POST'), requests('PATCH')]).toEqual([0, 0]);
  });

  it('takes a hypervisor into its shard that was made without the labels for it', async () => {
    const shardedName = freshName('sharded');
    const foreign = freshName('foreign');
    await bed.hypervisors.create({ metadata: { name: shardedName }, spec: plainSpec() });
    await bed.hypervisors.create({ metadata: { name: foreign }, spec: plainSpec() });
    const shard = { ...settings, transferLabels: [...settings.transferLabels, 'shard'] };
    await bed.restartOperator({
      labelSelector: 'shard=1',
      controllers: (context) => [createHypervisorController(context, shard)],
    });

    await makeHost(bed, foreign, { labels: { shard: '2' } });
    await makeHost(bed, shardedName, {
      labels: { shard: '1' },
      addresses: [{ type: 'InternalIP', address: '10.3.0.1' }],
    });
    const sharded = await bed.until(shardedName, ({ status }) => status?.internalIp === '10.3.0.1');

    expect(sharded.metadata.labels).toMatchObject({ shard: '1' });
    expect((await bed.hypervisors.get(foreign)).metadata.labels).toBeUndefined();
  });

  async function restartAndLook(): Promise<void> {
    const { items } = await bed.hypervisors.list();
    await bed.restartOperator();
    await expect.poll(() => bed.metric(PASSES)).toBeGreaterThanOrEqual(items.length);
  }

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
