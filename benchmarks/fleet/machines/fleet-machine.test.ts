import { expect, it } from 'vitest';

import { fleetMachine, machineName } from './fleet-machine.ts';

it('makes machines that start again by themselves, each with an id of its own that it keeps', () => {
  const [first, again, other] = [machineName(0), machineName(0), machineName(1)].map(fleetMachine);
  const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);

  expect(first).toMatchObject({
    metadata: { name: 'vm-1' },
    spec: {
      runStrategy: 'Always',
      template: { spec: { hypervisor: 'test', domain: { memory: { guest: '32Mi' }, firmware: { uuid } } } },
    },
  });
  expect(again).toEqual(first);
  expect(JSON.stringify(other)).not.toContain(JSON.stringify(first).slice(-60));
});
