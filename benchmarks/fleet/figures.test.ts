import { describe, expect, it } from 'vitest';

import { callsPerHostMinute, cpuShare, fleetFigures, hasRoomFor, watchBytesPerHostMinute } from './figures.ts';
import { aSample } from './fixtures/a-sample.ts';
import type { FleetResult } from './fleet-result.ts';

const FULL = [100, 300, 1_000];

describe('fleetFigures', () => {
  it('has all of them after a full run: growth of what is paid, memory of what is central', () => {
    const results = [result('smalt', [100, 300, 1_000]), result('kubernetes', [100, 1_000])];

    expect(fleetFigures(results, FULL)).toEqual({
      figures: {
        cost_growth_100_to_1000: 10,
        api_calls_per_host_minute: 20,
        rss_mb_1000_hosts: 300,
        cost_growth_100_to_1000_kube: 10,
        api_calls_per_host_minute_kube: 20,
        rss_mb_1000_hosts_kube: 300,
      },
      limits: { cost_growth_100_to_1000: 11, cost_growth_100_to_1000_kube: 11 },
    });
  });

  it('are named for the sizes that were asked for, each with its limit, and null of a server that did not run', () => {
    expect(fleetFigures([result('smalt', [30, 100, 200])], [30, 100, 200])).toEqual({
      figures: {
        cost_growth_30_to_200: 200 / 30,
        api_calls_per_host_minute: 20,
        rss_mb_200_hosts: 300,
        cost_growth_30_to_200_kube: null,
        api_calls_per_host_minute_kube: null,
        rss_mb_200_hosts_kube: null,
      },
      limits: { cost_growth_30_to_200: 7.33, cost_growth_30_to_200_kube: 7.33 },
    });
  });

  it('tell of the sizes that were reached where the largest was not', () => {
    const { figures, limits } = fleetFigures([result('kubernetes', [100, 300])], FULL);

    expect(figures).toMatchObject({
      cost_growth_100_to_1000_kube: null,
      cost_growth_100_to_300_kube: 3,
      rss_mb_1000_hosts_kube: null,
      rss_mb_300_hosts_kube: 300,
    });
    expect(limits).toMatchObject({ cost_growth_100_to_300_kube: 3.3 });
  });

  it('have no growth of one size', () => {
    const { figures } = fleetFigures([result('smalt', [100])], [100]);

    expect(Object.keys(figures).filter((name) => name.startsWith('cost_growth'))).toEqual([]);
    expect(figures['rss_mb_100_hosts']).toBe(300);
  });

  it('have no growth where the machine had no time left: what was not done cost nothing', () => {
    const samples = [aSample(100), aSample(300), { ...aSample(1_000), busyShare: 0.99 }];

    const { figures } = fleetFigures([{ server: 'smalt', samples }], FULL);

    expect(figures).toMatchObject({ cost_growth_100_to_1000: null, cost_growth_100_to_300: 3, rss_mb_1000_hosts: 300 });
  });
});

it.each([
  { busy: [], fits: true },
  { busy: [0.9], fits: true },
  { busy: [0.98], fits: false },
  { busy: [0.14, 0.44], fits: true },
  { busy: [0.16, 0.47], fits: false },
  { busy: [0.4, 0.5], fits: true },
  { busy: [0.4, 0.98], fits: false },
])('with $busy of the machine busy by 100 and 300 hosts, 1,000 are tried: $fits', ({ busy, fits }) => {
  const samples = busy.map((busyShare, index) => ({ ...aSample(FULL[index] ?? 0), busyShare }));

  expect(hasRoomFor(1_000, samples)).toBe(fits);
});

it('counts by host and minute, whatever the length of the window', () => {
  const half = { ...aSample(100), seconds: 30 };

  expect(callsPerHostMinute(half)).toBe(40);
  expect(watchBytesPerHostMinute(half)).toBe(2_000);
  expect(cpuShare(half, ['server'])).toBeCloseTo(100 / 30);
});

function result(server: FleetResult['server'], sizes: readonly number[]): FleetResult {
  return { server, samples: sizes.map((hosts) => aSample(hosts)) };
}
