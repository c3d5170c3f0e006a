import type { HostIdentity } from '@smalt/compute';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

import { startComputeBed, type ComputeBed } from '../fixtures/compute-bed.ts';
import { VmAggregates } from './vm-aggregates.ts';

const signal = AbortSignal.timeout(120_000);

let bed: ComputeBed;
let hosts: readonly HostIdentity[];
let aggregates: VmAggregates;

beforeAll(async () => {
  bed = await startComputeBed();
  hosts = [await bed.host('one'), await bed.host('two'), await bed.host('three')];
});

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(() => {
  aggregates = new VmAggregates({ api: bed.api, names: ['known'], now: () => 0 });
});

it('lists a fleet once for all hosts that ask at the same time', async () => {
  using lists = vi.spyOn(bed.api, 'all');

  const memberships = await Promise.all(hosts.map((host) => aggregates.membership(host, signal)));

  expect(memberships.map(({ known }) => known.map(({ name }) => name))).toEqual([['known'], ['known'], ['known']]);
  expect(lists).toHaveBeenCalledTimes(1);
});

it('lists it anew, once, for all others when the one who asked first gives up', async () => {
  using lists = vi.spyOn(bed.api, 'all');
  const givesUp = new AbortController();
  const [first, ...others] = hosts.map((host, index) =>
    aggregates.membership(host, index === 0 ? givesUp.signal : signal),
  );

  givesUp.abort(new Error('no longer needed'));

  await expect(first).rejects.toThrow('given up by the caller');
  expect(await Promise.all(others)).toHaveLength(2);
  expect(lists).toHaveBeenCalledTimes(2);
});

it('does not keep a failure', async () => {
  using lists = vi.spyOn(bed.api, 'all');
  lists.mockRejectedValueOnce(new Error('unreachable'));
  const [host] = hosts;
  if (host === undefined) throw new Error('there is no host');

  await expect(aggregates.membership(host, signal)).rejects.toThrow('unreachable');

  expect((await aggregates.membership(host, signal)).known).toHaveLength(1);
});
