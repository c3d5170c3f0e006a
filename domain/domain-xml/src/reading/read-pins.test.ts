import { expect, it } from 'vitest';

import { readPins } from './read-pins.ts';

it('finds where each thread is to run', () => {
  const text = `<domain type="kvm"><name>a</name><cputune>
    <vcpupin vcpu="0" cpuset="2"/><vcpupin vcpu="1" cpuset="3-4"/>
    <emulatorpin cpuset="0,5"/><iothreadpin iothread="1" cpuset="6"/>
  </cputune></domain>`;

  expect(readPins(text)).toEqual({
    processors: [
      { virtual: 0, cpus: [2] },
      { virtual: 1, cpus: [3, 4] },
    ],
    emulator: [0, 5],
    ioThreads: [{ id: 1, cpus: [6] }],
  });
});

it('finds nothing in a domain whose threads run anywhere', () => {
  expect(readPins('<domain type="kvm"><name>a</name></domain>')).toEqual({
    processors: [],
    emulator: undefined,
    ioThreads: [],
  });
});
