import { expect, it } from 'vitest';

import { running, stopped, virtualMachine } from './fixtures/machines.ts';
import { addressesOf, hostOf, memoryBytesOf, vcpusOf } from './machine-facts.ts';
import { makeMachine } from './machine.ts';

it('has the facts of what runs', () => {
  const machine = running('web', {
    nodeName: 'host-1',
    interfaces: [{ ipAddress: '10.0.0.1', ipAddresses: ['10.0.0.1', 'fd00::1'] }, { mac: '02:00:00:00:00:01' }],
  });

  expect([hostOf(machine), addressesOf(machine)]).toEqual(['host-1', ['10.0.0.1', 'fd00::1']]);
});

it('has none of what does not run', () => {
  const machine = stopped('web');

  expect([hostOf(machine), addressesOf(machine), vcpusOf(machine)]).toEqual(['', [], 1]);
});

it.each([
  { domain: { memory: { guest: '1Gi' } }, bytes: 2 ** 30 },
  { domain: { resources: { requests: { memory: '64M' } } }, bytes: 64_000_000 },
  { domain: {}, bytes: Number.NaN },
  { domain: { memory: { guest: 'much' } }, bytes: Number.NaN },
])('has $bytes bytes of memory', ({ domain, bytes }) => {
  const base = virtualMachine('web');
  const spec = { ...base.spec, template: { spec: { domain: { devices: {}, ...domain } } } };

  const machine = makeMachine({ ...base, spec }, undefined);

  expect(machine && memoryBytesOf(machine)).toBe(bytes);
});

it('multiplies sockets, cores and threads', () => {
  const base = virtualMachine('web');
  const domain = { devices: {}, cpu: { sockets: 2, cores: 4, threads: 2 } };

  const machine = makeMachine({ ...base, spec: { template: { spec: { domain } } } }, undefined);

  expect(machine && vcpusOf(machine)).toBe(16);
});
