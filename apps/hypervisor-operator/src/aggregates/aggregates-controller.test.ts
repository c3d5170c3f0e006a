import type { HostSnapshot } from '@smalt/bed-openstack-simulator';
import type { HypervisorSpec } from '@smalt/fleet-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { conditionWords, registerHost, stateConditions, stateIds } from '../fixtures/registered-host.ts';
import { twinMessage } from '../hosts/host-claims.ts';
import { createAggregatesController } from './aggregates-controller.ts';
import { defaultAggregatesSettings } from './aggregates-settings.ts';

const APPLIED = 'True/Succeeded Aggregates from spec applied successfully';
const settings = { ...defaultAggregatesSettings, concurrency: 1, resyncMs: 300 };
const labels = { 'topology.kubernetes.io/zone': 'zone-a' };

let bed: OperatorBed;

beforeAll(async () => {
  bed = await startOperatorBed({
    cloud: { aggregates: [{ name: 'zone-a', zone: 'zone-a' }, 'tenant_filter_tests', 'fast', 'large'] },
    controllers: (context) => [createAggregatesController(context, settings)],
    // A listing that is shared could be of before a test has the cloud refuse them.
    openStack: { listingMs: 0 },
  });
  bed.cloud.addAggregate('noted', { metadata: { filter_tenant_id: 'p1' } });
});

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(() => bed.cloud.forgetCalls());

