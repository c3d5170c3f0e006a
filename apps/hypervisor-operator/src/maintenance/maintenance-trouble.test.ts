import type { Hypervisor, HypervisorSpec } from '@smalt/fleet-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { conditionWords, registerHost, stateConditions, stateIds } from '../fixtures/registered-host.ts';
import { CallGates, type CallGate } from './fixtures/call-gates.ts';
import { serviceChanges, stateEviction, untilReason } from './fixtures/service-changes.ts';
import { createMaintenanceController } from './maintenance-controller.ts';
import { defaultMaintenanceSettings } from './maintenance-settings.ts';

const ENABLED = 'False/Succeeded Hypervisor is enabled';
const settings = { ...defaultMaintenanceSettings, concurrency: 1, resyncMs: 300, confirmMs: 50 };
const gates = new CallGates();

let bed: OperatorBed;
let names = 0;

beforeAll(async () => {
  bed = await startOperatorBed({
    controllers: (context) => {
      const compute = { ...context.compute, hosts: gates.guard(context.compute.hosts) };
      return [createMaintenanceController({ ...context, compute }, settings)];
    },
    openStack: { listingMs: 10 },
  });
});

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(() => bed.cloud.forgetCalls());

describe('the compute service of a host', () => {
  it('is not touched where another hypervisor has the same host', async () => {
    const owner = fresh('owner');
    const pretender = fresh('pretender');
    await registerHost(bed, owner);
    await bed.until(owner, (hypervisor) => conditionWords(hypervisor, 'HypervisorDisabled') === ENABLED);
    const host = bed.cloud.host(owner);
    await registerHost(bed, pretender, { spec: { maintenance: 'auto' }, host: 'none', conditions: [] });
    if (host !== undefined) await stateIds(bed, pretender, host);
    await stateConditions(bed, pretender, ['Onboarding=False/Succeeded']);

    await bed.until(
      pretender,
      (each) =>
        conditionWords(each, 'HypervisorDisabled') ===
        `Unknown/Failed host ${owner} belongs to Hypervisor ${owner}: nothing is done to it`,
    );

    expect(serviceChanges(bed, owner)).toEqual([]);
  });

  it('stays forced down when others have done that, until they take it back', async () => {
    const name = fresh('fenced');
    await registerHost(bed, name);
    await bed.until(name, (hypervisor) => conditionWords(hypervisor, 'HypervisorDisabled') === ENABLED);

    bed.cloud.changeHost(name, { status: 'disabled', disabledReason: 'HA: fenced', isForcedDown: true });
    await bed.until(name, (each) =>
      (conditionWords(each, 'HypervisorDisabled') ?? '').startsWith(
        'True/DisabledElsewhere Hypervisor was forced down',
      ),
    );
    await laterLook(name);
    const sent = serviceChanges(bed, name);
    const { status, isForcedDown } = bed.cloud.host(name) ?? {};
    bed.cloud.changeHost(name, { status: 'enabled', disabledReason: undefined, isForcedDown: false });

    expect({ sent, status, isForcedDown }).toEqual({ sent: [], status: 'disabled', isForcedDown: true });
    await bed.until(name, (hypervisor) => conditionWords(hypervisor, 'HypervisorDisabled') === ENABLED);
  });

  it('is closed for a reason that no database would take, in words that it does take', async () => {
    const name = fresh('burning');
    await registerHost(bed, name);
    await bed.evictions.create({
      metadata: { name: fresh('put-out') },
      spec: { hypervisor: name, reason: 'fire \u{1f525}\nin rack 7' },
    });
    await untilReason(bed, name, 'Eviction: fire \uFFFD in rack 7');

    await laterLook(name);

    expect(serviceChanges(bed, name)).toHaveLength(1);
  });
});

describe('a host that is registered anew', () => {
  it.each(['', 'termination'] as const)('is not taken for closed, nor for empty, in the mode "%s"', async (mode) => {
    const name = fresh('anew');
    await registerHost(bed, name, { spec: { maintenance: 'auto' } });
    await bed.untilEviction(name, () => true);
    await stateEviction(bed, name, 'False', 'Succeeded', 'done');
    await bed.until(name, ({ status }) => status?.evicted === true);

    bed.cloud.removeHost(name);
    const { hypervisorId, serviceId } = bed.cloud.addHost(name);
    await setSpec(name, { maintenance: mode });

    // The loss may be seen before the mode has changed: both are waited for.
    const evicting = mode === '' ? undefined : 'True/Running Evicting';
    const hypervisor = await bed.until(
      name,
      (each) =>
        conditionWords(each, 'Evicting') === evicting &&
        conditionWords(each, 'HypervisorDisabled') ===
          `Unknown/NotRegistered host ${name} is registered anew as hypervisor ${hypervisorId} with service ${serviceId}, and not under its stored ids`,
    );
    expect(hypervisor.status?.evicted).toBe(false);
    expect(serviceChanges(bed, name)).toEqual([]);
  });
});

