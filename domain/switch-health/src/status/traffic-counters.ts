import type { Metrics } from '@smalt/ovs-api';

import type { SwitchConfiguration } from '../switch-facts.ts';
import { physicalPlaces } from './physical-interfaces.ts';

const COUNTERS: Readonly<Record<keyof Metrics, readonly string[]>> = {
  packetsReceived: ['rx_packets'],
  packetsSent: ['tx_packets'],
  bytesReceived: ['rx_bytes'],
  bytesSent: ['tx_bytes'],
  drops: ['rx_dropped', 'tx_dropped'],
  errors: ['rx_errors', 'tx_errors'],
};

const UNSUPPORTED = 0xffff_ffff_ffff_ffffn;
/** The greatest number that both a signed 64-bit integer and a JavaScript number can be. */
const GREATEST = 9_223_372_036_854_774_784n;

/**
 * What went through the network cards: other interfaces would count the same packets again. A counter that no card
 * has is left out.
 */
export function trafficCounters(configuration: SwitchConfiguration): Metrics | undefined {
  const statistics = physicalPlaces(configuration).map((place) => place.interface.statistics);
  const sums = Object.entries(COUNTERS).flatMap(([name, keys]) => {
    const values = keys.flatMap((key) => statistics.map((counters) => counters.get(key))).filter(isCount);
    return values.length === 0 ? [] : [[name, asNumber(values.reduce((sum, value) => sum + value, 0n))] as const];
  });
  return sums.length === 0 ? undefined : Object.fromEntries(sums);
}

function isCount(value: bigint | undefined): value is bigint {
  return value !== undefined && value >= 0n && value < UNSUPPORTED;
}

// Beyond 2^53 the nearest number is published, which is off by less than a millionth of a millionth.
function asNumber(value: bigint): number {
  return Number(value < GREATEST ? value : GREATEST);
}
