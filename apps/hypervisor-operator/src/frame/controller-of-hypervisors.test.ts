import { ComputeError } from '@smalt/compute';
import { requeueAfter, type ControllerOptions, type Outcome } from '@smalt/controller-runtime';
import { HypervisorConditionType, type Hypervisor } from '@smalt/fleet-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { retry } from '../hosts/compute-failure.ts';
import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { plainSpec } from '../fixtures/test-hosts.ts';
import { hypervisorController } from './controller-of-hypervisors.ts';
import type { OperatorContext } from '../operator-context.ts';
import { createReadyController } from '../ready/ready-controller.ts';
import { defaultReadySettings } from '../ready/ready-settings.ts';

const { traitsUpdated, aggregatesUpdated, onboarding } = HypervisorConditionType;
const passes = new Map<string, number[]>();

let bed: OperatorBed;
beforeAll(async () => {
  bed = await startOperatorBed({ cloud: 'none', controllers: failingControllers });
});
afterAll(() => bed[Symbol.asyncDispose]());

it('tries later each time, though it and others say something else each time', { timeout: 60_000 }, async () => {
  const name = unique('broken');

  await bed.hypervisors.create({ metadata: { name, labels: { fails: 'always' } }, spec: plainSpec() });
  await expect.poll(() => passesOf('traits', name).length, { timeout: 40_000 }).toBeGreaterThan(10);

  const [ninth = 0, , eleventh = 0] = passesOf('traits', name).slice(8);
  // After seven failures the pause is 320 ms, and then 640 ms; what is new at first may be worth two more looks.
  expect(eleventh - ninth).toBeGreaterThan(900);
});

it('stays away for as long as it was asked to, whatever it says', { timeout: 60_000 }, async () => {
  const name = unique('busy');
  await bed.hypervisors.create({ metadata: { name, labels: { fails: 'busy' } }, spec: plainSpec() });
  await bed.until(name, (hypervisor) => isSaid(hypervisor, traitsUpdated));

  for (let others = 0; others < 6; others++) {
    const other = unique('other');
    await bed.hypervisors.create({ metadata: { name: other, labels: { fails: 'never' } }, spec: plainSpec() });
    await bed.until(other, (hypervisor) => isSaid(hypervisor, traitsUpdated));
  }

  expect(passesOf('traits', name).length).toBeLessThan(5);
});

it('tries at once when there is a reason to', { timeout: 60_000 }, async () => {
  const name = unique('waked');
  await bed.hypervisors.create({ metadata: { name, labels: { fails: 'busy' } }, spec: plainSpec() });
  await bed.until(name, (hypervisor) => isSaid(hypervisor, traitsUpdated));
  const before = passesOf('traits', name).length;

  await bed.hypervisors.patch(name, 'merge', { metadata: { annotations: { changed: 'true' } } });

  await expect.poll(() => passesOf('traits', name).length, { timeout: 20_000 }).toBeGreaterThan(before);
});

/** Two that fail with ever other words, one of which Ready repeats, and Ready. */
function failingControllers(context: OperatorContext): readonly ControllerOptions[] {
  return [
    failing(context, 'traits', [traitsUpdated, onboarding]),
    failing(context, 'aggregates', [aggregatesUpdated]),
    createReadyController({ ...context, ovsNodes: undefined }, defaultReadySettings),
  ];
}

function failing(
  context: OperatorContext,
  name: string,
  conditionTypes: readonly HypervisorConditionType[],
): ControllerOptions {
  return hypervisorController(context, {
    name,
    conditionTypes,
    concurrency: 2,
    reconcile: async ({ hypervisor, state }) => {
      const key = `${name}/${hypervisor.metadata.name}`;
      passes.set(key, [...(passes.get(key) ?? []), performance.now()]);
      const message = hypervisor.metadata.labels?.['fails'] === 'never' ? 'said' : `failed in ${crypto.randomUUID()}`;
      const said = { status: 'True', reason: 'Testing', message } as const;
      await state({ conditions: conditionTypes.map((type) => ({ type, ...said })) });
      return follow(hypervisor);
    },
  });
}

function follow({ metadata }: Hypervisor): Outcome {
  const fails = metadata.labels?.['fails'];
  if (fails === 'always') throw new ComputeError('unavailable', 'away');
  if (fails === 'busy') return retry(new ComputeError('unavailable', 'busy', { retryAfterMs: 60_000 }));
  return requeueAfter(60_000);
}

function passesOf(controller: string, name: string): readonly number[] {
  return passes.get(`${controller}/${name}`) ?? [];
}

function isSaid({ status }: Hypervisor, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type) ?? false;
}

function unique(name: string): string {
  return `${name}-${crypto.randomUUID().slice(0, 8)}`;
}
