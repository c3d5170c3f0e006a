import { eventKind } from '@smalt/controller-runtime';
import type { HypervisorSpec } from '@smalt/fleet-api';
import { isNotFound } from '@smalt/kube';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { conditionWords, registerHost, stateConditions } from '../fixtures/registered-host.ts';
import { serviceChanges, stateEviction, untilReason } from './fixtures/service-changes.ts';
import { createMaintenanceController } from './maintenance-controller.ts';
import { defaultMaintenanceSettings } from './maintenance-settings.ts';

const ENABLED = 'False/Succeeded Hypervisor is enabled';
const DISABLED = 'True/Succeeded Hypervisor is disabled';
const RESYNC_MS = 300;
const settings = { ...defaultMaintenanceSettings, concurrency: 1, resyncMs: RESYNC_MS, confirmMs: 50 };

let bed: OperatorBed;

beforeAll(async () => {
  bed = await startOperatorBed({
    controllers: (context) => [createMaintenanceController(context, settings)],
    openStack: { listingMs: 10 },
  });
});

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(() => bed.cloud.forgetCalls());

describe('the compute service', () => {
  it('is enabled, and no longer forced down, without maintenance', async () => {
    await registerHost(bed, 'down', { host: { status: 'disabled', disabledReason: 'Hypervisor CRD: x' } });
    bed.cloud.changeHost('down', { isForcedDown: true });

    await bed.until('down', (hypervisor) => conditionWords(hypervisor, 'HypervisorDisabled') === ENABLED);

    expect(bed.cloud.host('down')).toMatchObject({ status: 'enabled', isForcedDown: false });
    expect(serviceChanges(bed, 'down')).toEqual([{ status: 'enabled', forced_down: false }]);
  });

  it('is not touched when it is enabled already', async () => {
    await registerHost(bed, 'up');

    await bed.until('up', (hypervisor) => conditionWords(hypervisor, 'HypervisorDisabled') === ENABLED);
    await otherHostWasLookedAt('beside-up');

    expect(serviceChanges(bed, 'up')).toEqual([]);
  });

  it.each(['manual', 'auto', 'termination'] as const)('is disabled in the mode %s', async (maintenance) => {
    const name = `disabled-${maintenance}`;
    await registerHost(bed, name, { spec: { maintenance, maintenanceReason: 'a test' } });

    await bed.until(name, (hypervisor) => conditionWords(hypervisor, 'HypervisorDisabled') === DISABLED);

    expect(serviceChanges(bed, name)).toEqual([
      { status: 'disabled', disabled_reason: `Hypervisor CRD: spec.maintenance=${maintenance}` },
    ]);
  });

  it('has the reason of the mode that counts', async () => {
    await registerHost(bed, 'changing', { spec: { maintenance: 'manual', maintenanceReason: 'a test' } });
    await untilReason(bed, 'changing', 'Hypervisor CRD: spec.maintenance=manual');

    await setSpec('changing', { maintenance: 'auto' });

    await untilReason(bed, 'changing', 'Hypervisor CRD: spec.maintenance=auto');
    expect(serviceChanges(bed, 'changing')).toHaveLength(2);
  });

  it('is left alone while the host is onboarded, or is still to be', async () => {
    const spec = { maintenance: 'manual', maintenanceReason: 'a test' } as const;
    await registerHost(bed, 'onboarding', { spec, conditions: ['Onboarding=True/Testing'] });
    await registerHost(bed, 'new', { host: { status: 'disabled' }, conditions: [] });

    await otherHostWasLookedAt('beside-onboarding');

    expect([...serviceChanges(bed, 'onboarding'), ...serviceChanges(bed, 'new')]).toEqual([]);
    expect((await bed.hypervisors.get('onboarding')).status?.conditions?.map(({ type }) => type)).toEqual([
      'Onboarding',
    ]);
    expect((await bed.hypervisors.get('new')).status?.conditions ?? []).toEqual([]);
    await expect(bed.evictions.get('onboarding')).rejects.toSatisfy(isNotFound);
  });

  it('is not looked for when it is not known, and the host is evicted all the same', async () => {
    await registerHost(bed, 'unknown', {
      spec: { maintenance: 'termination' },
      conditions: [],
      host: 'none',
    });

    const hypervisor = await bed.until(
      'unknown',
      (each) => conditionWords(each, 'Evicting') === 'True/Running Evicting',
    );

    expect(conditionWords(hypervisor, 'HypervisorDisabled')).toBeUndefined();
    expect((await bed.evictions.get('unknown')).spec?.hypervisor).toBe('unknown');
  });

  it('is that of the host with these ids, whatever others are called', async () => {
    bed.cloud.addHost('node10');
    await registerHost(bed, 'node1', { spec: { maintenance: 'auto' } });

    await untilReason(bed, 'node1', 'Hypervisor CRD: spec.maintenance=auto');

    expect(bed.cloud.host('node10')).toMatchObject({ status: 'enabled' });
  });

  it('is enabled again when others have disabled it, and their reason is told', async () => {
    await registerHost(bed, 'drifting');
    await bed.until('drifting', (hypervisor) => conditionWords(hypervisor, 'HypervisorDisabled') === ENABLED);

    bed.cloud.changeHost('drifting', { status: 'disabled', disabledReason: 'AUTO: Connection to libvirt lost: 1' });

    await expect.poll(() => bed.cloud.host('drifting')?.status, { timeout: 5_000 }).toBe('enabled');
    await expect
      .poll(() => eventsOf('drifting'), { timeout: 5_000 })
      .toContain(
        'Warning HypervisorDisabledElsewhere Hypervisor was disabled elsewhere (AUTO: Connection to libvirt lost: 1) and is enabled again: spec.maintenance is empty',
      );
  });

  it('is disabled again when others have enabled it during maintenance', async () => {
    await registerHost(bed, 'reopened', { spec: { maintenance: 'auto' } });
    await untilReason(bed, 'reopened', 'Hypervisor CRD: spec.maintenance=auto');

    bed.cloud.changeHost('reopened', { status: 'enabled', disabledReason: undefined });

    await untilReason(bed, 'reopened', 'Hypervisor CRD: spec.maintenance=auto');
    expect(serviceChanges(bed, 'reopened')).toHaveLength(2);
  });

  it('is told to have failed, and is tried again', async () => {
    const fault = bed.cloud.inject({
      service: 'compute',
      method: 'PUT',
      body: 'spec.maintenance=auto',
      effect: { kind: 'answer', status: 409, message: 'not now' },
    });
    await registerHost(bed, 'failing', { spec: { maintenance: 'auto' } });

    const failing = await bed.until('failing', (each) =>
      (conditionWords(each, 'HypervisorDisabled') ?? '').startsWith('False/Failed failed to disable hypervisor: '),
    );
    await expect.poll(() => fault.hits, { timeout: 5_000 }).toBeGreaterThan(4);
    const later = await bed.hypervisors.get('failing');
    fault.clear();

    expect(conditionWords(failing, 'HypervisorDisabled')).toMatch(/not now.*\(req-/v);
    // Words that change with every try would bring the hypervisor back at once, whatever the back-off.
    expect(conditionWords(later, 'HypervisorDisabled')).toBe(conditionWords(failing, 'HypervisorDisabled'));
    await bed.until('failing', (hypervisor) => conditionWords(hypervisor, 'HypervisorDisabled') === DISABLED);
  });

  it('is told to be missing when the compute system knows the host no longer', async () => {
    await registerHost(bed, 'lost');
    await bed.until('lost', (hypervisor) => conditionWords(hypervisor, 'HypervisorDisabled') === ENABLED);

    bed.cloud.removeHost('lost');

    const hypervisor = await bed.until('lost', (each) => conditionWords(each, 'HypervisorDisabled') !== ENABLED);
    expect(conditionWords(hypervisor, 'HypervisorDisabled')).toBe(
      'Unknown/NotRegistered Hypervisor is not registered at the compute system under its stored ids',
    );
  });
});

describe('a host that was offboarded', () => {
  it('is not looked for, and stays closed', async () => {
    await registerHost(bed, 'gone', { spec: { maintenance: 'termination' } });
    await bed.until('gone', (hypervisor) => conditionWords(hypervisor, 'HypervisorDisabled') === DISABLED);
    await stateConditions(bed, 'gone', ['Offboarded=True/Offboarded']);
    bed.cloud.removeHost('gone');

    await stateEviction(bed, 'gone', 'False', 'Succeeded', 'done');
    const hypervisor = await bed.until('gone', ({ status }) => status?.evicted === true);

    expect(conditionWords(hypervisor, 'HypervisorDisabled')).toBe(DISABLED);
  });
});

describe('the mode ha', () => {
  it('asks nothing of the compute system, and leaves what the HA service says', async () => {
    await registerHost(bed, 'ha', { spec: { maintenance: 'auto' } });
    await untilReason(bed, 'ha', 'Hypervisor CRD: spec.maintenance=auto');
    await bed.untilEviction('ha', () => true);

    bed.cloud.forgetCalls();
    await setSpec('ha', { maintenance: 'ha' });
    await bed.until('ha', (hypervisor) => conditionWords(hypervisor, 'Evicting') === undefined);
    await stateConditions(bed, 'ha', ['HypervisorDisabled=True/Succeeded fenced']);
    await otherHostWasLookedAt('beside-ha');

    const hypervisor = await bed.hypervisors.get('ha');
    expect(conditionWords(hypervisor, 'HypervisorDisabled')).toBe('True/Succeeded fenced');
    expect(hypervisor.status?.evicted).toBe(false);
    await expect(bed.evictions.get('ha')).rejects.toSatisfy(isNotFound);
    expect(serviceChanges(bed, 'ha')).toEqual([]);
  });

  it('follows evictions that somebody else has asked for', async () => {
    await registerHost(bed, 'ha-drained', { spec: { maintenance: 'ha' } });
    await stateConditions(bed, 'ha-drained', ['HypervisorDisabled=True/Succeeded fenced']);

    await bed.evictions.create({ metadata: { name: 'by-hand' }, spec: { hypervisor: 'ha-drained', reason: 'x' } });

    const hypervisor = await bed.until(
      'ha-drained',
      (each) => conditionWords(each, 'Evicting') === 'True/Running Evicting',
    );
    expect(conditionWords(hypervisor, 'HypervisorDisabled')).toBe('True/Succeeded fenced');

    await bed.evictions.delete('by-hand');
    await setSpec('ha-drained', { maintenance: '' });
    await bed.until(
      'ha-drained',
      (each) =>
        conditionWords(each, 'HypervisorDisabled') === ENABLED && conditionWords(each, 'Evicting') === undefined,
    );
  });
});

describe('an eviction', () => {
  it('is made for the hypervisor, and followed wherever it goes', async () => {
    const labels = { 'topology.kubernetes.io/zone': 'a', other: 'b' };
    await registerHost(bed, 'drained', { labels, spec: { maintenance: 'manual', maintenanceReason: 'a test' } });

    const eviction = await bed.untilEviction('drained', () => true);
    await bed.until('drained', (each) => conditionWords(each, 'Evicting') === 'True/Running Evicting');
    await stateEviction(bed, 'drained', 'False', 'Succeeded', 'eviction completed successfully');
    const done = await bed.until('drained', (each) => conditionWords(each, 'Evicting') === 'False/Succeeded Evicted');
    await stateEviction(bed, 'drained', 'True', 'Running', 'somebody has moved in');
    const again = await bed.until('drained', (each) => conditionWords(each, 'Evicting') === 'True/Running Evicting');
    await stateEviction(bed, 'drained', 'False', 'Failed', 'no host has room');
    const failed = await bed.until(
      'drained',
      (each) => conditionWords(each, 'Evicting') === 'False/Failed no host has room',
    );

    expect(eviction.spec).toEqual({ hypervisor: 'drained', reason: 'openstack-hypervisor-operator maintenance' });
    expect(eviction.metadata.labels).toEqual({ 'topology.kubernetes.io/zone': 'a' });
    expect(eviction.metadata.ownerReferences).toMatchObject([
      { kind: 'Hypervisor', name: 'drained', controller: true },
    ]);
    expect([done, again, failed].map(({ status }) => status?.evicted)).toEqual([true, false, false]);
    await expect.poll(() => eventsOf('drained')).toContain('Warning EvictingFailed no host has room');
  });

  it('goes when maintenance ends, and is told until it is gone', async () => {
    await registerHost(bed, 'returned', { spec: { maintenance: 'auto' } });
    await bed.untilEviction('returned', () => true);
    await setFinalizers('returned', ['test.example/moves-are-stopped']);

    await setSpec('returned', { maintenance: '' });
    await bed.untilEviction('returned', ({ metadata }) => metadata.deletionTimestamp !== undefined);
    const open = await bed.until('returned', (each) => conditionWords(each, 'HypervisorDisabled') === ENABLED);
    await setFinalizers('returned', []);

    expect(conditionWords(open, 'Evicting')).toBe('True/Running Evicting');
    const closed = await bed.until('returned', (each) => conditionWords(each, 'Evicting') === undefined);
    expect(closed.status?.evicted).toBe(false);
  });

  it('is made anew when somebody deletes it during maintenance', async () => {
    await registerHost(bed, 'meddled', { spec: { maintenance: 'auto' } });
    const first = await bed.untilEviction('meddled', () => true);

    await bed.evictions.delete('meddled');

    const second = await bed.untilEviction('meddled', ({ metadata }) => metadata.uid !== first.metadata.uid);
    expect(second.spec).toEqual(first.spec);
  });

  it('that somebody else has asked for closes the host until it is gone', async () => {
    await registerHost(bed, 'rebooting');
    await bed.until('rebooting', (hypervisor) => conditionWords(hypervisor, 'HypervisorDisabled') === ENABLED);

    const spec = { hypervisor: 'rebooting', reason: 'kvm-node-agent: emergency evacuation due to host reboot' };
    await bed.evictions.create({ metadata: { name: 'rebooting' }, spec });
    await untilReason(bed, 'rebooting', `Eviction: ${spec.reason}`);
    await bed.until('rebooting', (each) => conditionWords(each, 'HypervisorDisabled') === DISABLED);
    await stateEviction(bed, 'rebooting', 'False', 'Succeeded', 'done');
    const evicted = await bed.until(
      'rebooting',
      (each) => conditionWords(each, 'Evicting') === 'False/Succeeded Evicted',
    );
    await bed.evictions.delete('rebooting');

    expect(evicted.status?.evicted).toBe(true);
    const open = await bed.until('rebooting', (each) => conditionWords(each, 'HypervisorDisabled') === ENABLED);
    expect(conditionWords(open, 'Evicting')).toBeUndefined();
    expect(bed.cloud.host('rebooting')?.status).toBe('enabled');
  });
});

/** Resolves when a host that came later was dealt with: there is one worker, so those before it were, too. */
async function otherHostWasLookedAt(name: string): Promise<void> {
  await registerHost(bed, name, { spec: { maintenance: 'auto' } });
  await untilReason(bed, name, 'Hypervisor CRD: spec.maintenance=auto');
  bed.cloud.removeHost(name);
}

async function setSpec(name: string, spec: Partial<HypervisorSpec>): Promise<void> {
  await bed.hypervisors.patch(name, 'merge', { spec });
}

async function setFinalizers(name: string, finalizers: readonly string[]): Promise<void> {
  await bed.evictions.patch(name, 'merge', { metadata: { finalizers } });
}

async function eventsOf(name: string): Promise<readonly string[]> {
  const { items } = await bed.client.resource(eventKind).list({ namespace: 'default' });
  return items
    .filter(({ involvedObject }) => involvedObject['name'] === name)
    .map(({ type, reason, message }) => `${type} ${reason} ${message}`);
}
