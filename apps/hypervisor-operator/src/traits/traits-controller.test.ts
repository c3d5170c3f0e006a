import type { HostSnapshot } from '@smalt/bed-openstack-simulator';
import type { HostIdentity } from '@smalt/compute';
import type { HypervisorSpec } from '@smalt/fleet-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { conditionWords, registerHost, stateConditions, stateIds } from '../fixtures/registered-host.ts';
import { twinMessage } from '../hosts/host-claims.ts';
import { createTraitsController } from './traits-controller.ts';
import { defaultTraitsSettings } from './traits-settings.ts';

const UPDATED = 'True/Succeeded Traits successfully updated';
const settings = { ...defaultTraitsSettings, concurrency: 1, resyncMs: 300 };

let bed: OperatorBed;

beforeAll(async () => {
  bed = await startOperatorBed({
    controllers: (context) => [createTraitsController(context, settings)],
    openStack: { listingMs: 10 },
  });
});

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(() => bed.cloud.forgetCalls());

describe('traits', () => {
  it('are added to those that the host has, in one write', async () => {
    await registerHost(bed, 'plain', { spec: { customTraits: ['CUSTOM_B', 'CUSTOM_A'] } });
    const before = bed.cloud.host('plain')?.traits ?? [];

    const { status } = await untilTold('plain', UPDATED);

    const all = [...before, 'CUSTOM_A', 'CUSTOM_B'].toSorted();
    expect(bed.cloud.host('plain')?.traits.toSorted()).toEqual(all);
    expect(status?.traits).toEqual(all);
    expect(writes('plain')).toEqual([{ traits: all, resource_provider_generation: expect.any(Number) }]);
    expect(before.length).toBeGreaterThan(0);
  });

  it('that nobody wants are updated, too: others wait for it', async () => {
    await registerHost(bed, 'modest', { conditions: ['Onboarding=True/Handover'] });

    await untilTold('modest', UPDATED);

    expect(writes('modest')).toEqual([]);
  });

  it('that are wanted no longer go, those of others stay', async () => {
    await registerHost(bed, 'changing', {
      spec: { customTraits: ['CUSTOM_OLD', 'CUSTOM_KEPT'] },
      host: { traits: ['CUSTOM_FOREIGN', 'HW_CPU_X86_VMX'] },
    });
    await untilTold('changing', UPDATED);

    await setSpec('changing', { customTraits: ['CUSTOM_NEW', 'CUSTOM_KEPT'] });
    const { status } = await bed.until('changing', (each) => each.status?.traits?.includes('CUSTOM_NEW') ?? false);

    const traits = bed.cloud.host('changing')?.traits ?? [];
    expect(traits.filter((trait) => trait.startsWith('CUSTOM_')).toSorted()).toEqual([
      'CUSTOM_FOREIGN',
      'CUSTOM_KEPT',
      'CUSTOM_NEW',
    ]);
    expect(traits).toContain('HW_CPU_X86_VMX');
    expect(status?.traits).not.toContain('CUSTOM_FOREIGN');
  });

  it('are mended when others have changed them', async () => {
    await registerHost(bed, 'drifting', { spec: { customTraits: ['CUSTOM_A'] } });
    const { status } = await untilTold('drifting', UPDATED);
    const { hypervisorId = '', serviceId = '' } = status ?? {};

    await removeTrait({ hypervisorId, serviceId }, 'CUSTOM_A');

    await expect.poll(() => bed.cloud.host('drifting')?.traits, { timeout: 5_000 }).toContain('CUSTOM_A');
  });

  it('are read again and written at once when others were quicker', async () => {
    const fault = bed.cloud.inject({
      service: 'placement',
      method: 'PUT',
      path: /\/traits$/v,
      body: 'CUSTOM_CONTESTED',
      times: 2,
      effect: { kind: 'answer', status: 409, message: 'placement.concurrent_update' },
    });

    const failures = (): number => bed.metric('controller_runtime_reconcile_errors_total{controller="traits"}');
    const before = failures();

    await registerHost(bed, 'contested', { spec: { customTraits: ['CUSTOM_CONTESTED'] } });

    await untilTold('contested', UPDATED);
    expect(fault.hits).toBe(2);
    expect(failures()).toBe(before);
  });

  it.each([
    { method: 'GET', message: 'Failed to get current traits from placement: ' },
    { method: 'PUT', message: 'Failed to update traits in placement: ' },
  ])('are told to have failed when $method does, and tried again', async ({ method, message }) => {
    const name = `failing-${method.toLowerCase()}`;
    const host = bed.cloud.addHost(name);
    const fault = bed.cloud.inject({
      service: 'placement',
      method,
      path: `/resource_providers/${host.hypervisorId}/traits`,
      effect: { kind: 'answer', status: 403, message: 'not you' },
    });
    await registerHost(bed, name, { host: 'none', spec: { customTraits: ['CUSTOM_A'] } });
    const { hypervisorId, serviceId } = host;
    await bed.hypervisors.applyStatus(name, { hypervisorId, serviceId }, { fieldManager: 'onboarding' });

    const failed = await bed.until(name, (each) =>
      (conditionWords(each, 'TraitsUpdated') ?? '').startsWith('False/Failed'),
    );
    fault.clear();

    expect(conditionWords(failed, 'TraitsUpdated')).toMatch(new RegExp(`^False/Failed ${message}.*not you`, 'v'));
    expect(failed.status?.traits ?? []).not.toContain('CUSTOM_A');
    await untilTold(name, UPDATED);
  });

  it('that cannot be are named; the others are applied', async () => {
    await registerHost(bed, 'misspelt', { spec: { customTraits: ['custom-fast', 'CUSTOM_A', 'HW_NO_SUCH_THING'] } });

    const { status } = await bed.until('misspelt', (each) => each.status?.traits?.includes('CUSTOM_A') ?? false);

    const words = status?.conditions?.find(({ type }) => type === 'TraitsUpdated');
    expect(words).toMatchObject({ status: 'False', reason: 'Failed' });
    expect(words?.message).toContain('spec.customTraits: "custom-fast" is no trait');
    expect(words?.message).toContain('spec.customTraits: "HW_NO_SUCH_THING" is no standard trait');
    expect(bed.cloud.host('misspelt')?.traits).toContain('CUSTOM_A');
  });

  it('are written to no host whose ids a second Hypervisor has, and are once it has them no more', async () => {
    await registerHost(bed, 'victim');
    await untilTold('victim', UPDATED);
    const before = bed.cloud.host('victim')?.traits;

    await registerHost(bed, 'thief', { spec: { customTraits: ['CUSTOM_STOLEN'] }, hasIds: false });
    await stateIds(bed, 'thief', hostOf('victim'));

    await untilTold('thief', `False/Failed ${twinMessage('victim')}`);
    expect(bed.cloud.host('victim')?.traits).toEqual(before);
    await stateIds(bed, 'thief', hostOf('thief'));
    await untilTold('thief', UPDATED);
    expect(bed.cloud.host('thief')?.traits).toContain('CUSTOM_STOLEN');
    expect(bed.cloud.host('victim')?.traits).toEqual(before);
  });

  it('are not asked for before the handover, without the lifecycle, and while the host is terminated', async () => {
    const spec = { customTraits: ['CUSTOM_A'] };
    await registerHost(bed, 'new', { spec, conditions: [] });
    await registerHost(bed, 'initial', { spec, conditions: ['Onboarding=True/Initial'] });
    await registerHost(bed, 'unmanaged', { spec: { ...spec, lifecycleEnabled: false } });
    await registerHost(bed, 'terminated', { spec: { ...spec, maintenance: 'termination' } });

    await registerHost(bed, 'beside', { spec });
    await untilTold('beside', UPDATED);

    for (const name of ['new', 'initial', 'unmanaged', 'terminated']) expect(callsFor(name)).toEqual([]);
    await stateConditions(bed, 'initial', ['Onboarding=True/Handover']);
    await untilTold('initial', UPDATED);
  });
});

