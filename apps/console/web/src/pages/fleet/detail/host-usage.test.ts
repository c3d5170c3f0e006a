import { expect, it } from 'vitest';

import { addHostUsage, processorPercents, type HostSample } from './host-usage.ts';

it('makes percent of all processors out of busy seconds', () => {
  const history = [message(0, 10), message(2, 12)].reduce<readonly HostSample[]>(addHostUsage, []);

  expect(processorPercents(history)).toEqual([null, 25]);
});

it.each([['nothing'], [{}], [{ at: 'never', host: {} }], [{ ...message(0, 1), host: { cpus: 4 } }]])(
  'takes no message that is none: %j',
  (wrong) => {
    expect(addHostUsage([], wrong)).toEqual([]);
  },
);

it('keeps the last five minutes', () => {
  const all = Array.from({ length: 310 }, (_, second) => message(second, second));

  const history = all.reduce<readonly HostSample[]>(addHostUsage, []);

  expect(history).toHaveLength(300);
  expect(history[0]?.atMs).toBe(10_000);
});

function message(second: number, cpuBusySeconds: number) {
  const host = { cpuBusySeconds, cpus: 4, load1: 0.5, memoryUsedBytes: 1, memoryTotalBytes: 2 };
  return { at: new Date(second * 1000).toISOString(), host, machines: [] };
}
