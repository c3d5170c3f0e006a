import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startOvsNode } from './start-ovs-node.ts';
import { startOvsNodes } from './start-ovs-nodes.ts';
import type { Datapath, OvsNode } from './ovs-node.ts';

describe.each(['dummy', 'netdev'] as const)('a node with the datapath %s', (datapath: Datapath) => {
  let node: OvsNode;

  beforeAll(async () => {
    node = await startOvsNode({ datapath, name: 'hv1' });
    await node.vsctl(...bridge('br-int'), '--', ...bridge('br-provider'));
  });

  afterAll(async () => {
    await node[Symbol.asyncDispose]();
  });

  it('has a version, an id and sockets with short paths', async () => {
    const about = await node.vsctl('get', 'Open_vSwitch', '.', 'ovs_version', 'external_ids:system-id');

    expect(about).toMatch(/^"\d+\.\d+\.\d+"\nhv1\n$/);
    expect(join(node.runDirectory, 'ovs-vswitchd.4194304.ctl').length).toBeLessThan(90);
  });

  it('takes flows', async () => {
    const flows = Array.from({ length: 1_000 }, (_, index) => `table=3,priority=${index},ip,actions=drop`);

    await node.addFlows('br-int', flows);

    expect(await node.ofctl('dump-aggregate', 'br-int', 'table=3')).toContain('flow_count=1000');
  });

  it('negotiates LACP, and loses a member whose cable is cut', async () => {
    const bond = await node.addBond();
    await bond.settled();

    await node.setLink(bond.partner.members[1] ?? '', 'down');
    await node.setLink(bond.members[1] ?? '', 'down');

    await expect
      .poll(() => node.appctl('ovs-vswitchd', 'bond/show', 'bond0'))
      .toMatch(/member eno1: enabled[^]*member eno2: disabled/);
    await node.setLink(bond.members[1] ?? '', 'up');
    await node.setLink(bond.partner.members[1] ?? '', 'up');
    await bond.settled();
  });

  it('keeps its configuration over the death of both daemons', async () => {
    await node.kill('ovs-vswitchd');
    await node.kill('ovsdb-server', 'SIGTERM');
    const pids = node.pids;
    await node.start('ovsdb-server');
    await node.start('ovs-vswitchd');

    expect(pids).toEqual({ 'ovs-vswitchd': undefined, 'ovsdb-server': undefined });
    expect(await node.vsctl('list-br')).toContain('br-int');
    expect(Number(await readFile(join(node.runDirectory, 'ovs-vswitchd.pid'), 'utf8'))).toBe(node.pids['ovs-vswitchd']);
  });

  it('stands still between SIGSTOP and SIGCONT', async () => {
    await node.kill('ovs-vswitchd', 'SIGSTOP');
    const whileStopped = node.appctl('ovs-vswitchd', '--timeout=1', 'version');

    await expect(whileStopped).rejects.toThrow(/ended with/);
    await node.kill('ovs-vswitchd', 'SIGCONT');
    expect(await node.appctl('ovs-vswitchd', 'version')).toContain('Open vSwitch');
  });
});

describe('a node with real devices', () => {
  it('shows the speed of a cable in its sysfs, and guests that reach each other', async () => {
    await using node = await startOvsNode({ datapath: 'netdev' });
    await node.vsctl(...bridge('br-int'));

    await node.addCable({ device: 'eno5', peer: 'swp5', speedMbps: 25_000 });
    const one = await node.plugGuest({ device: 'tap1', address: '192.168.7.1/24' });
    await node.plugGuest({ device: 'tap2', address: '192.168.7.2/24' });

    expect(await readFile(`${node.network?.sysfs}/class/net/eno5/speed`, 'utf8')).toBe('25000\n');
    expect(await one.reaches('192.168.7.2')).toBe(true);
  });
});

it('negotiates LACP over cables of any speed', async () => {
  await using node = await startOvsNode({ datapath: 'netdev' });
  await node.vsctl(...bridge('br-provider'));

  const bond = await node.addBond({ speedMbps: 25_000 });

  await bond.settled();
  expect(await readFile(`${node.network?.sysfs}/class/net/eno2/speed`, 'utf8')).toBe('25000\n');
});

it('says which daemon did not start, with its last words', async () => {
  await using node = await startOvsNode({ datapath: 'dummy' });
  await node.kill('ovsdb-server');
  await writeFile(join(node.place.databaseDirectory, 'conf.db'), 'no database');

  await expect(node.start('ovsdb-server')).rejects.toMatchObject({
    code: 'start-failed',
    message: expect.stringMatching(/^ovsdb-server ended: .*conf\.db/s),
  });
});

it('refuses what it cannot do', async () => {
  await using node = await startOvsNode({ datapath: 'dummy' });

  await expect(node.start('ovs-vswitchd')).rejects.toMatchObject({ code: 'invalid-option' });
  await expect(node.addVeth('a', 'b')).rejects.toMatchObject({ code: 'invalid-option' });
  await node.kill('ovs-vswitchd');
  await expect(node.kill('ovs-vswitchd')).rejects.toMatchObject({ code: 'not-running' });
});

it('starts several at once, and leaves nothing of them', async () => {
  const swarm = await startOvsNodes(5, { datapath: 'dummy' });
  const names = await Promise.all(swarm.nodes.map((node) => node.vsctl('get', 'open', '.', 'external_ids:system-id')));
  const directories = swarm.nodes.map((node) => dirname(node.runDirectory));
  const before = directories.map((path) => existsSync(path));

  await swarm[Symbol.asyncDispose]();

  expect(names).toEqual(['node1\n', 'node2\n', 'node3\n', 'node4\n', 'node5\n']);
  expect(before).toEqual([true, true, true, true, true]);
  expect(directories.map((path) => existsSync(path))).toEqual([false, false, false, false, false]);
  expect(swarm.nodes.flatMap((node) => Object.values(node.pids))).toEqual(Array.from({ length: 10 }));
});

function bridge(name: string): readonly string[] {
  return ['add-br', name, '--', 'set', 'bridge', name, 'datapath_type=netdev'];
}
