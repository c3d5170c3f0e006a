import { describe, expect, it } from 'vitest';

import { card } from '../fixtures/build-facts.ts';
import { formatSpeed, speedOf } from './format-speed.ts';

describe('formatSpeed', () => {
  it.each([
    [10_000_000n, '10Mbps'],
    [100_000_000n, '100Mbps'],
    [1_000_000_000n, '1Gbps'],
    [2_500_000_000n, '2.5Gbps'],
    [25_000_000_000n, '25Gbps'],
    [200_000_000_000n, '200Gbps'],
    [9_600n, '9.6kbps'],
    [300n, '300bps'],
  ])('writes %d bit/s as %s', (speed, text) => {
    expect(formatSpeed(speed)).toBe(text);
  });
});

describe('speedOf', () => {
  it.each([
    ['the database, if it knows', { linkSpeed: 10_000_000_000n }, 25_000_000_000n, '10Gbps'],
    ['the kernel, where the database leaves it out', { linkSpeed: undefined }, 25_000_000_000n, '25Gbps'],
    ['the kernel, where the database says nothing', { linkSpeed: 0n }, 25_000_000_000n, '25Gbps'],
    ['the driver of DPDK', { linkSpeed: undefined, status: new Map([['link_speed', '10Gbps']]) }, undefined, '10Gbps'],
    ['nobody', { linkSpeed: undefined }, undefined, undefined],
    ['nobody, if the driver does not know', { linkSpeed: undefined, status: link('Unknown') }, undefined, undefined],
  ])('asks %s', (_whom, part, kernel, speed) => {
    const kernelSpeeds = new Map(kernel === undefined ? [] : [['eno1', kernel]]);

    expect(speedOf(card('eno1', part), kernelSpeeds)).toBe(speed);
  });
});

function link(speed: string): ReadonlyMap<string, string> {
  return new Map([['link_speed', speed]]);
}