describe('aggregates', () => {
  it('are those of the test until the traits are there, then those of the spec', async () => {
    const spec = { aggregates: ['fast', 'zone-a'] };
    await registerHost(bed, 'fresh', { labels, spec, conditions: ['Onboarding=True/Initial'] });

    const tested = await untilTold(
      'fresh',
      'False/TestAggregates Test aggregate applied during onboarding instead of spec aggregates',
    );
    await stateConditions(bed, 'fresh', ['Onboarding=True/Handover']);
    await untilTold(
      'fresh',
      'False/WaitingForTraits Waiting for traits to be applied before switching to spec aggregates',
    );
    await stateConditions(bed, 'fresh', ['TraitsUpdated=True/Succeeded']);
    const applied = await untilTold('fresh', APPLIED);

    expect(tested.status?.aggregates?.map(({ name }) => name)).toEqual(['zone-a', 'tenant_filter_tests']);
    expect(applied.status?.aggregates?.map(({ name }) => name)).toEqual(['fast', 'zone-a']);
    expect(bed.cloud.host('fresh')?.aggregates.toSorted()).toEqual(['fast', 'zone-a']);
    expect(changesOf('fresh')).toEqual(['add_host', 'add_host', 'add_host', 'remove_host']);
  });

  it('are not changed before onboarding has begun', async () => {
    const spec = { aggregates: ['fast'] };
    await registerHost(bed, 'early', { labels, spec, conditions: [] });
    await registerHost(bed, 'unmanaged', { labels, spec: { ...spec, lifecycleEnabled: false } });
    await registerHost(bed, 'nameless', { labels, spec, hasIds: false });

    await registerHost(bed, 'beside', { labels, spec });
    await untilTold('beside', APPLIED);

    for (const name of ['early', 'unmanaged', 'nameless']) expect(changesOf(name)).toEqual([]);
    expect(conditionWords(await bed.hypervisors.get('early'), 'AggregatesUpdated')).toBeUndefined();
  });

  it('are told with what is noted about them', async () => {
    await registerHost(bed, 'noted', { labels, spec: { aggregates: ['noted', 'fast'] } });

    const { status } = await untilTold('noted', APPLIED);

    expect(status?.aggregates).toEqual([
      { name: 'noted', uuid: expect.stringMatching(/^[\da-f\-]{36}$/v), metadata: { filter_tenant_id: 'p1' } },
      { name: 'fast', uuid: expect.stringMatching(/^[\da-f\-]{36}$/v) },
    ]);
  });

  it('change without a call when only their order does', async () => {
    await registerHost(bed, 'ordered', { labels, spec: { aggregates: ['fast', 'large'] } });
    await untilTold('ordered', APPLIED);

    bed.cloud.forgetCalls();
    await setSpec('ordered', { aggregates: ['large', 'fast'] });
    await bed.until('ordered', ({ status }) => status?.aggregates?.[0]?.name === 'large');

    expect(changesOf('ordered')).toEqual([]);
  });

  it('are mended when others have changed them', async () => {
    await registerHost(bed, 'drifting', { labels, spec: { aggregates: ['fast'] } });
    await untilTold('drifting', APPLIED);

    bed.cloud.addAggregate('by-hand', { hosts: ['drifting'] });

    await expect.poll(() => bed.cloud.host('drifting')?.aggregates, { timeout: 5_000 }).toEqual(['fast']);
  });

  it('that are missing are all named, and come when they are there', async () => {
    await registerHost(bed, 'wishful', { labels, spec: { aggregates: ['later', 'fast', 'never'] } });

    await untilTold('wishful', 'False/Failed failed to apply aggregates: aggregates not found: [later never]');
    bed.cloud.addAggregate('later');
    bed.cloud.addAggregate('never');
    await untilTold('wishful', APPLIED);

    expect(bed.cloud.host('wishful')?.aggregates.toSorted()).toEqual(['fast', 'later', 'never']);
  });

  it('that cannot be joined or left are told together, and tried again', async () => {
    await registerHost(bed, 'stubborn', { labels, spec: { aggregates: ['fast'] } });
    await untilTold('stubborn', APPLIED);
    const fault = bed.cloud.inject({
      service: 'compute',
      method: 'POST',
      path: /os-aggregates/v,
      body: 'stubborn',
      effect: { kind: 'answer', status: 409, message: 'not now' },
    });

    await setSpec('stubborn', { aggregates: ['large'] });
    const { status } = await bed.until('stubborn', (each) =>
      (conditionWords(each, 'AggregatesUpdated') ?? '').startsWith('False/Failed'),
    );
    fault.clear();

    const message = status?.conditions?.find(({ type }) => type === 'AggregatesUpdated')?.message ?? '';
    const lines = message.split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^failed to apply aggregates: failed to add host stubborn to aggregate large: .*not now/v);
    expect(lines[1]).toMatch(/^failed to remove host stubborn from aggregate fast: .*not now/v);
    expect(status?.aggregates?.map(({ name }) => name)).toEqual(['fast']);
    const mended = await untilTold('stubborn', APPLIED);
    expect(mended.status?.aggregates?.map(({ name }) => name)).toEqual(['large']);
  });

  it('that cannot be listed are told as they were', async () => {
    await registerHost(bed, 'unseen', { labels, spec: { aggregates: ['fast'] } });
    await untilTold('unseen', APPLIED);
    using _ = bed.cloud.inject({
      service: 'compute',
      path: '/os-aggregates',
      effect: { kind: 'answer', status: 500, message: 'no' },
    });

    await setSpec('unseen', { aggregates: ['large'] });
    const { status } = await bed.until(
      'unseen',
      (each) =>
        (conditionWords(each, 'AggregatesUpdated') ?? '').startsWith('False/Failed failed to apply aggregates: '),
      20_000,
    );

    expect(status?.aggregates?.map(({ name }) => name)).toEqual(['fast']);
  });

  it('stay until a host that is terminated is evicted, then go', async () => {
    await registerHost(bed, 'leaving', { labels, spec: { aggregates: ['fast', 'zone-a'] } });
    await untilTold('leaving', APPLIED);

    bed.cloud.forgetCalls();
    await setSpec('leaving', { maintenance: 'termination' });
    const kept = await untilTold(
      'leaving',
      'False/EvictionInProgress Aggregates unchanged while terminating and eviction in progress',
    );
    await stateConditions(bed, 'leaving', ['Evicting=False/Failed']);
    await stateConditions(bed, 'leaving', ['Evicting=False/Succeeded']);
    const cleared = await untilTold(
      'leaving',
      'False/Terminating Aggregates cleared due to termination after eviction',
    );

    expect(kept.status?.aggregates?.map(({ name }) => name)).toEqual(['fast', 'zone-a']);
    expect(cleared.status?.aggregates).toEqual([]);
    expect(bed.cloud.host('leaving')?.aggregates).toEqual([]);
    expect(changesOf('leaving')).toEqual(['remove_host', 'remove_host']);
  });

  it('are none for a host that the compute system has forgotten', async () => {
    await registerHost(bed, 'forgotten', { labels, spec: { aggregates: ['fast'] } });
    await untilTold('forgotten', APPLIED);

    bed.cloud.removeHost('forgotten');
    await setSpec('forgotten', { maintenance: 'termination' });
    await stateConditions(bed, 'forgotten', ['Evicting=False/Succeeded']);

    const hypervisor = await bed.until('forgotten', ({ status }) => status?.aggregates?.length === 0);

    expect(conditionWords(hypervisor, 'AggregatesUpdated')).toMatch(/^False\/Terminating /v);
  });

  it('of a host whose ids a second Hypervisor has are left alone, until it has them no more', async () => {
    await registerHost(bed, 'victim', { labels, spec: { aggregates: ['fast'] } });
    await untilTold('victim', APPLIED);

    await registerHost(bed, 'thief', { labels, spec: { aggregates: ['large'] }, hasIds: false });
    await stateIds(bed, 'thief', hostOf('victim'));

    await untilTold('thief', `False/Failed failed to apply aggregates: ${twinMessage('victim')}`);
    expect(bed.cloud.host('victim')?.aggregates).toEqual(['fast']);
    await stateIds(bed, 'thief', hostOf('thief'));
    await untilTold('thief', APPLIED);
    expect(bed.cloud.host('thief')?.aggregates).toEqual(['large']);
    expect(bed.cloud.host('victim')?.aggregates).toEqual(['fast']);
  });

  it('of the host with these ids are changed, whatever others are called', async () => {
    bed.cloud.addHost('node10');
    await registerHost(bed, 'node1', { labels, spec: { aggregates: ['fast'] } });

    await untilTold('node1', APPLIED);

    expect(bed.cloud.host('node10')?.aggregates).toEqual([]);
  });
});

