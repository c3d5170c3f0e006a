import { ovsNodeKind } from '@smalt/ovs-api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { freshName } from '../fixtures/fresh-name.ts';
import { onboardingOf, startOnboardingBed, type OnboardingBed } from './fixtures/onboarding-bed.ts';
import { watchOnboarding } from './fixtures/watch-onboarding.ts';

/** However busy the machine is. */
const PATIENT = { timeout: 15_000 };

let bed: OnboardingBed;

beforeAll(async () => {
  bed = await startOnboardingBed();
});

afterEach(() => {
  bed.operatorBed.cloud.behave({ spawnMs: 20 });
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('the way into use', () => {
  it('goes by discovery, test aggregates, a test instance and the handover', async () => {
    const name = freshName('whole');
    const { cloud, hypervisors } = bed.operatorBed;
    using history = watchOnboarding(bed.operatorBed.hypervisors, name);
    const { metadata } = await bed.host(name);
    cloud.changeHost(name, { isForcedDown: true });

    await bed.untilOnboarding(name, 'True/Initial: Initial onboarding');
    const { hypervisorId, serviceId } = cloud.host(name) ?? {};
    await bed.joinTestAggregates(name);
    await bed.untilOnboarding(name, 'True/Handover: Waiting for other controllers to take over: TraitsUpdated');
    await bed.takeOver(name);
    await bed.untilOnboarding(name, 'False/Succeeded: Onboarding completed');

    const { status } = await hypervisors.get(name);
    expect(status).toMatchObject({ hypervisorId, serviceId });
    expect(status?.smokeTest).toBeUndefined();
    expect(cloud.host(name)).toMatchObject({ status: 'enabled', isForcedDown: false, serverIds: [] });
    await expect.poll(() => history.reasons(), PATIENT).toEqual(['Initial', 'Testing', 'Handover', 'Succeeded']);
    // Ids without the condition would make others take the host for one in use.
    expect(history.seen.filter(({ status: each }) => each?.hypervisorId !== undefined).map(onboardingOf)).not.toContain(
      '',
    );
    expect(bed.startsOf(name)).toMatchObject([
      { server: { name: `ohooc--${name}-${metadata.uid}`, availability_zone: `zone-a:${name}` } },
    ]);
  });

  it('leaves the test instance out when tests are skipped', async () => {
    const name = freshName('skipped');
    await bed.host(name, { skipTests: true });

    await bed.joinTestAggregates(name);
    await bed.untilOnboarding(name, 'True/Handover');
    await bed.takeOver(name);
    await bed.untilOnboarding(name, 'False/Succeeded');

    expect(bed.startsOf(name)).toEqual([]);
  });

  it('waits for HA where it is wanted', async () => {
    const name = freshName('ha');
    await bed.host(name, { skipTests: true, highAvailability: true });

    await bed.joinTestAggregates(name);
    await bed.untilOnboarding(name, 'True/Handover');
    await bed.takeOver(name);

    const waiting = await bed.untilOnboarding(name, 'True/Handover: Waiting for other controllers to take over: Ha');
    expect(onboardingOf(waiting)).toBe('True/Handover: Waiting for other controllers to take over: HaEnabled');
  });

  it('begins when the host is registered, however long that takes', async () => {
    const name = freshName('late');
    const { cloud, hypervisors } = bed.operatorBed;
    const others = cloud.countOf(/compute GET \/os-hypervisors/);
    await hypervisors.apply(name, { spec: {} });
    await expect.poll(() => cloud.countOf(/compute GET \/os-hypervisors/), PATIENT).toBeGreaterThan(others + 1);

    expect(onboardingOf(await hypervisors.get(name))).toBe('');
    cloud.addHost(name);

    await bed.operatorBed.until(name, ({ status }) => status?.hypervisorId === cloud.host(name)?.hypervisorId);
  });

  it('asks for the zone that is missing, and goes on when it is there', async () => {
    const name = freshName('zoneless');
    const { hypervisors } = bed.operatorBed;
    await bed.host(name, {}, { 'topology.kubernetes.io/zone': '' });

    await bed.untilOnboarding(
      name,
      'True/Initial: cannot find availability-zone label topology.kubernetes.io/zone on node',
    );
    const labels = { 'topology.kubernetes.io/zone': 'zone-a' };
    await hypervisors.patch(name, 'merge', { metadata: { labels } });

    const zoned = await bed.untilOnboarding(name, 'True/Initial: Initial onboarding');
    expect(zoned.status?.hypervisorId).toBe(bed.operatorBed.cloud.host(name)?.hypervisorId);
  });

  it('starts no test instance before libvirt and the bridges are there', async () => {
    const name = freshName('bare');
    const { client, hypervisors } = bed.operatorBed;
    const ovsNodes = client.resource(ovsNodeKind);
    await ovsNodes.apply(`ovs-of-${name}`, { spec: { nodeRef: { name } } });
    await ovsNodes.applyStatus(`ovs-of-${name}`, { bridges: [{ name: 'br-int', status: 'Active' }] });
    await bed.host(name);
    await stateConnection('False');

    await bed.joinTestAggregates(name);
    await bed.untilOnboarding(
      name,
      `True/Testing: Not ready for tests: libvirt cannot be reached (ConnectFailed): see whether its daemon runs on ${name}; the bridge br-ex is missing: add it on ${name}`,
    );
    expect(bed.startsOf(name)).toEqual([]);
    await stateConnection('True');
    await ovsNodes.applyStatus(`ovs-of-${name}`, { bridges: [{ name: 'br-int' }, { name: 'br-ex' }] });

    await bed.untilOnboarding(name, 'True/Handover');
    expect(bed.startsOf(name)).toHaveLength(1);

    async function stateConnection(status: 'True' | 'False'): Promise<void> {
      const about = { reason: 'ConnectFailed', message: 'no', lastTransitionTime: '2026-01-01T00:00:00Z' };
      const conditions = [{ type: 'LibVirtConnection', status, ...about }];
      await hypervisors.applyStatus(name, { conditions }, { fieldManager: 'agent', force: true });
    }
  });
});

describe('an abort', () => {
  it.each([
    {
      title: 'by the lifecycle',
      off: { lifecycleEnabled: false },
      on: [{ lifecycleEnabled: true }],
      says: 'Aborted due to LifecycleEnabled being false',
    },
    {
      title: 'by termination',
      off: { maintenance: 'termination' },
      // The kind lets a host out of termination by this way only.
      on: [{ maintenance: 'ha' }, { maintenance: '' }],
      says: 'Aborted due to MaintenanceTermination',
    },
  ])('$title removes the test instance, and has a way back', async ({ off, on, says }) => {
    const name = freshName('aborted');
    const { cloud, hypervisors } = bed.operatorBed;
    cloud.behave({ spawnMs: 3_600_000 });
    await bed.host(name);
    await bed.joinTestAggregates(name);
    await expect.poll(() => bed.testInstances(name), PATIENT).toHaveLength(1);

    using fault = cloud.inject({ service: 'compute', method: 'DELETE', effect: { kind: 'answer', status: 409 } });
    await hypervisors.patch(name, 'merge', { spec: off });
    await bed.untilOnboarding(name, 'True/Aborted: failed to terminate instance ');
    fault.clear();
    await bed.untilOnboarding(name, `False/Aborted: ${says}`);
    await expect.poll(() => bed.testInstances(name), PATIENT).toEqual([]);
    cloud.behave({ spawnMs: 20 });
    for (const spec of on) await hypervisors.patch(name, 'merge', { spec });

    await bed.untilOnboarding(name, 'True/Handover');
  });

  it('does not touch a host in use', async () => {
    const used = freshName('used');
    const usedMarker = freshName('used-marker');
    const { hypervisors } = bed.operatorBed;
    await bed.host(used, { skipTests: true });
    await bed.joinTestAggregates(used);
    await bed.untilOnboarding(used, 'True/Handover');
    await bed.takeOver(used);
    await bed.untilOnboarding(used, 'False/Succeeded');
    using history = watchOnboarding(bed.operatorBed.hypervisors, used);

    await hypervisors.patch(used, 'merge', { spec: { lifecycleEnabled: false } });
    await hypervisors.patch(used, 'merge', { spec: { lifecycleEnabled: true } });
    await hypervisors.patch(used, 'merge', { spec: { maintenance: 'termination' } });
    await bed.host(usedMarker, { skipTests: true });
    await bed.untilOnboarding(usedMarker, 'True/Initial');

    expect(history.reasons()).toEqual(['Succeeded']);
  });
});

it('takes over what another operator has said, and finds ids that are missing', async () => {
  const name = freshName('inherited');
  const { cloud, hypervisors } = bed.operatorBed;
  const lastTransitionTime = '2025-01-01T00:00:00Z';
  const succeeded = { status: 'False', reason: 'Succeeded', message: 'Onboarding completed', lastTransitionTime };
  await bed.operatorBed.stopOperator();
  await bed.host(name);
  const conditions = [{ type: 'Onboarding', ...succeeded }];
  await hypervisors.patch(
    name,
    'merge',
    { status: { conditions } },
    { subresource: 'status', fieldManager: 'onboarding' },
  );

  await bed.restart();
  const { status } = await bed.operatorBed.until(name, (each) => each.status?.serviceId !== undefined);

  expect(status?.hypervisorId).toBe(cloud.host(name)?.hypervisorId);
  expect(status?.conditions).toMatchObject([succeeded]);
  expect(bed.startsOf(name)).toEqual([]);
});

it('finds out when a host in use was registered anew, and never takes another one for it', async () => {
  const name = freshName('again');
  const { cloud, hypervisors } = bed.operatorBed;
  await bed.restart({ resyncMs: 100 });
  await bed.host(name, { skipTests: true });
  await bed.joinTestAggregates(name);
  await bed.untilOnboarding(name, 'True/Handover');
  await bed.takeOver(name);
  const { status: before } = await bed.untilOnboarding(name, 'False/Succeeded');

  cloud.addHost(`${name}1`);
  cloud.removeHost(name);
  const looks = cloud.countOf(/compute GET \/os-services/);
  await expect.poll(() => cloud.countOf(/compute GET \/os-services/), PATIENT).toBeGreaterThan(looks + 2);
  expect((await hypervisors.get(name)).status).toEqual(before);
  const { serviceId } = cloud.addHost(name);

  const { status } = await bed.operatorBed.until(name, (each) => each.status?.serviceId === serviceId);
  expect(status?.conditions).toEqual(before?.conditions);
  await expect
    .poll(() => bed.operatorBed.kubectl('get', 'events', '-A'), PATIENT)
    .toContain(`${name} was registered anew`);
});
