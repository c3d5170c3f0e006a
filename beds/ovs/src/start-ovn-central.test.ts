import { afterAll, beforeAll, expect, it } from 'vitest';

import type { OvnController } from './ovn-controller.ts';
import type { OvsNode } from './ovs-node.ts';
import { startOvnCentral, type OvnCentral } from './start-ovn-central.ts';
import { startOvsNode } from './start-ovs-node.ts';

let central: OvnCentral;
let fake: OvsNode;
let real: OvsNode;
let onFake: OvnController;
let onReal: OvnController;

beforeAll(async () => {
  central = await startOvnCentral();
  fake = await startOvsNode({ datapath: 'dummy', name: 'fake' });
  real = await startOvsNode({ datapath: 'netdev', name: 'real' });
  onFake = await fake.joinOvn(central, { encapIp: '10.99.0.1', probeMs: 1_000 });
  onReal = await real.joinOvn(central, { encapIp: '10.99.0.2' });
  await central.settled();
});

afterAll(async () => {
  for (const each of [fake, real, central]) await each[Symbol.asyncDispose]();
});

it('has every node as a chassis, by tcp and by a socket', async () => {
  const rows = await central.sbctl('--bare', '--columns=name', 'list', 'Chassis');

  expect(rows.split('\n').filter(Boolean).toSorted()).toEqual(['fake', 'real']);
  expect(await onFake.control('connection-status')).toBe('connected\n');
  expect(await onReal.control('connection-status')).toBe('connected\n');
});

it('binds guests, that reach each other', async () => {
  await central.nbctl('ls-add', 'ls0');
  for (const number of [1, 2, 3]) {
    const port = ['lsp-add', 'ls0', `vm${number}`, '--', 'lsp-set-addresses', `vm${number}`];
    await central.nbctl(...port, `${mac(number)} 192.168.7.${number}`);
  }

  await fake.plugGuest({ device: 'tap3', logicalPort: 'vm3', mac: mac(3) });
  const one = await real.plugGuest({
    device: 'tap1',
    logicalPort: 'vm1',
    mac: mac(1),
    address: '192.168.7.1/24',
  });
  await real.plugGuest({ device: 'tap2', logicalPort: 'vm2', mac: mac(2), address: '192.168.7.2/24' });
  await central.nbctl('wait-until', 'Logical_Switch_Port', 'vm3', 'up=true');
  await central.nbctl('wait-until', 'Logical_Switch_Port', 'vm2', 'up=true');
  await central.settled();

  expect(await one.reaches('192.168.7.2')).toBe(true);
  expect(await fake.vsctl('get', 'interface', 'tap3', 'external_ids:ovn-installed')).toBe('"true"\n');
});

it('comes back on the same port after it was killed', async () => {
  const { remote } = central;

  await central.kill('ovnsb_db');
  await expect.poll(() => onFake.control('connection-status')).toBe('not connected\n');
  await central.start('ovnsb_db');

  await expect.poll(() => onFake.control('connection-status')).toBe('connected\n');
  expect(central.remote).toBe(remote);
});

it('pauses, kills and restarts a controller', async () => {
  await onReal.pause();
  const paused = await onReal.control('debug/status');
  await onReal.resume();
  const before = onReal.pid;
  await onReal.kill();
  await onReal.start();

  expect(paused).toBe('paused\n');
  expect(onReal.pid).not.toBe(before);
  await expect.poll(() => onReal.control('connection-status')).toBe('connected\n');
});

function mac(number: number): string {
  return `52:54:00:00:00:0${number}`;
}
