import { expect, it } from 'vitest';

import { bridge, card, guestPort, healthyConfiguration, plainPort, port } from '../fixtures/build-facts.ts';
import type { SwitchConfiguration } from '../switch-facts.ts';
import { trafficCounters } from './traffic-counters.ts';

it('counts network cards only, so that no packet is counted twice', () => {
  const counted = { statistics: counters({ rx_packets: 5n }) };
  const configuration = healthyConfiguration({
    bridges: [
      bridge('br-int', [guestPort('tap1', 'vm1', counted), plainPort('patch1', { type: 'patch', ...counted })]),
      bridge('br-ex', [plainPort('eno3', counted), plainPort('geneve0', { type: 'geneve', ...counted })]),
    ],
  });

  expect(trafficCounters(configuration)).toEqual({ packetsReceived: 5 });
});

it('leaves out what no card counts, and takes what one does', () => {
  expect(trafficCounters(cards({ rx_dropped: 2n }, { tx_errors: 3n }))).toEqual({ drops: 2, errors: 3 });
  expect(trafficCounters(cards({}, {}))).toBeUndefined();
});

it.each([
  ['a value that means "not supported"', 0xffff_ffff_ffff_ffffn],
  ['a negative value', -1n],
])('does not add %s', (_what, value) => {
  expect(trafficCounters(cards({ rx_bytes: value }, { rx_bytes: 7n, tx_bytes: value }))).toEqual({ bytesReceived: 7 });
});

it('adds exactly, and publishes the nearest number beyond 2^53', () => {
  const half = 2n ** 52n + 1n;

  expect(trafficCounters(cards({ rx_bytes: half }, { rx_bytes: half - 3n }))).toEqual({
    bytesReceived: 9_007_199_254_740_991,
  });
  expect(trafficCounters(cards({ rx_bytes: 2n ** 60n + 5n }, {}))).toEqual({ bytesReceived: 2 ** 60 });
});

it('never exceeds a signed 64-bit integer', () => {
  const sum = trafficCounters(cards({ rx_bytes: 2n ** 63n - 1n }, { rx_bytes: 2n ** 63n - 1n }));

  expect(BigInt(sum?.bytesReceived ?? 0)).toBe(2n ** 63n - 1_024n);
});

function cards(...statistics: readonly Readonly<Record<string, bigint>>[]): SwitchConfiguration {
  const members = statistics.map((counts, index) => card(`eno${index}`, { statistics: counters(counts) }));
  return healthyConfiguration({ bridges: [bridge('br-ex', [port('bond0', members)])] });
}

function counters(counts: Readonly<Record<string, bigint>>): ReadonlyMap<string, bigint> {
  return new Map(Object.entries(counts));
}
