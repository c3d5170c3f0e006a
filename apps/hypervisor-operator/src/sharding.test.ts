import { findCondition } from '@smalt/controller-runtime';
import { expect, it } from 'vitest';

import { allControllers } from './all-controllers.ts';
import { fastConfig } from './fixtures/fast-config.ts';
import { startOperatorBed, type OperatorBed } from './fixtures/operator-bed.ts';

const PASSES = 'controller_runtime_reconcile_total{controller="eviction",result="success"}';

it(
  'takes the hosts of its shard into use, and leaves all others to their own operator',
  { timeout: 60_000 },
  async () => {
    const labelSelector = 'example.dev/shard=a';
    const { settings, openStack } = await fastConfig({ 'label-selector': labelSelector });
    await using bed = await startOperatorBed({
      cloud: { hosts: ['ours', 'theirs'], aggregates: ['tenant_filter_tests', { name: 'az1', zone: 'az1' }] },
      openStack: openStack.compute,
      controllers: allControllers(settings),
      operator: { labelSelector },
    });

    await appear(bed, 'theirs', 'b');
    await appear(bed, 'ours', 'a');
    const ours = await bed.until('ours', ({ status }) => findCondition(status?.conditions, 'Ready')?.status === 'True');

    // The label has to go along, or the operator would lose sight of what it has made.
    expect(ours.metadata.labels).toMatchObject({ 'example.dev/shard': 'a' });
    expect(await bed.kubectl('get', 'hv', '-o', 'name')).toBe('hypervisor.kvm.cloud.sap/ours\n');
    expect(bed.cloud.host('theirs')).toMatchObject({ aggregates: [] });
  },
);

it('leaves an eviction alone whose host is in another shard', { timeout: 60_000 }, async () => {
  const { settings } = await fastConfig();
  await using bed = await startOperatorBed({
    cloud: { hosts: ['theirs'] },
    controllers: allControllers(settings),
    operator: { labelSelector: 'example.dev/shard=a' },
  });
  await bed.hypervisors.create({
    metadata: { name: 'theirs', labels: { 'example.dev/shard': 'b' } },
    spec: Object({}),
  });

  await bed.evictions.create({ metadata: { name: 'drain' }, spec: { hypervisor: 'theirs', reason: 'test' } });
  // There is no other yet, so that the look was at this one.
  await expect.poll(() => bed.metric(PASSES)).toBeGreaterThan(0);
  await bed.evictions.create({ metadata: { name: 'odd' }, spec: { hypervisor: 'nobody', reason: 'test' } });
  await bed.untilEviction('odd', ({ status }) => findCondition(status?.conditions, 'Evicting')?.reason === 'Failed');

  expect((await bed.evictions.get('drain')).status?.conditions ?? []).toEqual([]);
});

async function appear(bed: OperatorBed, name: string, shard: string): Promise<void> {
  await bed.node(name, {
    labels: {
      'nova.openstack.cloud.sap/virt-driver': 'kvm',
      'cobaltcore.cloud.sap/node-hypervisor-lifecycle': 'skip-tests',
      'topology.kubernetes.io/zone': 'az1',
      'example.dev/shard': shard,
    },
  });
}
