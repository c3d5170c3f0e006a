import { startOvnCentral, type OvnCentral } from '@smalt/bed-ovs';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTroubleshootingBed, type TroubleshootingBed } from '../fixtures/troubleshooting-bed.ts';

const stack = new AsyncDisposableStack();
let bed: TroubleshootingBed;
let central: OvnCentral;

beforeAll(async () => {
  central = stack.use(await startOvnCentral());
  bed = stack.use(await startTroubleshootingBed());
  await bed.node.joinOvn(central, { chassis: 'n1', encapIp: '127.0.0.1' });
  await central.nbctl('ls-add', 'net');
  await central.nbctl('lsp-add', 'net', 'vm1');
  await bed.node.plugGuest({ device: 'tap1', logicalPort: 'vm1' });
  await bed.node.plugGuest({ device: 'tap2', logicalPort: 'unknown-to-ovn' });
  await central.settled();
});

afterAll(() => stack.disposeAsync());

it('says of a port which logical port it is, and where OVN has bound that', { timeout: 30_000 }, async () => {
  await expect
    .poll(() => ovnOf('tap1'), { timeout: 20_000 })
    .toEqual([{ logicalPort: 'vm1', boundHere: true, chassis: 'n1', ownChassis: 'n1' }]);
  expect(await ovnOf('tap2')).toEqual([{ logicalPort: 'unknown-to-ovn', boundHere: false, ownChassis: 'n1' }]);
});

it('says of the node how OVN is connected, and what its database holds of it', async () => {
  const { body } = await bed.call('GET', '/v1/diagnostics');

  expect(body['ovn']).toMatchObject({
    connection: { value: 'connected' },
    isPaused: { value: false },
    southbound: { kind: 'known', value: { chassis: 'n1' } },
  });
  expect(body['daemons']).toMatchObject({ 'ovn-controller': { state: 'answering' } });
});

it('says what is plugged in where, and which member of a bond is preferred', { timeout: 30_000 }, async () => {
  const bond = await bed.node.addBond({ bridge: 'br-int', lacp: 'off', mode: 'active-backup' });
  await bond.settled();

  await expect
    .poll(() => portsOf('br-int'), { timeout: 10_000 })
    .toContainEqual({
      name: 'bond0',
      bondMode: 'active-backup',
      interfaces: expect.arrayContaining([expect.objectContaining({ link: 'Up', isEnabled: true, isActive: true })]),
    });
  expect(await portsOf('br-int')).toContainEqual({
    name: 'tap1',
    interfaces: [expect.objectContaining({ name: 'tap1', link: 'Up', logicalPort: 'vm1' })],
  });
});

async function portsOf(bridge: string): Promise<unknown> {
  const { body } = await bed.call('GET', '/v1/topology');
  const bridges: readonly unknown[] = Array.isArray(body['bridges']) ? body['bridges'] : [];
  return Object(bridges.find((each) => Object(each).name === bridge)).ports;
}

async function ovnOf(port: string): Promise<unknown> {
  return (await bed.call('GET', `/v1/ports/${port}`)).body['ovn'];
}
