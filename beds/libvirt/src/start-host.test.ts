import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { BedHost } from './bed-host.ts';
import { biosDomainXml } from './guest/guest-domain-xml.ts';
import { startHost } from './start-host.ts';
import { startNetwork } from './start-network.ts';

describe('two hosts on a network', () => {
  let bed: AsyncDisposableStack;
  let first: BedHost;
  let second: BedHost;

  beforeAll(async () => {
    await using cleanUp = new AsyncDisposableStack();
    const network = cleanUp.use(await startNetwork());
    first = cleanUp.use(await startHost({ network }));
    second = cleanUp.use(await startHost({ network, name: 'other' }));
    bed = cleanUp.move();
  });

  afterAll(() => bed.disposeAsync());

  it('answer to us by address and to each other by name', async () => {
    expect([first.name, second.name]).toEqual(['hv1', 'other']);
    expect(await reach(first)).toBe('connected');
    expect(await first.exec(['virsh', '--connect', 'qemu+tcp://other/system', 'hostname'])).toContain('other');
    expect(await second.exec(['virsh', '--connect', 'qemu+tcp://hv1/system', 'hostname'])).toContain('hv1');
  });

  it('are different machines to libvirt', async () => {
    const uuids = await Promise.all([first, second].map(async (host) => (await capabilities(host)).uuid));

    expect(uuids).toEqual([first.uuid, second.uuid]);
  });

  it('move a running guest from one to the other without being told how', async () => {
    await create(first, biosDomainXml({ name: 'mover' }));

    await first.exec(['virsh', 'migrate', '--live', '--p2p', 'mover', 'qemu+tcp://other/system']);

    expect(await guests(first)).toEqual([]);
    expect(await guests(second)).toEqual(['mover']);

    await second.exec(['virsh', 'destroy', 'mover']);
  });

  it('run on when cut off, and are back when healed', async () => {
    await create(first, biosDomainXml({ name: 'lonely' }));

    await first.cut();

    expect(await reach(first)).toBe('no answer');
    expect(await guests(first)).toEqual(['lonely']);

    await first.heal();

    expect(await reach(first)).toBe('connected');
  });

  it('lose their guests, not their disks, when the power fails', async () => {
    const { pid, namespacePid } = second.daemon;
    await define(second, biosDomainXml({ name: 'defined' }));
    await create(second, biosDomainXml({ name: 'transient' }));

    await second.crash();

    expect([pid, namespacePid].map((each) => existsSync(`/proc/${each}`))).toEqual([false, false]);
    expect(await reach(second)).toBe('no answer');
    expect(() => second.daemon).toThrow(expect.objectContaining({ code: 'ended' }));

    await second.powerOn();

    expect(await reach(second)).toBe('connected');
    expect(await guests(second)).toEqual([]);
    expect(await second.exec(['virsh', 'list', '--all', '--name'])).toContain('defined');
  });
});

it('a host shows the processors and memory it was told to', async () => {
  await using host = await startHost({
    numa: { cells: 2, coresPerCell: 8, threads: 2, memoryKiBPerCell: 33_554_432, hugepagesPerCell: { '2MiB': 512 } },
  });

  const { text } = await capabilities(host);

  expect(await host.exec(['virsh', 'nodeinfo'])).toMatch(
    /CPU\(s\): +32\n[^]*NUMA cell\(s\): +2\nMemory size: +67108864/,
  );
  expect(text.match(/<memory unit='KiB'>33554432<\/memory>/g)).toHaveLength(2);
  expect(text).toContain("<pages unit='KiB' size='2048'>512</pages>");
  expect(text).toMatch(/<sibling id='1' value='21'\/>/);
  expect(text).toMatch(/<cpu id='0' socket_id='0' [^>]*core_id='0' siblings='0,16'\/>/);
});

it('a host that cannot start leaves its network as it was', async () => {
  await using network = await startNetwork();
  const failed = startHost({ network, name: 'broken', qemu: { user: ['no', 'user'] } });

  await expect(failed).rejects.toMatchObject({ code: 'start-failed' });
  await using host = await startHost({ network });

  expect(await reach(host)).toBe('connected');
});

it('a host that cannot be stopped in good order leaves nothing all the same', async () => {
  const host = await startHost();
  const { directory, pid } = host.daemon;
  const cache = `${directory}/cache/qemu/capabilities`;
  await rm(cache, { recursive: true });
  await writeFile(cache, 'not a directory');

  await expect(host[Symbol.asyncDispose]()).rejects.toThrow(cache);

  expect([directory, host.network.storagePath, `/proc/${pid}`].map((path) => existsSync(path))).toEqual([
    false,
    false,
    false,
  ]);
});

it('a second host of the same name is refused', async () => {
  await using network = await startNetwork();
  await network.reserve('twin');

  await expect(network.reserve('twin')).rejects.toThrow('name: the network has a host twin already');
});

/** Whether a TCP connection comes about. A host that is cut off refuses nothing: it keeps silent. */
async function reach(host: BedHost): Promise<'connected' | 'refused' | 'no answer'> {
  return new Promise((resolve) => {
    const socket = connect({ host: host.address, port: 16_509, timeout: 1_000 });
    const settle = (outcome: 'connected' | 'refused' | 'no answer'): void => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once('connect', () => settle('connected'));
    socket.once('timeout', () => settle('no answer'));
    socket.once('error', (error) => settle(error.message.includes('ECONNREFUSED') ? 'refused' : 'no answer'));
  });
}

async function capabilities(host: BedHost): Promise<{ readonly uuid: string | undefined; readonly text: string }> {
  const text = await host.exec(['virsh', 'capabilities']);
  return { text, uuid: /<uuid>(.+?)<\/uuid>/.exec(text)?.[1] };
}

async function guests(host: BedHost): Promise<readonly string[]> {
  return (await host.exec(['virsh', 'list', '--name'])).split('\n').filter((name) => name !== '');
}

async function create(host: BedHost, xml: string): Promise<void> {
  await host.exec(['virsh', 'create', await saveXml(host, xml)]);
}

async function define(host: BedHost, xml: string): Promise<void> {
  await host.exec(['virsh', 'define', await saveXml(host, xml)]);
}

async function saveXml(host: BedHost, xml: string): Promise<string> {
  const file = `${host.network.storagePath}/domain.xml`;
  await writeFile(file, xml);
  return file;
}
