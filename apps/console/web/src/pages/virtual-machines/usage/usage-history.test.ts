import type { InstanceUsage } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { addUsage, usageSeries, type UsageHistory } from './usage-history.ts';

it('makes rates of totals', () => {
  const series = usageSeries([usage(0, 10), usage(1, 11), usage(2, 11.5)]);

  expect(series).toMatchObject({
    processorPercent: [null, 50, 25],
    readPerSecond: [null, 2048, 1024],
    receivedPerSecond: [null, 100, 50],
  });
});

it('has a gap where the guest began anew', () => {
  expect(usageSeries([usage(0, 10), usage(1, 1)]).processorPercent).toEqual([null, null]);
});

it('keeps the last five minutes', () => {
  let history: UsageHistory = [];

  for (let second = 0; second < 400; second += 1) history = addUsage(history, usage(second, second));

  expect([history.length, history[0]?.cpu.seconds]).toEqual([300, 100]);
});

it.each([undefined, 'x', {}, { at: 'now' }, { ...usage(0, 1), disks: {} }, { ...usage(0, 1), cpu: { seconds: 'x' } }])(
  'takes nothing from %j',
  (message) => {
    expect(addUsage([], message)).toEqual([]);
  },
);

function usage(second: number, seconds: number): InstanceUsage {
  return {
    at: new Date(second * 1000).toISOString(),
    cpu: { seconds, vcpus: 2 },
    memory: { residentBytes: 5, usedBytes: 4, totalBytes: 10 },
    disks: [
      { name: 'root', readBytes: seconds * 1024, writtenBytes: 0, reads: 0, writes: 0 },
      { name: 'data', readBytes: seconds * 1024, writtenBytes: 0, reads: 0, writes: 0 },
    ],
    interfaces: [{ name: 'default', receivedBytes: seconds * 100, sentBytes: 0 }],
  };
}