async function untilTold(name: string, words: string) {
  return await bed.until(name, (hypervisor) => conditionWords(hypervisor, 'TraitsUpdated') === words);
}

function hostOf(name: string): HostSnapshot {
  const host = bed.cloud.host(name);
  if (host === undefined) throw new TypeError(`the cloud has no host ${name}`);
  return host;
}

async function setSpec(name: string, spec: Partial<HypervisorSpec>): Promise<void> {
  await bed.hypervisors.patch(name, 'merge', { spec });
}

function callsFor(name: string) {
  const id = bed.cloud.host(name)?.hypervisorId ?? '?';
  return bed.cloud.calls.filter(({ service, path }) => service === 'placement' && path.includes(id));
}

/** The bodies that were written as the traits of a host. */
function writes(name: string): readonly unknown[] {
  return callsFor(name)
    .filter(({ method }) => method === 'PUT')
    .map(({ body }) => JSON.parse(body));
}

/** Takes a trait away as another program would. */
async function removeTrait(host: HostIdentity, trait: string): Promise<void> {
  const { compute } = bed.operator.context;
  const signal = AbortSignal.timeout(5_000);
  const { generation, traits } = await compute.traits.get(host, signal);
  await compute.traits.set(host, { generation, traits: traits.filter((each) => each !== trait) }, signal);
}
