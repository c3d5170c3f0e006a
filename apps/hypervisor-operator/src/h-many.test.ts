import { expect, it } from 'vitest';
import { findCondition } from '@smalt/controller-runtime';
import { allControllers } from './all-controllers.ts';
import { fastConfig } from './fixtures/fast-config.ts';
import { startOperatorBed } from './fixtures/operator-bed.ts';

it('many', { timeout: 300_000 }, async () => {
  const N = 200;
  const { settings, openStack } = await fastConfig({ 'openstack-listing-ms': '2000', 'onboarding-poll-ms': '60000','maintenance-confirm-ms':'15000','maintenance-resync-ms':'300000' });
  const names = Array.from({ length: N }, (_, i) => `h${i}`);
  await using bed = await startOperatorBed({
    cloud: { hosts: names, latencyMs: 50, aggregates: ['tenant_filter_tests', 'gold', { name: 'az1', zone: 'az1' }] },
    openStack: openStack.compute,
    controllers: allControllers(settings),
  });
  const t = performance.now();
  await Promise.all(names.map((name) => bed.node(name, { labels: { 'nova.openstack.cloud.sap/virt-driver': 'kvm', 'cobaltcore.cloud.sap/node-hypervisor-lifecycle': 'skip-tests', 'topology.kubernetes.io/zone': 'az1' }, annotations: { 'nova.openstack.cloud.sap/aggregates': 'gold', 'nova.openstack.cloud.sap/custom-traits': 'CUSTOM_BLUE' } })));
  console.log('nodes made', performance.now() - t);
  await expect.poll(() => bed.operator.context.hypervisors.cache.list().filter((h) => findCondition(h.status?.conditions, 'Ready')?.status === 'True').length, { timeout: 200_000, interval: 100 }).toBe(N);
  console.log('done', performance.now() - t);
  console.log(JSON.stringify(bed.cloud.counts(), undefined, 1));
  console.log(bed.operator.context.metrics.expose().split('\n').filter((l) => /^rest_client_requests_total|reconcile_total|reconcile_errors/.test(l) && !/ 0$/.test(l)).join('\n'));
});
