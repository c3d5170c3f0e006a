import { randomUUID } from 'node:crypto';

import { Informer } from '@smalt/controller-runtime';
import { hypervisorKind, type Hypervisor, type HypervisorStatus } from '@smalt/fleet-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { HostClaims } from './host-claims.ts';

const IDS = { hypervisorId: 'hv-1', serviceId: 'service-1' };
const SIGNAL = AbortSignal.timeout(120_000);

let bed: OperatorBed;

beforeAll(async () => {
  bed = await startOperatorBed({ cloud: 'none' });
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('a host', () => {
  it.each([
    { title: 'another has both its ids', hostName: 'node1', other: given('other', { status: IDS }) },
    {
      title: 'another has one of its ids',
      hostName: 'node1',
      other: given('other', { status: { serviceId: 'service-1' } }),
    },
    { title: 'another is named exactly so', hostName: 'node1.dc2', other: given('node1.dc2', { age: 'younger' }) },
    {
      title: 'another has its name as a label',
      hostName: 'node1.dc2',
      other: given('machine-8', { label: 'node1.dc2', age: 'younger' }),
    },
    {
      title: 'another has the same label, and is older',
      hostName: 'node1',
      other: given('other', { label: 'node1', age: 'older' }),
    },
    {
      title: 'another is as little exactly named, and is older',
      hostName: 'node1.dc2',
      other: given('other', { label: 'node1', age: 'older' }),
    },
  ])('is that of another when $title', async ({ hostName, other }) => {
    const rival = await claims([other]).rivalOf({ ...IDS, name: hostName }, given('node1'), SIGNAL);

    expect(rival).toBe(other.metadata.name);
  });

  it.each([
    { title: 'there is no other', hostName: 'node1', others: [] },
    { title: 'it is found by its short name, and nobody else is', hostName: 'node1.dc2', others: [] },
    { title: 'all others have other ids', hostName: 'node1', others: [given('x', { status: { serviceId: 's-2' } })] },
    { title: 'the other is younger', hostName: 'node1', others: [given('x', { label: 'node1', age: 'younger' })] },
    { title: 'the other is only alike', hostName: 'node1', others: [given('node1.dc2', { age: 'older' })] },
    { title: 'the other is that of another domain', hostName: 'node1.dc2', others: [given('node1.dc3')] },
    { title: 'the other is being deleted', hostName: 'node1', others: [given('x', { status: IDS, isDeleted: true })] },
    { title: 'the other is offboarded', hostName: 'node1', others: [given('x', { status: offboarded(IDS) })] },
  ])('is its own when $title', async ({ hostName, others }) => {
    const self = given('node1');

    const rival = await claims([...others, self]).rivalOf({ ...IDS, name: hostName }, self, SIGNAL);

    expect(rival).toBeUndefined();
  });

  it('stays that of the one that has its ids, though another of that label is older', async () => {
    const self = given('node1', { status: IDS });
    const older = given('x', { label: 'node1', age: 'older' });

    expect(await claims([self, older]).rivalOf({ ...IDS, name: 'node1' }, self, SIGNAL)).toBeUndefined();
    expect(await claims([self, older]).rivalOf({ ...IDS, name: 'node1' }, older, SIGNAL)).toBe('node1');
  });

  it('is nobody’s for sure when two have its ids', async () => {
    const [one, other] = [given('node1', { status: IDS }), given('node1.dc2', { status: IDS })];
    const host = { ...IDS, name: 'node1.dc2' };

    expect(await claims([one, other]).rivalOf(host, one, SIGNAL)).toBe('node1.dc2');
    expect(await claims([one, other]).rivalOf(host, other, SIGNAL)).toBe('node1');
  });
});

describe('the ids of a host', () => {
  it.each([
    { title: 'another has both', others: [given('x', { status: IDS })], twin: 'x' },
    { title: 'another has one of them', others: [given('x', { status: { hypervisorId: 'hv-1' } })], twin: 'x' },
    { title: 'another is only called so', others: [given('x', { label: 'node1' })], twin: undefined },
    { title: 'the other is being deleted', others: [given('x', { status: IDS, isDeleted: true })], twin: undefined },
    { title: 'the other is offboarded', others: [given('x', { status: offboarded(IDS) })], twin: undefined },
  ])('have the twin $twin when $title', ({ others, twin }) => {
    const self = given('node1', { status: IDS });

    expect(claims([...others, self]).twinOf(IDS, self)).toBe(twin);
  });
});

it('finds the Hypervisor of another operator, which is not in the cache', async () => {
  const short = `node-${randomUUID().slice(0, 8)}`;
  await bed.hypervisors.apply(`${short}.dc2`, { spec: {} });

  const host = { ...IDS, name: `${short}.dc2` };

  expect(await claims([]).rivalOf(host, given(short), SIGNAL)).toBe(`${short}.dc2`);
  expect(await claims([]).rivalOf(host, given(`${short}.dc2`), SIGNAL)).toBeUndefined();
});

it('can be made by several who share a cache', () => {
  const informer = informerOf([]);

  const both = [new HostClaims(informer, bed.client), new HostClaims(informer, bed.client)];

  expect(both).toHaveLength(2);
});

function claims(hypervisors: readonly Hypervisor[]): HostClaims {
  return new HostClaims(informerOf(hypervisors), bed.client);
}

function informerOf(hypervisors: readonly Hypervisor[]): Informer<Hypervisor> {
  const informer = new Informer(bed.client.resource(hypervisorKind), {
    onFailure: (error) => {
      throw error;
    },
  });
  informer.cache.replace(hypervisors);
  return informer;
}

interface Given {
  readonly label?: string;
  readonly status?: Partial<HypervisorStatus>;
  readonly age?: keyof typeof BIRTHS;
  readonly isDeleted?: boolean;
}

const BIRTHS = { older: '2025-01-01T00:00:00Z', equal: '2026-01-01T00:00:00Z', younger: '2026-02-01T00:00:00Z' };

function given(name: string, { label, status, age = 'equal', isDeleted = false }: Given = {}): Hypervisor {
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Hypervisor',
    metadata: {
      name,
      creationTimestamp: BIRTHS[age],
      ...(label !== undefined && { labels: { 'kubernetes.io/hostname': label } }),
      ...(isDeleted && { deletionTimestamp: '2026-03-01T00:00:00Z' }),
    },
    status: { numInstances: 0, ...status },
  };
}

function offboarded(status: Partial<HypervisorStatus>): Partial<HypervisorStatus> {
  const about = { reason: 'Offboarded', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
  return { ...status, conditions: [{ type: 'Offboarded', status: 'True', ...about }] };
}
