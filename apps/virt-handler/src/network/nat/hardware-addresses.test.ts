import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { VirtualMachineInstance } from '@smalt/vm-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { anInstance } from '../fixtures/an-instance.ts';
import { connectCard } from '../fixtures/bed-card.ts';
import { startNetworkBed, type NetworkBed } from '../fixtures/network-bed.ts';
import { digestOf } from '../interface-identity.ts';
import type { InterfaceRecord } from '../register/interface-record.ts';
import { deviceOf } from './guard-rules.ts';

const signal = AbortSignal.timeout(120_000);
const left = { namespace: 'shop', instance: 'left', network: 'default' };
let bed: NetworkBed;

beforeEach(async () => {
  bed = await startNetworkBed();
});

afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('the hardware address of a guest behind the node', () => {
  it.each(['02AA.0000.00BE', '02-AA-00-00-00-BE', '02:AA:00:00:00:BE'])('may be written as %s', async (macAddress) => {
    const { mac, address, device } = await connectCard(bed.openNetworks(), withMac('web', macAddress), signal);
    const guest = await bed.plugIn('smalt0', mac, device);

    expect(mac).toBe('02:aa:00:00:00:be');
    expect((await guest.askAddress()).address).toBe(address);
    expect(await elements('cards')).toContain(`"${device}" . 02:aa:00:00:00:be`);
  });

  it('follows from its names where it is given as nothing', async () => {
    const given = await connectCard(bed.openNetworks(), withMac('web', ''), signal);

    expect(given).toEqual(await connectCard(bed.openNetworks(), anInstance('web'), signal));
  });

  it('is known in every notation to whom another guest has it', async () => {
    const networks = bed.openNetworks();
    await networks.connect(withMac('one', '02:aa:00:00:00:be'), signal);

    await expect(networks.connect(withMac('two', '02aa.0000.00be'), signal)).rejects.toMatchObject({
      code: 'network-conflict',
      field: 'spec.domain.devices.interfaces[0].macAddress',
    });
  });

  it('is not that of the gateway in any notation', async () => {
    await expect(bed.openNetworks().connect(withMac('web', '0253.4d41.4c54'), signal)).rejects.toMatchObject({
      code: 'network-conflict',
      message: expect.stringContaining('02:53:4d:41:4c:54 is the MAC address of the gateway'),
    });
  });

  it.each(['02:aa:00:00:00:be:00:01', '02aa.0000.00be.0001', Array.from({ length: 20 }, () => '02').join(':'), 'mine'])(
    'is refused before anything is claimed when it is %s',
    async (macAddress) => {
      const cards = [
        { name: 'default', masquerade: {} },
        { name: 'blue', masquerade: {}, macAddress },
      ];
      const nets = ['default', 'blue'].map((name) => ({ name, pod: {} }));
      const instance = anInstance('web', { interfaces: cards, networks: nets });

      await expect(bed.openNetworks().connect(instance, signal)).rejects.toMatchObject({
        code: 'unsupported-network',
        field: 'spec.domain.devices.interfaces[1].macAddress',
        message: expect.stringContaining('write it like 02:42:ac:11:00:02'),
      });
      expect(await recordsOnDisk()).toEqual([]);
    },
  );
});

describe.each(['02aa.0000.00be', '02:aa:00:00:00:be:00:01', ''])(
  'a record that an earlier version left with the hardware address "%s"',
  (mac) => {
    it('keeps nobody else from starting, and is told in the log', async () => {
      await leave(mac);
      const lines: string[] = [];

      const card = await connectCard(
        bed.openNetworks({}, (line) => lines.push(line)),
        anInstance('web'),
        signal,
      );

      const answer = await (await bed.plugIn('smalt0', card.mac, card.device)).askAddress();
      expect(answer.address).toBe(card.address);
      expect(await elements('cards')).not.toContain(deviceOf('smalt0', left));
      expect(lines.filter((line) => line.includes('shop/left (network default)'))).not.toEqual([]);
    });

    it('keeps nobody from putting the rules back', async () => {
      await leave(mac);
      const networks = bed.openNetworks();
      const web = await connectCard(networks, anInstance('web'), signal);
      await bed.run('nft', 'flush', 'ruleset');

      await connectCard(networks, anInstance('db'), signal);

      expect(await elements('cards')).toContain(web.device);
    });

    it('is given back with its instance, and so is that of another guest after it', async () => {
      await leave(mac);
      const networks = bed.openNetworks();
      const web = await connectCard(networks, anInstance('web'), signal);
      await connectCard(networks, anInstance('db'), signal);

      await networks.disconnect(anInstance('left'), signal);
      await networks.disconnect(anInstance('web'), signal);

      const used = (await recordsOnDisk()).filter(({ releasedAt }) => releasedAt === undefined);
      expect(used.map(({ instance }) => instance)).toEqual(['db']);
      expect(await elements('cards')).not.toContain(web.device);
    });

    it('is put right when its instance is connected once more', async () => {
      await leave(mac);

      const { address, device } = await connectCard(bed.openNetworks(), withMac('left', '02aa.0000.00be'), signal);

      expect(address).toBe('10.222.0.77');
      expect(await elements('homes')).toContain(`"${device}" . 02:aa:00:00:00:be . 10.222.0.77`);
      expect(await recordsOnDisk()).toMatchObject([{ instance: 'left', mac: '02:aa:00:00:00:be' }]);
    });
  },
);

function withMac(name: string, macAddress: string): VirtualMachineInstance {
  return anInstance(name, { interfaces: [{ name: 'default', masquerade: {}, macAddress }] });
}

function registerDirectory(): string {
  return join(bed.stateDirectory, 'networks/interfaces');
}

/** Leaves the record of a guest with this hardware address behind. */
async function leave(mac: string): Promise<void> {
  const record: InterfaceRecord = { ...left, uid: 'uid-left', plugin: 'nat', mac, address: '10.222.0.77' };
  await mkdir(registerDirectory(), { recursive: true });
  const file = `${digestOf('file', left).toString('hex', 0, 16)}.json`;
  await writeFile(join(registerDirectory(), file), JSON.stringify(record));
}

async function recordsOnDisk(): Promise<readonly InterfaceRecord[]> {
  const files = await readdir(registerDirectory()).catch(() => []);
  const texts = files.map((file) => readFile(join(registerDirectory(), file), 'utf8'));
  return (await Promise.all(texts)).map((text): InterfaceRecord => JSON.parse(text));
}

/** What is in a set of the rules against hostile guests. */
async function elements(set: string): Promise<string> {
  return await bed.run('nft', 'list', 'set', 'bridge', 'smalt-smalt0', set);
}
