import { randomUUID } from 'node:crypto';

import type { Fault } from '@smalt/bed-openstack-simulator';
import type { Hypervisor, HypervisorSpec } from '@smalt/fleet-api';
import { loadCloudConfig, OpenStackClient } from '@smalt/openstack';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { conditionWords, registerHost, stateConditions } from '../fixtures/registered-host.ts';
import { createOffboardingController } from './offboarding-controller.ts';
import { defaultOffboardingSettings } from './offboarding-settings.ts';

const OFFBOARDED = 'True/Offboarded Offboarding successful';
const BEGUN = 'False/Offboarding Hypervisor is being offboarded, removing host from nova';
const EVICTED = 'Evicting=False/Succeeded';
const PODS_GONE = 'AgentPodsEvicted=True/NoAgentPods';
const spec = { maintenance: 'termination' } as const;
const conditions = [EVICTED, PODS_GONE];
const CONSUMER = randomUUID();
/** The calls that remove a host, in their order. */
const REMOVAL: readonly (Step & { readonly told: RegExp })[] = [
  {
    what: 'hypervisor',
    fault: ({ hypervisorId }) => ({ path: `/os-hypervisors/${hypervisorId}` }),
    // It is needed before that, to be sure that no server is on it.
    told: /^cannot get hypervisor by name \S+ due to /v,
  },
  {
    what: 'service',
    fault: ({ serviceId }) => ({ method: 'DELETE', path: `/os-services/${serviceId}` }),
    told: /^cannot delete service \S+ due to /v,
  },
  {
    what: 'provider',
    fault: ({ hypervisorId }) => ({ path: `/resource_providers/${hypervisorId}` }),
    told: /^cannot get resource provider: /v,
  },
  {
    what: 'allocations',
    fault: ({ hypervisorId }) => ({ path: `/resource_providers/${hypervisorId}/allocations` }),
    told: /^cannot clean up resource provider: /v,
  },
  {
    what: 'consumer',
    fault: () => ({ method: 'GET', path: `/allocations/${CONSUMER}` }),
    told: /^cannot clean up resource provider: /v,
  },
];

let bed: OperatorBed;

beforeAll(async () => {
  bed = await startOperatorBed({
    controllers: (context) => [
      createOffboardingController(context, { ...defaultOffboardingSettings, concurrency: 1, retryMs: 50 }),
    ],
    openStack: { listingMs: 10 },
  });
});

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(() => bed.cloud.forgetCalls());