describe('the mode ha', () => {
  it('ends with a look at what the HA service has left', async () => {
    const name = fresh('returning');
    await registerHost(bed, name);
    await bed.until(name, (hypervisor) => conditionWords(hypervisor, 'HypervisorDisabled') === ENABLED);
    await setSpec(name, { maintenance: 'ha' });
    await stateConditions(bed, name, ['HypervisorDisabled=True/Succeeded fenced']);
    bed.cloud.changeHost(name, { status: 'disabled', disabledReason: 'HA: fenced', isForcedDown: true });

    await setSpec(name, { maintenance: '' });

    await bed.until(name, (hypervisor) => conditionWords(hypervisor, 'HypervisorDisabled') === ENABLED);
    expect(bed.cloud.host(name)).toMatchObject({ status: 'enabled', isForcedDown: false });
  });

  it('is not overruled by a look that began before it', async () => {
    const name = fresh('overtaken');
    await registerHost(bed, name);
    await bed.until(name, (hypervisor) => conditionWords(hypervisor, 'HypervisorDisabled') === ENABLED);
    using gate = closeGate(name);
    await gate.reached;

    await setSpec(name, { maintenance: 'ha' });
    await stateConditions(bed, name, ['HypervisorDisabled=True/Succeeded fenced']);
    await untilCached(name, (each) => conditionWords(each, 'HypervisorDisabled') === 'True/Succeeded fenced');
    gate.open();
    await otherHostWasLookedAt(fresh('beside-overtaken'));

    const hypervisor = await bed.hypervisors.get(name);
    expect(conditionWords(hypervisor, 'HypervisorDisabled')).toBe('True/Succeeded fenced');
  });
});

describe('an eviction', () => {
  it('that succeeded counts no longer before the host is opened, and is gone then', async () => {
    const name = fresh('reused');
    await registerHost(bed, name, { spec: { maintenance: 'manual', maintenanceReason: 'a test' } });
    await bed.untilEviction(name, () => true);
    await stateEviction(bed, name, 'False', 'Succeeded', 'done');
    await bed.until(name, ({ status }) => status?.evicted === true);
    using gate = closeGate(name, 'enable');

    await setSpec(name, { maintenance: '' });
    await gate.reached;
    await bed.until(name, ({ status }) => status?.evicted === false);
    await untilGone(name);
    const closed = bed.cloud.host(name)?.status;
    gate.open();

    expect(closed).toBe('disabled');
    const open = await bed.until(name, (each) => conditionWords(each, 'HypervisorDisabled') === ENABLED);
    expect(conditionWords(open, 'Evicting')).toBeUndefined();
  });

  it('of an earlier maintenance counts no more while the host is onboarded anew', async () => {
    const name = fresh('tested-anew');
    await registerHost(bed, name, { spec: { maintenance: 'auto' } });
    await bed.untilEviction(name, () => true);
    await stateEviction(bed, name, 'False', 'Succeeded', 'done');
    await bed.until(name, ({ status }) => status?.evicted === true);

    await stateConditions(bed, name, ['Onboarding=True/Initial']);

    const { status } = await bed.until(name, (each) => each.status?.evicted === false);
    expect(status?.conditions?.map(({ type }) => type)).not.toContain('Evicting');
  });
});

/** A name that no other try of a test has had. */
function fresh(name: string): string {
  names += 1;
  return `${name}-${names}`;
}

function closeGate(name: string, call: 'get' | 'enable' = 'get'): CallGate {
  return gates.close(call, bed.cloud.host(name)?.serviceId ?? '');
}

/** Resolves when a look at a host has begun and ended after now. */
async function laterLook(name: string): Promise<void> {
  for (let looks = 0; looks < 2; looks++) {
    using gate = closeGate(name);
    await gate.reached;
  }
}

/** Resolves when a host that came later was dealt with: there is one worker, so those before it were, too. */
async function otherHostWasLookedAt(name: string): Promise<void> {
  await registerHost(bed, name, { spec: { maintenance: 'auto' } });
  await untilReason(bed, name, 'Hypervisor CRD: spec.maintenance=auto');
}

async function untilCached(name: string, isWanted: (hypervisor: Hypervisor) => boolean): Promise<void> {
  const { cache } = bed.operator.context.hypervisors;
  const isThere = () => cache.list().some((each) => each.metadata.name === name && isWanted(each));
  await expect.poll(isThere, { timeout: 10_000 }).toBe(true);
}

async function untilGone(name: string): Promise<void> {
  const isThere = async () => (await bed.evictions.list()).items.some(({ metadata }) => metadata.name === name);
  await expect.poll(isThere, { timeout: 10_000 }).toBe(false);
}

async function setSpec(name: string, spec: Partial<HypervisorSpec>): Promise<void> {
  await bed.hypervisors.patch(name, 'merge', { spec });
}