it('leaves a host where others have put it, if told so', async () => {
  await bed.restartOperator({
    controllers: (context) => [createAggregatesController(context, { ...settings, keepForeign: true })],
  });
  bed.cloud.addHost('shared');
  bed.cloud.addAggregate('of-others', { hosts: ['shared'] });
  await registerHost(bed, 'shared', { labels, spec: { aggregates: ['fast'] }, host: 'none' });
  const snapshot = bed.cloud.host('shared');
  if (snapshot !== undefined) await stateIds(bed, 'shared', snapshot);

  await untilTold('shared', APPLIED);
  await setSpec('shared', { aggregates: ['large'] });
  const { status } = await bed.until('shared', (each) => each.status?.aggregates?.[0]?.name === 'large');

  expect(status?.aggregates?.map(({ name }) => name)).toEqual(['large']);
  expect(bed.cloud.host('shared')?.aggregates.toSorted()).toEqual(['large', 'of-others']);
});

async function untilTold(name: string, words: string) {
  return await bed.until(name, (hypervisor) => conditionWords(hypervisor, 'AggregatesUpdated') === words);
}

function hostOf(name: string): HostSnapshot {
  const host = bed.cloud.host(name);
  if (host === undefined) throw new TypeError(`the cloud has no host ${name}`);
  return host;
}

async function setSpec(name: string, spec: Partial<HypervisorSpec>): Promise<void> {
  await bed.hypervisors.patch(name, 'merge', { spec });
}

/** What was asked to change of the aggregates of a host. */
function changesOf(name: string): readonly string[] {
  const calls = bed.cloud.calls.filter(({ method, path }) => method === 'POST' && path.startsWith('/os-aggregates/'));
  const entries = calls.flatMap(({ body }) => Object.entries<{ host: string }>(JSON.parse(body)));
  return entries.filter(([, { host }]) => host === name).map(([verb]) => verb);
}
