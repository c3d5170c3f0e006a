import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { freshName } from '../fixtures/fresh-name.ts';
import { startOnboardingBed, TEST_PROJECT, type OnboardingBed } from './fixtures/onboarding-bed.ts';
import { watchOnboarding } from './fixtures/watch-onboarding.ts';

/** However busy the machine is. */
const PATIENT = { timeout: 15_000 };

const OLD_UID = '11111111-2222-4333-8444-555555555555';

let bed: OnboardingBed;

beforeAll(async () => {
  bed = await startOnboardingBed();
});

afterEach(() => {
  bed.clock.shiftMs = 0;
  bed.operatorBed.cloud.behave({ spawnMs: 20, spawnFault: undefined, consoleText: undefined, deleteMs: 5 });
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('a test instance', () => {
  it('that ends in an error is told, removed, and followed by another one', async () => {
    const name = freshName('broken');
    const { cloud } = bed.operatorBed;
    cloud.behave({ spawnFault: 'no memory' });
    await bed.host(name);

    await bed.joinTestAggregates(name);
    const failed = await bed.untilOnboarding(name, 'True/Testing: Server ended up in error state: no memory');
    const [first] = bed.testInstances(name);
    const { status } = await bed.operatorBed.until(name, (each) => each.status?.smokeTest?.failures === 2);
    cloud.behave({ spawnFault: undefined });
    await bed.untilOnboarding(name, 'True/Handover');

    expect(failed.status?.smokeTest).toMatchObject({
      failures: 1,
      message: 'Server ended up in error state: no memory',
    });
    expect(status?.smokeTest?.instanceId).not.toBe(failed.status?.smokeTest?.instanceId);
    expect(first?.id ?? failed.status?.smokeTest?.instanceId).toBe(failed.status?.smokeTest?.instanceId);
    await expect.poll(() => bed.testInstances(name), PATIENT).toEqual([]);
  });

  it('that fails again and again aborts onboarding, closes the host, and is tried anew on demand', async () => {
    const name = freshName('hopeless');
    const { cloud, hypervisors } = bed.operatorBed;
    await bed.restart({ attempts: 2 });
    cloud.behave({ spawnFault: 'no memory' });
    await bed.host(name);
    await bed.untilOnboarding(name, 'True/Initial');

    const isClosing = { service: 'compute', method: 'PUT', body: 'disabled' };
    using fault = cloud.inject({ ...isClosing, effect: { kind: 'answer', status: 500 } });
    await bed.joinTestAggregates(name);
    await bed.untilOnboarding(name, 'True/Testing: could not disable the compute service: ');
    fault.clear();
    const aborted = await bed.untilOnboarding(
      name,
      'False/Aborted: Aborted after 2 failed test instances, the last one: Server ended up in error state: no memory; mend',
    );
    const closed = cloud.host(name);
    cloud.behave({ spawnFault: undefined });
    await bed.restart({ attempts: 2 });
    const annotations = { 'kvm.cloud.sap/onboarding': 'retry', kept: 'yes' };
    await hypervisors.patch(name, 'merge', { metadata: { annotations } });
    await bed.untilOnboarding(name, 'True/Handover');

    expect(closed).toMatchObject({ status: 'disabled', disabledReason: 'Hypervisor CRD: onboarding was aborted' });
    expect(aborted.status?.smokeTest?.failures).toBe(2);
    expect(bed.startsOf(name)).toHaveLength(3);
    expect(cloud.host(name)?.status).toBe('enabled');
    expect((await hypervisors.get(name)).metadata.annotations).toEqual({ kept: 'yes' });
  });

  it('that says nothing for too long is removed and followed by another one', async () => {
    const name = freshName('silent');
    const { cloud } = bed.operatorBed;
    cloud.behave({ consoleText: 'kernel panic' });
    await bed.host(name);

    await bed.joinTestAggregates(name);
    await expect.poll(() => consoleReads(name), PATIENT).toBeGreaterThan(1);
    expect(bed.startsOf(name)).toHaveLength(1);
    bed.clock.forward(6 * 60_000);
    await bed.untilOnboarding(name, 'True/Testing: timeout waiting for console output since 20');
    cloud.behave({ consoleText: undefined });

    await bed.untilOnboarding(name, 'True/Handover');
    expect(bed.startsOf(name)).toHaveLength(2);
  });

  it('that never gets to run is removed', async () => {
    const name = freshName('slow');
    const { cloud } = bed.operatorBed;
    cloud.behave({ spawnMs: 3_600_000 });
    await bed.host(name);

    await bed.joinTestAggregates(name);
    await expect.poll(() => bed.testInstances(name), PATIENT).toMatchObject([{ status: 'BUILD' }]);
    const looks = cloud.countOf(/compute GET \/servers/);
    await expect.poll(() => cloud.countOf(/compute GET \/servers/), PATIENT).toBeGreaterThan(looks + 2);
    cloud.behave({ spawnMs: 20 });
    bed.clock.forward(11 * 60_000);
    await bed.untilOnboarding(name, 'True/Testing: timeout waiting for the test instance to run since 20');

    await bed.untilOnboarding(name, 'True/Handover');
  });

  it('is not late because the compute system has another time of day', async () => {
    const { cloud } = bed.operatorBed;
    const name = freshName('skewed');
    bed.clock.shiftMs = 60 * 60_000;
    cloud.behave({ consoleText: 'booting' });
    await bed.host(name);

    await bed.joinTestAggregates(name);
    await expect.poll(() => consoleReads(name), PATIENT).toBeGreaterThan(1);
    cloud.behave({ consoleText: undefined });
    const { status } = await bed.untilOnboarding(name, 'True/Handover');

    expect(status?.smokeTest).toBeUndefined();
    expect(bed.startsOf(name)).toHaveLength(1);
  });

  it('of a host with a long name and dots passes by the name that its guest has', async () => {
    const { cloud } = bed.operatorBed;
    const name = `${freshName('compute')}.dc1.example.com`;
    const { metadata } = await bed.host(name);
    const guest = `ohooc--${name}-${metadata.uid}`.replaceAll('.', '-').slice(0, 63);
    cloud.behave({ consoleText: `${guest} login:` });

    await bed.joinTestAggregates(name);

    await bed.untilOnboarding(name, 'True/Handover');
    expect(bed.startsOf(name)).toHaveLength(1);
  });

  it('whose console cannot be read is told, and looked at again', async () => {
    const name = freshName('mute');
    const { cloud } = bed.operatorBed;
    using fault = cloud.inject({
      service: 'compute',
      body: 'os-getConsoleOutput',
      effect: { kind: 'answer', status: 409, message: 'not ready yet' },
    });
    await bed.host(name);

    await bed.joinTestAggregates(name);
    await bed.untilOnboarding(name, 'True/Testing: could not get console output');
    fault.clear();

    await bed.untilOnboarding(name, 'True/Handover');
    expect(bed.startsOf(name)).toHaveLength(1);
  });

  it('that cannot be removed keeps onboarding from going on, but never aborts it', async () => {
    const name = freshName('sticky');
    const { cloud } = bed.operatorBed;
    using fault = cloud.inject({ service: 'compute', method: 'DELETE', effect: { kind: 'answer', status: 409 } });
    using history = watchOnboarding(bed.operatorBed.hypervisors, name);
    await bed.host(name);

    await bed.joinTestAggregates(name);
    await bed.untilOnboarding(name, 'True/Testing: failed to terminate instance ');
    fault.clear();

    await bed.untilOnboarding(name, 'True/Handover');
    await expect.poll(() => history.reasons(), PATIENT).toEqual(['Initial', 'Testing', 'Handover']);
    expect(bed.startsOf(name)).toHaveLength(1);
    await expect.poll(() => bed.testInstances(name), PATIENT).toEqual([]);
  });

  it('of another host is never touched, however much alike the names are', async () => {
    const alike = freshName('alike');
    const { cloud } = bed.operatorBed;
    const project = TEST_PROJECT;
    const names = [`ohooc--${alike}0-${OLD_UID}`, `ohooc--${alike}-x-${OLD_UID}`, `ohooc--${alike}-precious`, alike];
    cloud.addHost(`${alike}0`);
    for (const name of names) cloud.addServer(`${alike}0`, { name, project });
    await bed.host(alike);
    cloud.addServer(alike, { name: `ohooc--${alike}-${OLD_UID}`, project });

    await bed.joinTestAggregates(alike);
    await bed.untilOnboarding(alike, 'True/Handover');

    await expect.poll(() => cloud.serversOn(alike), PATIENT).toEqual([]);
    expect(
      cloud
        .serversOn(`${alike}0`)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names.toSorted());
  });
});

function consoleReads(hostName: string): number {
  const id = bed.testInstances(hostName)[0]?.id;
  return id === undefined ? 0 : bed.operatorBed.cloud.countOf(`compute POST /servers/${id}/action`);
}
