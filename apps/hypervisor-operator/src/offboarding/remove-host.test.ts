import type { ComputeInstances } from '@smalt/compute';
import type { Hypervisor, HypervisorSpec } from '@smalt/fleet-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { conditionWords, registerHost, stateConditions, stateIds } from '../fixtures/registered-host.ts';
import { createOffboardingController } from './offboarding-controller.ts';
import { defaultOffboardingSettings } from './offboarding-settings.ts';

const OFFBOARDED = 'True/Offboarded Offboarding successful';
const BEGUN = 'False/Offboarding Hypervisor is being offboarded, removing host from nova';
const EVICTED = 'Evicting=False/Succeeded';
const spec = { maintenance: 'termination' } as const;
const conditions = [EVICTED, 'AgentPodsEvicted=True/NoAgentPods'];

/** What happens to the host with this service right after its instances were listed. */
const afterListing = new Map<string, () => Promise<unknown>>();

let bed: OperatorBed;
let names = 0;

beforeAll(async () => {
  bed = await startOperatorBed({
    controllers: (context) => [
      createOffboardingController(
        { ...context, compute: { ...context.compute, instances: interrupted(context.compute.instances) } },
        { ...defaultOffboardingSettings, concurrency: 1, retryMs: 50 },
      ),
    ],
    openStack: { listingMs: 10 },
  });
});

afterAll(() => bed[Symbol.asyncDispose]());

it('the way out is taken back when a host comes back that was out, and taken again the next time', async () => {
  const name = fresh('twice');
  await registerHost(bed, name, { spec, conditions });
  await untilTold(name, OFFBOARDED);

  await setSpec(name, { maintenance: 'ha' });
  await bed.until(name, (each) => conditionWords(each, 'Offboarded') === undefined);
  await stateIds(bed, name, bed.cloud.addHost(name));
  await stateConditions(bed, name, ['Evicting=True/Running']);
  await setSpec(name, spec);
  await untilTold(name, BEGUN);
  await stateConditions(bed, name, [EVICTED]);
  await untilTold(name, OFFBOARDED);

  expect(bed.cloud.host(name)).toBeUndefined();
});

it.each<{ what: string; change: (name: string) => Promise<unknown> }>([
  // The kind lets it leave this mode by `ha` only.
  {
    what: 'is wanted again',
    change: (name) => setSpec(name, { maintenance: 'ha' }).then(() => setSpec(name, { maintenance: '' })),
  },
  { what: 'is taken over by high availability', change: (name) => setSpec(name, { maintenance: 'ha' }) },
  { what: 'is empty no longer', change: (name) => stateConditions(bed, name, ['Evicting=True/Running']) },
  { what: 'is deleted', change: (name) => bed.hypervisors.delete(name) },
])('the way out ends for a host that $what while it is looked at', async ({ change }) => {
  const name = fresh('recalled');
  await registerHost(bed, name, { spec, conditions: [] });
  const serviceId = bed.cloud.host(name)?.serviceId ?? '';
  const { promise: looked, resolve } = Promise.withResolvers<void>();
  afterListing.set(serviceId, () => change(name).then(() => resolve()));
  await stateConditions(bed, name, conditions);
  await looked;

  const beside = fresh('beside');
  await registerHost(bed, beside, { spec, conditions });
  await untilTold(beside, OFFBOARDED);

  expect(bed.cloud.host(name)).toMatchObject({ serviceId });
});

it('the way out is barred for a host that is registered anew', async () => {
  const name = fresh('returned');
  await registerHost(bed, name, { spec, conditions: [] });
  bed.cloud.removeHost(name);
  const { hypervisorId, serviceId } = bed.cloud.addHost(name);
  await stateConditions(bed, name, conditions);

  await untilTold(
    name,
    `False/Offboarding Hypervisor is being offboarded, but host ${name} is registered anew as hypervisor ${hypervisorId} with service ${serviceId}, and not under its stored ids`,
  );
  const isThere = bed.cloud.host(name) !== undefined;
  bed.cloud.removeHost(name);

  expect(isThere).toBe(true);
  await untilTold(name, OFFBOARDED);
});

it('the way out begins under the name that the host has at the compute system', async () => {
  const name = fresh('machine');
  const hostName = fresh('compute');
  bed.cloud.addHost(hostName);
  const labels = { 'kubernetes.io/hostname': hostName };
  await registerHost(bed, name, { spec, conditions, labels, host: 'none' });

  await untilTold(name, OFFBOARDED);

  expect(bed.cloud.host(hostName)).toBeUndefined();
});

it('the way out is never that of the host of another hypervisor', async () => {
  const tenant = fresh('tenant');
  const thief = fresh('thief');
  const twin = fresh('twin');
  await registerHost(bed, tenant, { spec: { maintenance: '' }, conditions: [] });
  const host = bed.cloud.host(tenant);
  await registerHost(bed, thief, { spec, conditions: [], host: 'none' });
  if (host !== undefined) await stateIds(bed, thief, host);
  await stateConditions(bed, thief, conditions);
  const labels = { 'kubernetes.io/hostname': tenant };
  await registerHost(bed, twin, { spec, conditions, labels, host: 'none' });

  const told = `Hypervisor is being offboarded, but host ${tenant} belongs to Hypervisor`;
  await untilTold(thief, `False/Offboarding ${told} ${tenant}: it is not removed`);
  await bed.until(twin, (each) => messageOf(each).startsWith(told));

  expect(bed.cloud.host(tenant)).toEqual(host);
});

it('the way out is free for a host whose name is only the first part of that of another', async () => {
  const short = fresh('short');
  await registerHost(bed, `${short}.dc2`, { spec: { maintenance: '' }, conditions: [] });
  await registerHost(bed, short, { spec, conditions, host: 'none' });

  await untilTold(short, OFFBOARDED);

  expect(bed.cloud.host(`${short}.dc2`)).toMatchObject({ status: 'enabled' });
});

it('the way out is barred where nobody knows whose a host of a similar name is', async () => {
  const alike = fresh('alike');
  bed.cloud.addHost(`${alike}.dc2`);
  await registerHost(bed, alike, { spec, conditions, host: 'none' });

  await untilTold(
    alike,
    `False/Offboarding Host ${alike}.dc2 may be this one: delete its compute service, or name it in the hostname label`,
  );

  expect(bed.cloud.host(`${alike}.dc2`)).toBeDefined();
});

/** The real instances; what a test has in mind happens after the next look at those of a host. */
function interrupted(instances: ComputeInstances): ComputeInstances {
  return {
    list: async (host, signal) => {
      const found = await instances.list(host, signal);
      const interrupt = afterListing.get(host.serviceId);
      afterListing.delete(host.serviceId);
      await interrupt?.();
      return found;
    },
    get: (...parts) => instances.get(...parts),
    targets: (...parts) => instances.targets(...parts),
    restart: (...parts) => instances.restart(...parts),
    stop: (...parts) => instances.stop(...parts),
  };
}

/** A name that no other try of a test has had. */
function fresh(name: string): string {
  names += 1;
  return `${name}-${names}`;
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
