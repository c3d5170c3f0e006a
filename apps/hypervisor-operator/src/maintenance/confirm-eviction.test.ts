import { Informer } from '@smalt/controller-runtime';
import { evictionKind, type Eviction, type Hypervisor } from '@smalt/fleet-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { conditionWords, registerHost } from '../fixtures/registered-host.ts';
import { testEviction } from '../fixtures/test-eviction.ts';
import { stateEviction } from './fixtures/service-changes.ts';
import { createMaintenanceController } from './maintenance-controller.ts';
import { defaultMaintenanceSettings } from './maintenance-settings.ts';

const SUCCEEDED = ['False', 'Succeeded', 'done'] as const;
const RUNNING = ['True', 'Running', 'Running'] as const;
const SIGNAL = AbortSignal.timeout(120_000);

let bed: OperatorBed;

beforeAll(async () => {
  bed = await startOperatorBed({ openStack: { listingMs: 10 } });
});

afterAll(() => bed[Symbol.asyncDispose]());

it('a host is stated to be empty by an eviction that has succeeded and is there', async () => {
  await registerClosed('empty', 'termination');
  await createEviction('empty');
  await stateEviction(bed, 'empty', ...SUCCEEDED);

  const { status } = await look('empty', await bed.evictions.get('empty'));

  expect(status?.evicted).toBe(true);
});

it('a host is not stated to be empty by an eviction that is gone, and gets another one', async () => {
  await registerClosed('refilled', 'termination');

  const hypervisor = await look('refilled', succeeded('refilled', 'refilled'));

  expect(hypervisor.status?.evicted).toBe(false);
  expect(conditionWords(hypervisor, 'Evicting')).toBe('True/Running Evicting');
  expect((await bed.evictions.get('refilled')).spec?.hypervisor).toBe('refilled');
});

it('a host is not stated to be empty by an eviction that is on its way out', async () => {
  await registerClosed('leaving', 'termination');
  await createEviction('leaving', 'leaving', ['smalt.dev/test']);
  await stateEviction(bed, 'leaving', ...SUCCEEDED);
  const seen = await bed.evictions.get('leaving');
  await bed.evictions.delete('leaving');

  const { status } = await look('leaving', seen);
  await bed.evictions.patch('leaving', 'merge', { metadata: { finalizers: [] } });

  expect(status?.evicted).toBe(false);
});

it('a host is not stated to be empty where another eviction runs under the name of the one that had succeeded', async () => {
  await registerClosed('again', 'termination');
  await createEviction('again');
  await stateEviction(bed, 'again', ...RUNNING);

  const { status } = await look('again', succeeded('again', 'again'));

  expect(status?.evicted).toBe(false);
});

it('a host in the hands of high availability is not stated to be empty by an eviction that is gone', async () => {
  await registerClosed('taken', 'ha');

  const hypervisor = await look('taken', succeeded('somebodys', 'taken'));

  expect(hypervisor.status?.evicted ?? false).toBe(false);
  expect(conditionWords(hypervisor, 'Evicting')).toBeUndefined();
});

/** Registers a host whose compute service is closed already. */
async function registerClosed(name: string, maintenance: 'ha' | 'termination'): Promise<void> {
  const disabledReason = `Hypervisor CRD: spec.maintenance=${maintenance}`;
  await registerHost(bed, name, { spec: { maintenance }, host: { status: 'disabled', disabledReason } });
}

async function createEviction(name: string, hypervisor = name, finalizers: readonly string[] = []): Promise<void> {
  await bed.evictions.create({ metadata: { name, finalizers }, spec: { hypervisor, reason: 'a test' } });
}

function succeeded(name: string, hypervisor: string): Eviction {
  return testEviction(name, { hypervisor, evicting: SUCCEEDED });
}

/** Looks once at a host, by a cache of evictions that has this one and hears of nothing else. */
async function look(name: string, seen: Eviction): Promise<Hypervisor> {
  const { context } = bed.operator;
  const { resourceVersion } = (await bed.hypervisors.get(name)).metadata;
  const cachedVersion = (): string | undefined => context.hypervisors.cache.get(name)?.metadata.resourceVersion;
  await expect.poll(cachedVersion, { timeout: 10_000 }).toBe(resourceVersion);
  const evictions = new Informer(bed.client.resource(evictionKind), { onFailure: () => undefined });
  const controller = createMaintenanceController({ ...context, evictions }, defaultMaintenanceSettings);
  evictions.cache.replace([seen]);
  await controller.reconcile(name, SIGNAL);
  return await bed.hypervisors.get(name);
}