describe('the way out', () => {
  it('leads through all gates, and asks nothing of the compute system before the agents are gone', async () => {
    await registerHost(bed, 'leaving', { spec, conditions: ['Onboarding=True/Testing'] });

    await untilTold('leaving', BEGUN);
    await stateConditions(bed, 'leaving', ['Onboarding=False/Aborted', 'Evicting=True/Running']);
    await stateConditions(bed, 'leaving', ['Evicting=False/Failed no room']);
    await untilTold('leaving', 'False/Offboarding Hypervisor is being offboarded, but its eviction failed: no room');
    await stateConditions(bed, 'leaving', [EVICTED]);
    await untilTold(
      'leaving',
      'False/Offboarding Waiting for agent pods (nova-compute, neutron) to be evicted from node',
    );
    await stateConditions(bed, 'leaving', ['AgentPodsEvicted=False/AgentPodsRunning 1 agent pod(s): nova/compute-x']);
    await untilTold(
      'leaving',
      'False/Offboarding Waiting for agent pods to be evicted: 1 agent pod(s): nova/compute-x',
    );
    const calls = bed.cloud.calls.filter(({ service }) => service !== 'identity');
    await stateConditions(bed, 'leaving', [PODS_GONE]);
    await untilTold('leaving', OFFBOARDED);

    expect(calls).toEqual([]);
    expect(bed.cloud.host('leaving')).toBeUndefined();
  });

  it('waits for the last instance and the last aggregate', async () => {
    bed.cloud.addHost('busy');
    const server = bed.cloud.addServer('busy');
    await registerBusy();

    await untilTold(
      'busy',
      'False/Offboarding Hypervisor is being offboarded, but still has 1 assigned VMs, check with `openstack server list --all-projects --host busy`',
    );
    bed.cloud.removeServer(server);
    await untilTold('busy', 'False/Offboarding Waiting for aggregates to be removed, current: [fast large]');
    expect(bed.cloud.host('busy')).toBeDefined();
    await bed.hypervisors.applyStatus('busy', { aggregates: [] }, { fieldManager: 'aggregates' });

    await untilTold('busy', OFFBOARDED);
  });

  it('is taken by the host with these ids, never by one with a similar name', async () => {
    bed.cloud.addHost('node10');
    await registerHost(bed, 'node1', { spec, conditions });
    await untilTold('node1', OFFBOARDED);
    await registerHost(bed, 'node', { spec, conditions, host: 'none' });
    await registerHost(bed, 'ode10', { spec, conditions, host: 'none' });

    await untilTold('node', OFFBOARDED);
    await untilTold('ode10', OFFBOARDED);

    expect(bed.cloud.host('node1')).toBeUndefined();
    expect(bed.cloud.host('node10')).toMatchObject({ name: 'node10', status: 'enabled' });
  });

  it('begins with the ids of a host that is known by its name alone', async () => {
    await registerHost(bed, 'unknown', { spec, conditions, hasIds: false });
    const host = bed.cloud.host('unknown');

    const { status } = await untilTold('unknown', OFFBOARDED);

    expect(status).toMatchObject({ hypervisorId: host?.hypervisorId, serviceId: host?.serviceId });
    expect(bed.cloud.host('unknown')).toBeUndefined();
  });

  it('does not end where a host is found by its name that was never evicted', async () => {
    await registerHost(bed, 'surprise', { spec, conditions: [PODS_GONE], hasIds: false });

    const { status } = await bed.until('surprise', (each) => each.status?.serviceId !== undefined);
    await registerHost(bed, 'beside', { spec, conditions });
    await untilTold('beside', OFFBOARDED);

    expect(status?.hypervisorId).toBe(bed.cloud.host('surprise')?.hypervisorId);
    expect(bed.cloud.host('surprise')).toBeDefined();
  });

  it('is taken back when another program takes the host over', async () => {
    await registerHost(bed, 'rescued', { spec, conditions: ['Evicting=True/Running'] });
    await untilTold('rescued', BEGUN);

    await setSpec('rescued', { maintenance: 'ha' });

    const { status } = await bed.until('rescued', (each) => conditionWords(each, 'Offboarded') === undefined);
    expect(status?.hypervisorId).toBe(bed.cloud.host('rescued')?.hypervisorId);
    expect(bed.cloud.host('rescued')).toBeDefined();
  });

  it('is not taken by hosts in other maintenance, or that nobody looks after', async () => {
    await registerHost(bed, 'kept', { spec: { maintenance: 'auto' }, conditions });
    await registerHost(bed, 'unmanaged', { spec: { ...spec, lifecycleEnabled: false }, conditions });

    await registerHost(bed, 'after-kept', { spec, conditions });
    await untilTold('after-kept', OFFBOARDED);

    expect([bed.cloud.host('kept'), bed.cloud.host('unmanaged')]).not.toContain(undefined);
    expect(conditionWords(await bed.hypervisors.get('kept'), 'Offboarded')).toBeUndefined();
  });
});

