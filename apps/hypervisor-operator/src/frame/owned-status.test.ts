import { done, requeueAfter, type ControllerOptions } from '@smalt/controller-runtime';
import { HypervisorConditionType, type Hypervisor } from '@smalt/fleet-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { plainSpec } from '../fixtures/test-hosts.ts';
import { hypervisorController } from './controller-of-hypervisors.ts';
import type { OperatorContext } from '../operator-context.ts';

const { traitsUpdated, aggregatesUpdated } = HypervisorConditionType;

let bed: OperatorBed;
beforeAll(async () => {
  bed = await startOperatorBed({ cloud: 'none', controllers: (context) => [traitsOnly(context)] });
});
afterAll(() => bed[Symbol.asyncDispose]());

it('removes what another program said in its place, and nothing else', async () => {
  await bed.hypervisors.create(named('taken-over'));
  const said = [condition(traitsUpdated), condition(aggregatesUpdated)];
  const status = { traits: ['CUSTOM_OLD'], serviceId: 'kept', conditions: said };

  await bed.hypervisors.patch('taken-over', 'merge', { status }, { subresource: 'status', fieldManager: 'another' });

  const settled = await bed.until('taken-over', (hypervisor) => hypervisor.status?.traits === undefined);
  expect(settled.status?.conditions?.map(({ type }) => type)).toEqual([aggregatesUpdated]);
  expect(settled.status?.serviceId).toBe('kept');
});

it('writes nothing after a restart when all is said already', async () => {
  for (const name of ['first', 'second', 'third']) await bed.hypervisors.create(named(name, { say: 'it' }));
  await bed.until('third', ({ status }) => status?.traits !== undefined);

  await bed.restartOperator();
  await bed.hypervisors.create(named('later', { say: 'it' }));
  await bed.until('later', ({ status }) => status?.traits !== undefined);

  // A write is counted when its answer is there, which may be after others have seen it.
  await expect.poll(() => patchesOf(bed)).toEqual([expect.stringMatching(/ 1$/v)]);
});

it('takes back what it has in common with another program', async () => {
  const name = unique('shared');
  await bed.hypervisors.create(named(name, { say: 'later' }));
  const status = { traits: ['CUSTOM_OLD'], serviceId: 'kept', conditions: [condition(traitsUpdated, 'said first')] };
  await bed.hypervisors.patch(name, 'merge', { status }, { subresource: 'status', fieldManager: 'traits' });
  await bed.hypervisors.patch(name, 'merge', { metadata: { labels: { say: 'it' } } });
  await bed.until(name, (hypervisor) => messageOf(hypervisor) === 'said');

  await bed.hypervisors.patch(name, 'merge', { metadata: { labels: { say: null } } });

  const settled = await bed.until(name, (hypervisor) => messageOf(hypervisor) === undefined);
  await bed.until(name, (hypervisor) => hypervisor.status?.traits === undefined);
  expect(settled.status?.serviceId).toBe('kept');
});

it('says what it can of a failure that is told at great length', async () => {
  const name = unique('long');

  await bed.hypervisors.create(named(name, { say: 'much' }));

  const { status } = await bed.until(name, (hypervisor) => messageOf(hypervisor) !== undefined);
  expect(status?.conditions?.[0]?.message).toMatch(/^much much .*…$/v);
  expect(Buffer.byteLength(status?.smokeTest?.message ?? '')).toBe(4096);
});

/** Says something about hypervisors with a label, and nothing about others. */
function traitsOnly(context: OperatorContext): ControllerOptions {
  return hypervisorController(context, {
    name: 'traits',
    conditionTypes: [traitsUpdated],
    fieldNames: ['traits', 'smokeTest'],
    concurrency: 1,
    reconcile: async ({ hypervisor, state }) => {
      const fields = { traits: ['CUSTOM_NEW'] };
      const { lastTransitionTime: _, ...said } = condition(traitsUpdated);
      const message = 'much '.repeat(10_000);
      switch (hypervisor.metadata.labels?.['say']) {
        case undefined:
          await state({ conditions: [] });
          return done;
        case 'later':
          return done;
        case 'much':
          await state({ fields: { smokeTest: { failures: 1, message } }, conditions: [{ ...said, message }] });
          return requeueAfter(60_000);
        default:
          await state({ fields, conditions: [said] });
          return requeueAfter(60_000);
      }
    },
  });
}

function messageOf({ status }: Hypervisor): string | undefined {
  return status?.conditions?.find(({ type }) => type === traitsUpdated)?.message;
}

function patchesOf({ operator }: OperatorBed): readonly string[] {
  const lines = operator.context.metrics.expose().split('\n');
  return lines.filter((line) => /^rest_client_requests_total.*method="PATCH"/v.test(line));
}

function condition(type: string, message = 'said') {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  return { type, status: 'True', reason: 'Succeeded', message, lastTransitionTime } as const;
}

/** A name that a test can have to itself, also when it is run again. */
function unique(name: string): string {
  return `${name}-${crypto.randomUUID().slice(0, 8)}`;
}

function named(name: string, labels: Readonly<Record<string, string>> = {}) {
  return { metadata: { name, labels }, spec: plainSpec() };
}
