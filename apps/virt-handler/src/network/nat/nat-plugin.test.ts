import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { VirtualMachineInstance } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { anInstance } from '../fixtures/an-instance.ts';
import { bootWith, connectCard, knock, type BedCard } from '../fixtures/bed-card.ts';
import { startNetworkBed, type NetworkBed } from '../fixtures/network-bed.ts';
import type { NodeNetworks } from '../network-plugin.ts';

const signal = AbortSignal.timeout(120_000);
let bed: NetworkBed;

beforeAll(async () => {
  bed = await startNetworkBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('a guest behind the node', () => {
  it('is given by DHCP exactly the address that was promised', async () => {
    const { mac, address, device } = await connect(bed.openNetworks(), anInstance('web', { hostname: 'www' }));
    const guest = await bed.plugIn('smalt0', mac, device);

    const answer = await guest.askAddress();

    const network = { mask: '255.255.192.0', router: '10.222.0.1', nameServer: '10.222.0.1' };
    expect(answer).toEqual({ address, hostName: 'www', ...network });
  });

  it('is told what its interface says that it be told', async () => {
    const dhcpOptions = {
      bootFileName: 'boot/pxe.0',
      tftpServerName: 'tftp.example.org',
      ntpServers: ['192.0.2.1', '192.0.2.2'],
      privateOptions: [{ option: 240, value: '10.0.0.1, "quoted"' }],
    };
    const instance = anInstance('booter', { interfaces: [{ name: 'default', masquerade: {}, dhcpOptions }] });
    const { mac, device } = await connect(bed.openNetworks(), instance);
    const guest = await bed.plugIn('smalt0', mac, device);

    const answer = await guest.askAddress(10_000, 42, 66, 67, 240);

    expect(answer).toMatchObject({
      42: Buffer.from([192, 0, 2, 1, 192, 0, 2, 2]).toString('latin1'),
      66: 'tftp.example.org',
      67: 'boot/pxe.0',
      240: '10.0.0.1, "quoted"',
    });
  });

  it('is told nothing unless it is one of ours', async () => {
    const stranger = await bed.plugIn('smalt0', '02:00:00:00:99:99');

    await expect(stranger.askAddress(600)).rejects.toThrow('ended with 1');
  });

  it('keeps both addresses when the handler is started anew, and so does dnsmasq its life', async () => {
    const before = await connect(bed.openNetworks(), anInstance('web'));
    const server = await dnsmasqPid();

    const after = await connect(bed.openNetworks(), anInstance('web'));

    expect(after).toEqual(before);
    expect(await dnsmasqPid()).toBe(server);
  });

  it('gets the same addresses again after it was gone', async () => {
    const networks = bed.openNetworks();
    await connect(networks, anInstance('keeper'));
    const first = await connect(networks, anInstance('phoenix', { uid: 'first' }));

    await networks.disconnect(anInstance('phoenix', { uid: 'first' }), signal);
    const second = await connect(bed.openNetworks(), anInstance('phoenix', { uid: 'second' }));

    expect(second).toEqual(first);
  });

  it('keeps what it has when an earlier one of its name is given up late', async () => {
    const networks = bed.openNetworks();
    const { mac, address, device } = await connect(networks, anInstance('heir', { uid: 'new' }));

    await networks.disconnect(anInstance('heir', { uid: 'old' }), signal);

    expect((await (await bed.plugIn('smalt0', mac, device)).askAddress()).address).toBe(address);
  });

  it('reaches the world by the address of the node, and is not reached from there', async () => {
    const card = await connect(bed.openNetworks(), anInstance('talker'));
    const { address } = card;
    const guest = await bootWith(bed, card);
    await bed.run('ip', 'link', 'add', 'uplink', 'type', 'bridge');
    await bed.run('ip', 'address', 'add', '198.51.100.1/24', 'dev', 'uplink');
    await bed.run('ip', 'link', 'set', 'uplink', 'up');
    const world = await bed.plugIn('uplink', '02:00:00:00:77:01');
    await world.run('ip', 'address', 'add', '198.51.100.2/24', 'dev', 'eth0');

    // The world has no way to the guest: what is answered was asked by the node.
    await world.run('ip', 'route', 'delete', 'default');
    const answered = await knock(guest, '198.51.100.2');
    await world.run('ip', 'route', 'add', '10.222.0.0/18', 'via', '198.51.100.1');
    const fromNode = await knock(bed, address);
    const fromWorld = await knock(world, address);

    expect({ answered, fromNode, fromWorld }).toEqual({
      answered: 'refused',
      fromNode: 'refused',
      fromWorld: 'nothing',
    });
  });
});

describe('the ports that an interface declares', () => {
  it('are open to a world that has a way to the guest, and no others are', async () => {
    const world = await bed.plugIn('uplink', '02:00:00:00:77:02');
    await world.run('ip', 'address', 'add', '198.51.100.3/24', 'dev', 'eth0');
    await world.run('ip', 'route', 'replace', 'default', 'via', '198.51.100.1');
    const interfaces = [{ name: 'default', masquerade: {}, ports: [{ port: 80 }, { port: 53, protocol: 'UDP' }] }];
    const instance = anInstance('server', { interfaces });
    const networks = bed.openNetworks();
    const server = await connect(networks, instance);
    await bootWith(bed, server);

    const declared = await knock(world, server.address, 80);
    const others = [await knock(world, server.address, 53), await knock(world, server.address, 81)];
    await bed.run('nft', 'flush', 'ruleset');
    const plain = await connect(bed.openNetworks(), anInstance('plain'));
    await bootWith(bed, plain);
    const restored = [await knock(world, server.address, 80), await knock(world, plain.address, 80)];
    await networks.disconnect(instance, signal);
    const afterwards = await knock(world, server.address, 80);

    expect({ declared, others, restored, afterwards }).toEqual({
      declared: 'refused',
      others: ['nothing', 'nothing'],
      restored: ['refused', 'nothing'],
      afterwards: 'nothing',
    });
  });
});

describe('addresses of guests', () => {
  it('come along from another node, also when the last one to have them here was another guest', async () => {
    const networks = bed.openNetworks();
    await connect(networks, anInstance('keeper'));
    const left = await connect(networks, anInstance('leaver'));
    await (await bed.plugIn('smalt0', left.mac, left.device)).askAddress();
    await networks.disconnect(anInstance('leaver'), signal);

    const comer = await connect(networks, anInstance('comer', { status: shows(left.address) }));
    const answer = await (await bed.plugIn('smalt0', comer.mac, comer.device)).askAddress();

    expect(comer.address).toBe(left.address);
    expect(answer.address).toBe(left.address);
  });

  it('are refused where another guest has them', async () => {
    const networks = bed.openNetworks();
    const { address } = await connect(networks, anInstance('owner'));

    const connecting = networks.connect(anInstance('rival', { status: shows(`${address}/18`) }), signal);

    await expect(connecting).rejects.toMatchObject({
      code: 'network-conflict',
      field: 'spec.networks[0]',
      message: expect.stringContaining(`the address ${address}, which shop/owner (network default) uses on this node`),
    });
  });

  it('are never taken from what the guest says about itself', async () => {
    const networks = bed.openNetworks();
    const ipAddresses = ['10.222.9.9', '203.0.113.7'];
    const status = { interfaces: [{ name: 'default', ipAddresses, infoSource: 'domain, guest-agent' }] };

    const { address } = await connect(networks, anInstance('liar', { status }));

    expect(ipAddresses).not.toContain(address);
    expect(await networks.givenAddress(anInstance('liar', { status }))).toBe(address);
    expect(await networks.givenAddress(anInstance('nobody'))).toBeUndefined();
  });

  it('of two cards with one hardware address are refused without the names of strangers', async () => {
    const networks = bed.openNetworks();
    const interfaces = [{ name: 'default', masquerade: {}, macAddress: '02-AA-00-00-00-01' }];
    await networks.connect(anInstance('one', { interfaces }), signal);

    const connecting = networks.connect(anInstance('two', { interfaces, namespace: 'mill' }), signal);

    await expect(connecting).rejects.toMatchObject({
      code: 'network-conflict',
      field: 'spec.domain.devices.interfaces[0].macAddress',
      message: expect.stringMatching(/mill\/two .* 02:aa:00:00:00:01, which a guest of another namespace uses/),
    });
  });

  it('never stand in files that are named by guests', async () => {
    const name = '../../../../etc/cron.d/x\nignore';

    await connect(bed.openNetworks(), anInstance(name, { hostname: 'a,ignore\nb' }));

    const files = await readdir(join(bed.stateDirectory, 'networks'), { recursive: true });
    const guests = files.filter((file) => file.startsWith('nat/guests/'));
    const lines = await Promise.all(guests.map((file) => readFile(join(bed.stateDirectory, 'networks', file), 'utf8')));
    expect(guests.filter((file) => !/^nat\/guests\/[0-9a-f]{32}$/.test(file))).toEqual([]);
    expect(lines.filter((line) => !/^[0-9a-f:]{17}(,set:o[0-9a-f]{24})?,[\d.]+(,[a-z0-9-]+)?\n$/.test(line))).toEqual(
      [],
    );
  });
});

describe('what the network is made of', () => {
  it('is put right when somebody kills dnsmasq or flushes the rules', async () => {
    const networks = bed.openNetworks();
    const { mac, address, device } = await connect(networks, anInstance('web'));
    const killed = await dnsmasqPid();
    const stopping = new AbortController();
    process.kill(killed, 'SIGKILL');
    await bed.run('nft', 'flush', 'ruleset');

    const kept = networks.keepRunning(stopping.signal);
    const answer = await (await bed.plugIn('smalt0', mac, device)).askAddress();
    stopping.abort();
    await kept;

    expect(answer.address).toBe(address);
    expect(await bed.run('nft', 'list', 'tables')).toContain('smalt-smalt0');
  });

  it('is made anew when somebody deletes the bridge', async () => {
    await connect(bed.openNetworks(), anInstance('web'));
    await bed.run('ip', 'link', 'delete', 'smalt0');

    const { mac, address, device } = await connect(bed.openNetworks(), anInstance('web'));

    expect((await (await bed.plugIn('smalt0', mac, device)).askAddress()).address).toBe(address);
    expect(await bed.run('ip', 'link', 'show', 'dev', 'smalt0')).toContain('02:53:4d:41:4c:54');
  });

  it('takes up other settings when the handler is started with them', async () => {
    await connect(bed.openNetworks(), anInstance('web'));
    const nat = { bridge: 'smalt0', range: '10.222.0.0/18', nameServers: ['198.51.100.7'] };

    await connect(bed.openNetworks({ nat }), anInstance('web'));

    const config = await readFile(join(bed.stateDirectory, 'networks/nat/dnsmasq.conf'), 'utf8');
    const command = await readFile(`/proc/${await dnsmasqPid()}/cmdline`, 'utf8');
    expect(config).toContain('\nserver=198.51.100.7\n');
    expect(command).toContain('dnsmasq.conf');
  });

  it('goes with the last guest, but for the bridge', async () => {
    const networks = bed.openNetworks();
    await connect(networks, anInstance('web'));
    await connect(networks, anInstance('last'));

    await bed.openNetworks().sweep([anInstance('last')], signal);
    const withOne = await dnsmasqPid();
    await bed.openNetworks().sweep([], signal);

    expect(withOne).toBeGreaterThan(1);
    await expect(dnsmasqPid()).rejects.toThrow('no dnsmasq');
    expect(await bed.run('nft', 'list', 'tables')).not.toContain('smalt');
    expect(await bed.run('ip', 'link', 'show', 'dev', 'smalt0')).toContain('smalt0');
  });

  it('passes over what a handler left half written that was killed', async () => {
    const networks = bed.openNetworks();
    const { mac, address, device } = await connect(networks, anInstance('web'));
    const draft = join(bed.stateDirectory, 'networks/nat/guests/.half.0123456789abcdef.smalt-draft');
    await writeFile(draft, `${mac},${address.replace(/\d+$/, '250')}\n`);

    const answer = await (await bed.plugIn('smalt0', mac, device)).askAddress();
    await bed.openNetworks().sweep([], signal);

    expect(answer.address).toBe(address);
    await expect(dnsmasqPid()).rejects.toThrow('no dnsmasq');
  });

  it('is refused where the node uses the addresses for something else', async () => {
    await using other = await startNetworkBed();
    await other.run('ip', 'address', 'add', '10.222.63.7/24', 'dev', 'lo');

    await expect(other.openNetworks().connect(anInstance('web'), signal)).rejects.toMatchObject({
      code: 'network-failed',
      message: expect.stringContaining('network.range: the interface lo of this node has an address in 10.222.0.0/18'),
    });
  });
});

async function connect(networks: NodeNetworks, instance: VirtualMachineInstance): Promise<BedCard> {
  return await connectCard(networks, instance, signal);
}

/** Of the one that runs with the files of the bed, however it was found. */
async function dnsmasqPid(): Promise<number> {
  const pid = Number(await readFile(join(bed.stateDirectory, 'networks/nat/dnsmasq.pid'), 'utf8').catch(() => '0'));
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (!command.includes(bed.stateDirectory)) throw new Error('no dnsmasq');
  return pid;
}

function shows(ipAddress: string): NonNullable<VirtualMachineInstance['status']> {
  return { interfaces: [{ name: 'default', ipAddress }] };
}