describe('a call that fails', () => {
  it.each<Step & { told: RegExp }>([
    {
      what: 'listing',
      fault: () => ({ path: '/os-hypervisors' }),
      told: /^cannot get hypervisor by name \S+ due to /v,
    },
    {
      what: 'servers',
      fault: () => ({ path: '/servers/detail' }),
      told: /^cannot get hypervisor by name \S+ due to /v,
    },
    ...REMOVAL,
  ])('is told and tried again: $what', async ({ what, fault, told }) => {
    const name = `failing-${what}`;
    const host = bed.cloud.addHost(name);
    bed.cloud.allocate(name, CONSUMER, { VCPU: 1 });
    const effect = { kind: 'answer', status: 403, message: 'not you' } as const;
    using injected = bed.cloud.inject({ ...fault(host), effect });
    await registerHost(bed, name, { spec, conditions, host: 'none' });
    await setIds(name, host);

    const failed = await bed.until(name, (each) => messageOf(each).includes('not you'));
    injected.clear();
    await bed.until(name, (each) => messageOf(each).includes('cannot handle non-empty consumer allocations'));
    await release();

    expect(messageOf(failed)).toMatch(told);
    await untilTold(name, OFFBOARDED);
  });

  it('at the very end does not make the rest count as done', async () => {
    const host = bed.cloud.addHost('late');
    bed.cloud.allocate('late', CONSUMER, { VCPU: 1 });
    await registerHost(bed, 'late', { spec, conditions, host: 'none' });
    await setIds('late', host);
    await bed.until('late', (each) => messageOf(each).includes('cannot handle non-empty consumer allocations'));
    const path = `/resource_providers/${host.hypervisorId}`;
    const effect = { kind: 'answer', status: 403, message: 'not you' } as const;
    const injected = bed.cloud.inject({ method: 'DELETE', path, effect });

    await release();
    await bed.until('late', (each) =>
      /^cannot clean up resource provider: failed to delete after cleanup due to .*not you/v.test(messageOf(each)),
    );
    injected.clear();

    await untilTold('late', OFFBOARDED);
    expect(bed.cloud.host('late')).toBeUndefined();
  });
});

describe('an operator that is killed', { timeout: 60_000 }, () => {
  it.each<Step & { when: 'before' | 'after' }>([
    { what: 'listing', when: 'before', fault: () => ({ path: '/os-hypervisors' }) },
    { what: 'servers', when: 'before', fault: () => ({ path: '/servers/detail' }) },
    ...REMOVAL.flatMap((step) => [
      { ...step, when: 'before' as const },
      { ...step, when: 'after' as const },
    ]),
  ])('$when its call "$what" is carried out goes on when it is back', async ({ what, when, fault }) => {
    const name = `killed-${when}-${what}`;
    const host = bed.cloud.addHost(name);
    const bystander = bed.cloud.addHost(`${name}0`);
    bed.cloud.allocate(name, CONSUMER, { VCPU: 1 });
    const injected = bed.cloud.inject({ ...fault(host), times: 1, effect: { kind: 'hang', when } });
    await registerHost(bed, name, { spec, conditions, host: 'none' });
    await setIds(name, host);

    await expect.poll(() => injected.hits, { timeout: 10_000 }).toBe(1);
    await bed.restartOperator();
    await bed.until(name, (each) => messageOf(each).includes('cannot handle non-empty consumer allocations'));
    await release();

    await untilTold(name, OFFBOARDED);
    expect(bed.cloud.host(name)).toBeUndefined();
    expect(bed.cloud.host(bystander.name)).toEqual(bystander);
  });
});

interface Step {
  readonly what: string;
  readonly fault: (host: Ids) => Omit<Fault, 'effect'>;
}

type Ids = Readonly<Record<'hypervisorId' | 'serviceId', string>>;

async function setIds(name: string, { hypervisorId, serviceId }: Ids): Promise<void> {
  await bed.hypervisors.applyStatus(name, { hypervisorId, serviceId }, { fieldManager: 'onboarding' });
}

async function registerBusy(): Promise<void> {
  await registerHost(bed, 'busy', { spec, conditions, host: 'none' });
  const aggregates = ['fast', 'large'].map((name) => ({ name, uuid: randomUUID() }));
  await bed.hypervisors.applyStatus('busy', { aggregates }, { fieldManager: 'aggregates' });
  const host = bed.cloud.host('busy');
  if (host !== undefined) await setIds('busy', host);
}

/** Gives back what is allocated to something that is no server, as a person would after a look at it. */
async function release(): Promise<void> {
  const config = await loadCloudConfig({ environment: bed.cloud.environment() });
  await using cloud = new OpenStackClient({ config, userAgent: 'test/1' });
  await cloud.placement.allocations.delete(CONSUMER);
}

async function untilTold(name: string, words: string): Promise<Hypervisor> {
  return await bed.until(name, (hypervisor) => conditionWords(hypervisor, 'Offboarded') === words);
}

async function setSpec(name: string, changes: Partial<HypervisorSpec>): Promise<void> {
  await bed.hypervisors.patch(name, 'merge', { spec: changes });
}

function messageOf({ status }: Hypervisor): string {
  return status?.conditions?.find(({ type }) => type === 'Offboarded')?.message ?? '';
}
