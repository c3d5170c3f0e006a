import type { Fault, FaultEffect } from '@smalt/bed-openstack-simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freshName } from '../fixtures/fresh-name.ts';
import { startOnboardingBed, type OnboardingBed } from './fixtures/onboarding-bed.ts';

/** However busy the machine is. */
const PATIENT = { timeout: 15_000 };

/** All that onboarding asks of the compute system, in this order. */
const CALLS: readonly { readonly call: string; readonly key: string; readonly fault: Omit<Fault, 'effect'> }[] = [
  { call: 'the look-up of the host', key: 'find', fault: { method: 'GET', path: /^\/os-(?:hypervisors|services)/ } },
  { call: 'the opening of the host', key: 'open', fault: { method: 'PUT', path: /^\/os-services\// } },
  { call: 'the look for test instances', key: 'list', fault: { method: 'GET', path: /^\/servers/ } },
  { call: 'the start of the test instance', key: 'start', fault: { method: 'POST', path: '/servers' } },
  { call: 'the reading of the console', key: 'read', fault: { method: 'POST', path: /^\/servers\/[\w-]+\/action$/ } },
  { call: 'the removal of the test instance', key: 'remove', fault: { method: 'DELETE', path: /^\/servers\// } },
];

const EFFECTS: readonly { readonly title: string; readonly effect: FaultEffect; readonly key: string }[] = [
  { title: 'fails with 500', key: '500', effect: { kind: 'answer', status: 500 } },
  {
    title: 'is refused with 503 for a while',
    key: '503',
    effect: { kind: 'answer', status: 503, retryAfterSeconds: 1 },
  },
  { title: 'is refused with 429', key: '429', effect: { kind: 'answer', status: 429 } },
  { title: 'fails with 404', key: '404', effect: { kind: 'answer', status: 404 } },
  { title: 'is never answered', key: 'hang', effect: { kind: 'hang' } },
];

let bed: OnboardingBed;

beforeAll(async () => {
  bed = await startOnboardingBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe.each(CALLS)('when $call', ({ key: callKey, fault }) => {
  // What cannot be found for removal is gone, which is all that was wanted.
  const effects = EFFECTS.filter(({ key }) => `${callKey} ${key}` !== 'remove 404');

  it.each(effects)('$title, it is tried again', async ({ key, effect }) => {
    const name = freshName(`${callKey}-${key}`);

    using injected = bed.operatorBed.cloud.inject({ service: 'compute', ...fault, times: 2, effect });
    await bed.host(name);
    await bed.untilOnboarding(name, 'True/Initial');
    await bed.joinTestAggregates(name);
    await bed.untilOnboarding(name, 'True/Handover');

    expect(injected.hits).toBeGreaterThan(0);
    await expect.poll(() => bed.testInstances(name), PATIENT).toEqual([]);
  });

  it.each(['before', 'after'] as const)('is the last thing before a crash, %s it is done, it goes on', async (when) => {
    const { cloud } = bed.operatorBed;
    const name = freshName(`${callKey}-crash-${when}`);
    const isFirstCall = callKey === 'find';
    if (!isFirstCall) {
      await bed.host(name);
      await bed.untilOnboarding(name, 'True/Initial');
    }

    using injected = cloud.inject({ service: 'compute', ...fault, effect: { kind: 'hang', when } });
    if (isFirstCall) await bed.host(name);
    await bed.joinTestAggregates(name);
    await expect.poll(() => injected.hits, PATIENT).toBeGreaterThan(0);
    await bed.operatorBed.stopOperator();
    injected.clear();
    await bed.restart();
    await bed.untilOnboarding(name, 'True/Handover');
    await bed.takeOver(name);
    await bed.untilOnboarding(name, 'False/Succeeded');

    // One that was asked for and never begun has to be asked for again.
    expect(bed.startsOf(name)).toHaveLength(callKey === 'start' && when === 'before' ? 2 : 1);
    await expect.poll(() => bed.testInstances(name), PATIENT).toEqual([]);
    await bed.operatorBed.hypervisors.delete(name);
  });
});

it('starts no second test instance when the answer to the first was lost', async () => {
  const name = freshName('lost');
  const effect = { kind: 'drop', when: 'after' } as const;

  using injected = bed.operatorBed.cloud.inject({
    service: 'compute',
    method: 'POST',
    path: '/servers',
    times: 1,
    effect,
  });
  await bed.host(name);
  await bed.joinTestAggregates(name);
  await bed.untilOnboarding(name, 'True/Handover');

  expect(injected.hits).toBe(1);
  expect(bed.startsOf(name)).toHaveLength(1);
});

it('tells what the compute system says, does not storm it, and goes on when it is back', async () => {
  const name = freshName('patient');
  const { cloud, hypervisors } = bed.operatorBed;
  const effect = { kind: 'answer', status: 500, message: 'database is down' } as const;
  using injected = cloud.inject({ service: 'compute', method: 'GET', path: /^\/servers/, effect });
  await bed.host(name);

  await bed.joinTestAggregates(name);
  const { metadata } = await bed.untilOnboarding(name, 'True/Testing: could not look for test instances: ');
  await expect.poll(() => injected.hits, PATIENT).toBeGreaterThan(8);
  const later = await hypervisors.get(name);
  injected.clear();

  // Each failure has another request id; if each were told, each would wake the controller at once.
  expect(later.metadata.resourceVersion).toBe(metadata.resourceVersion);
  await bed.untilOnboarding(name, 'True/Handover');
});
