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
}, 60_000);

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

async function ovnOf(port: string): Promise<unknown> {
  return (await bed.call('GET', `/v1/ports/${port}`)).body['ovn'];
}
