import { describe, expect, it } from 'vitest';

import { callsPerHostMinute, cpuShare, fleetFigures, hasRoomFor, watchBytesPerHostMinute } from './figures.ts';
import type { FleetResult, FleetSample, ProcessCost } from './fleet-result.ts';

const MEBIBYTE = 1024 ** 2;

describe('fleetFigures', () => {
  it('has all of them after a full run: growth of what is paid, memory of what is central', () => {
    const results = [result('smalt', [100, 300, 1_000]), result('kubernetes', [100, 1_000])];

    expect(fleetFigures(results)).toEqual({
      cost_growth_100_to_1000: 10,
      api_calls_per_host_minute: 20,
      rss_mb_1000_hosts: 300,
      cost_growth_100_to_1000_kube: 10,
      api_calls_per_host_minute_kube: 20,
      rss_mb_1000_hosts_kube: 300,
    });
  });

  it('has no growth where a size is missing, and nothing of a server that did not run', () => {
    expect(fleetFigures([result('smalt', [10, 30])])).toEqual({
      cost_growth_100_to_1000: null,
      api_calls_per_host_minute: 20,
      rss_mb_1000_hosts: null,
      cost_growth_100_to_1000_kube: null,
      api_calls_per_host_minute_kube: null,
      rss_mb_1000_hosts_kube: null,
    });
  });

  it('has no growth where the machine had no time left: what was not done cost nothing', () => {
    const samples = [sample(100), { ...sample(1_000), busyShare: 0.99 }];

    expect(fleetFigures([{ server: 'smalt', samples }])['cost_growth_100_to_1000']).toBeNull();
  });
});

it.each([
  { busyShare: 0.29, hosts: 1_000, fits: true },
  { busyShare: 0.45, hosts: 1_000, fits: true },
  { busyShare: 0.46, hosts: 1_000, fits: false },
  { busyShare: 0.97, hosts: 1_000, fits: false },
])('with $busyShare of the machine busy by 300 hosts, $hosts are tried: $fits', ({ busyShare, hosts, fits }) => {
  expect(hasRoomFor(hosts, { ...sample(300), busyShare })).toBe(fits);
});

it('counts by host and minute, whatever the length of the window', () => {
  const half = { ...sample(100), seconds: 30 };

  expect(callsPerHostMinute(half)).toBe(40);
  expect(watchBytesPerHostMinute(half)).toBe(2_000);
  expect(cpuShare(half, ['server'])).toBeCloseTo(100 / 30);
});

function result(server: FleetResult['server'], sizes: readonly number[]): FleetResult {
  return { server, samples: sizes.map(sample) };
}

function sample(hosts: number): FleetSample {
  return {
    hosts,
    machines: hosts * 10,
    seconds: 60,
    broughtUpSeconds: 1,
    broughtUpCpuSeconds: 1,
    broughtUpMachines: 10,
    restarts: 1,
    costs: [cost('server', hosts), cost('controllers', hosts), cost('agents', hosts), cost('daemons', 7)],
    requests: [
      { verb: 'PUT', resource: 'leases', count: hosts * 18 },
      { verb: 'PATCH', resource: 'nodes', count: hosts * 2 },
    ],
    watches: [{ resource: 'nodes', events: hosts, bytes: hosts * 1_000 }],
    openWatches: hosts,
    busyShare: 0.5,
  };
}

function cost(part: ProcessCost['part'], cpuSeconds: number): ProcessCost {
  return { part, name: part, cpuSeconds, residentBytes: 150 * MEBIBYTE };
}
