import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { freshName } from '../fixtures/fresh-name.ts';
import { onboardingOf, startOnboardingBed, type OnboardingBed } from './fixtures/onboarding-bed.ts';

/** However busy the machine is. */
const PATIENT = { timeout: 15_000 };

let bed: OnboardingBed;

beforeAll(async () => {
  bed = await startOnboardingBed({ resyncMs: 200 });
});

afterEach(() => {
  bed.operatorBed.cloud.behave({ spawnMs: 20, spawnFault: undefined });
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('the host of another Hypervisor', () => {
  it('is not taken because its name begins alike', async () => {
    const { cloud, hypervisors } = bed.operatorBed;
    const short = freshName('node');
    const long = `${short}.dc2`;
    await bed.host(long);
    await bed.untilOnboarding(long, 'True/Initial: Initial onboarding');

    await hypervisors.apply(short, { spec: { highAvailability: false } });
    const told = await bed.untilOnboarding(short, `True/Initial: the host ${long} belongs to Hypervisor ${long}: see`);
    const own = cloud.addHost(short);
    const found = await bed.operatorBed.until(short, ({ status }) => status?.serviceId !== undefined);

    expect(told.status?.hypervisorId).toBeUndefined();
    expect(found.status).toMatchObject({ hypervisorId: own.hypervisorId, serviceId: own.serviceId });
    expect(cloud.host(long)?.serviceId).not.toBe(own.serviceId);
  });

  it('is not taken by the one with the shorter name even when that comes first', async () => {
    const { cloud, hypervisors } = bed.operatorBed;
    const short = freshName('node');
    const long = `${short}.dc2`;
    await hypervisors.apply(short, { spec: { highAvailability: false } });
    await hypervisors.apply(long, { spec: { highAvailability: false } });

    const { serviceId } = cloud.addHost(long);

    await bed.operatorBed.until(long, ({ status }) => status?.serviceId === serviceId);
    await bed.untilOnboarding(short, `True/Initial: the host ${long} belongs to Hypervisor ${long}`);
    expect((await hypervisors.get(short)).status?.serviceId).toBeUndefined();
  });

  it('is not taken by a second one that says it is on the same machine', async () => {
    const { hypervisors } = bed.operatorBed;
    const name = freshName('node');
    await bed.host(name);
    await bed.untilOnboarding(name, 'True/Initial: Initial onboarding');

    const twin = `${name}-twin`;
    const labels = { 'kubernetes.io/hostname': name };
    await hypervisors.apply(twin, { metadata: { labels }, spec: { highAvailability: false } });
    const told = await bed.untilOnboarding(twin, `True/Initial: the host ${name} belongs to Hypervisor ${name}`);

    expect(told.status?.serviceId).toBeUndefined();
  });
});

describe('a host whose life is not managed', () => {
  const off = { lifecycleEnabled: false };
  const manual = { maintenance: 'manual', maintenanceReason: 'test' } as const;

  it('has no ids until it is to be emptied, and then no condition', async () => {
    const name = freshName('node');
    const { cloud, hypervisors } = bed.operatorBed;
    await bed.host(name, off);
    const marker = freshName('node');
    await bed.host(marker);
    await bed.untilOnboarding(marker, 'True/Initial');
    const before = await hypervisors.get(name);

    await hypervisors.patch(name, 'merge', { spec: manual });
    const known = await bed.operatorBed.until(name, ({ status }) => status?.serviceId !== undefined);

    expect(before.status?.serviceId).toBeUndefined();
    expect(known.status).toMatchObject({ hypervisorId: cloud.host(name)?.hypervisorId });
    expect(onboardingOf(known)).toBe('');
  });

  it('gets its ids when an Eviction is made for it, and new ones when it is registered anew', async () => {
    const name = freshName('node');
    const { cloud, evictions } = bed.operatorBed;
    await bed.host(name, off);

    await evictions.create({ metadata: { name }, spec: { hypervisor: name, reason: 'test' } });
    await bed.operatorBed.until(name, ({ status }) => status?.serviceId === cloud.host(name)?.serviceId);
    cloud.removeHost(name);
    const { serviceId } = cloud.addHost(name);

    const known = await bed.operatorBed.until(name, ({ status }) => status?.serviceId === serviceId);
    expect(onboardingOf(known)).toBe('');
  });

  it('is found by its exact name only', async () => {
    const name = freshName('node');
    const { cloud, hypervisors } = bed.operatorBed;
    cloud.addHost(`${name}.dc2`);
    await hypervisors.apply(name, { spec: { ...off, ...manual } });
    const looks = cloud.countOf(/compute GET \/os-hypervisors/);
    await expect.poll(() => cloud.countOf(/compute GET \/os-hypervisors/), PATIENT).toBeGreaterThan(looks + 2);
    const before = await hypervisors.get(name);

    const { serviceId } = cloud.addHost(name);

    expect(before.status?.serviceId).toBeUndefined();
    await bed.operatorBed.until(name, ({ status }) => status?.serviceId === serviceId);
  });
});

describe('a host that is registered anew while it is onboarded', () => {
  it('begins anew with its new ids before it is tested', async () => {
    const name = freshName('node');
    const { cloud } = bed.operatorBed;
    await bed.host(name);
    await bed.untilOnboarding(name, 'True/Initial');

    cloud.removeHost(name);
    const { serviceId } = cloud.addHost({ name, zone: 'zone-a', status: 'disabled' });
    await bed.joinTestAggregates(name);

    const { status } = await bed.untilOnboarding(name, 'True/Handover');
    expect(status?.serviceId).toBe(serviceId);
    expect(cloud.host(name)?.status).toBe('enabled');
  });

  it('begins anew while it is tested', async () => {
    const name = freshName('node');
    const { cloud } = bed.operatorBed;
    cloud.behave({ spawnMs: 3_600_000 });
    await bed.host(name);
    await bed.joinTestAggregates(name);
    await expect.poll(() => bed.testInstances(name), PATIENT).toHaveLength(1);

    for (const { id } of bed.testInstances(name)) cloud.removeServer(id);
    cloud.removeHost(name);
    cloud.behave({ spawnMs: 20 });
    const { serviceId } = cloud.addHost({ name, zone: 'zone-a', status: 'disabled' });

    await bed.operatorBed.until(name, ({ status }) => status?.serviceId === serviceId);
    await bed.untilOnboarding(name, 'True/Handover');
    expect(cloud.host(name)?.status).toBe('enabled');
  });
});

it('leaves a host declared dead while high availability deals with it', async () => {
  const name = freshName('node');
  const { cloud, hypervisors } = bed.operatorBed;
  await bed.host(name, { skipTests: true });
  await bed.untilOnboarding(name, 'True/Initial: Initial onboarding');
  cloud.changeHost(name, { isForcedDown: true });

  await hypervisors.patch(name, 'merge', { spec: { maintenance: 'ha' } });
  await bed.untilOnboarding(name, 'True/Initial: Waiting until spec.maintenance is not ha any more');
  await bed.joinTestAggregates(name);
  const marker = freshName('node');
  await bed.host(marker, { skipTests: true });
  await bed.joinTestAggregates(marker);
  await bed.untilOnboarding(marker, 'True/Handover');
  const during = cloud.host(name);
  await hypervisors.patch(name, 'merge', { spec: { maintenance: '' } });
  await bed.untilOnboarding(name, 'True/Handover');

  expect(during).toMatchObject({ status: 'disabled', isForcedDown: true });
  expect(cloud.host(name)).toMatchObject({ status: 'enabled', isForcedDown: false });
});

it('does not forget that a host failed its tests when its lifecycle is switched off and on', async () => {
  const name = freshName('node');
  const { cloud, hypervisors } = bed.operatorBed;
  await bed.restart({ attempts: 1 });
  cloud.behave({ spawnFault: 'no memory' });
  await bed.host(name);
  await bed.joinTestAggregates(name);
  const aborted = await bed.untilOnboarding(name, 'False/Aborted: Aborted after 1 failed test instances');

  await hypervisors.patch(name, 'merge', { spec: { lifecycleEnabled: false } });
  await hypervisors.patch(name, 'merge', { spec: { lifecycleEnabled: true } });
  cloud.behave({ spawnFault: undefined });
  const marker = freshName('node');
  await bed.host(marker, { skipTests: true });
  await bed.joinTestAggregates(marker);
  await bed.untilOnboarding(marker, 'True/Handover');

  expect((await hypervisors.get(name)).status).toEqual(aborted.status);
  expect(cloud.host(name)?.status).toBe('disabled');
});
