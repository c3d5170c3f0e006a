import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { findDaemon, type DaemonSighting } from './find-daemon.ts';

describe('findDaemon', () => {
  let owned: AsyncDisposableStack;
  let run: string;
  let proc: string;

  beforeEach(async () => {
    owned = new AsyncDisposableStack();
    const root = await mkdtemp(join(tmpdir(), 'smalt-'));
    owned.defer(() => rm(root, { recursive: true }));
    run = join(root, 'run');
    proc = join(root, 'proc');
    await mkdir(run);
    await mkdir(proc);
  });

  afterEach(async () => {
    await owned.disposeAsync();
  });

  it('finds a living daemon by its pid file', async () => {
    await pidFile('71');
    await process(71, 'ovs-vswitchd');
    await socketFile('ovs-vswitchd.71.ctl');

    expect(await find()).toEqual(running(71, 'ovs-vswitchd.71.ctl'));
  });

  it('finds the socket of the daemon with DPDK, which is named otherwise', async () => {
    await pidFile('71');
    await process(71, 'ovs-vswitchd-dp');
    await socketFile('ovs-vswitchd-dpdk.71.ctl');

    expect(await find()).toEqual(running(71, 'ovs-vswitchd-dpdk.71.ctl'));
  });

  it('takes the socket of the living one where one that was killed left its own', async () => {
    await pidFile('72');
    await process(72, 'ovs-vswitchd');
    await socketFile('ovs-vswitchd.71.ctl');
    await socketFile('ovs-vswitchd.72.ctl');

    expect(await find()).toEqual(running(72, 'ovs-vswitchd.72.ctl'));
  });

  it('finds a daemon whose main thread is named otherwise by how it was called', async () => {
    await pidFile('71');
    await process(71, 'main', { command: '/usr/sbin/ovs-vswitchd' });
    await socketFile('ovs-vswitchd.71.ctl');

    expect(await find()).toMatchObject({ kind: 'running', processId: 71 });
  });

  it('finds a daemon without a pid file by its socket', async () => {
    await process(71, 'ovs-vswitchd');
    await socketFile('ovs-vswitchd.71.ctl');

    expect(await find()).toEqual(running(71, 'ovs-vswitchd.71.ctl'));
  });

  it('says that a killed daemon is gone, though pid file and socket stay', async () => {
    await pidFile('71');
    await socketFile('ovs-vswitchd.71.ctl');

    expect(await find()).toMatchObject({
      kind: 'gone',
      processId: 71,
      why: /names process 71, which is no ovs-vswitchd/,
    });
  });

  it.each([
    { why: 'another program has its number now', name: 'postgres', state: 'S (sleeping)' },
    { why: 'it ended and nobody collected it', name: 'ovs-vswitchd', state: 'Z (zombie)' },
  ])('says that it is gone when $why', async ({ name, state }) => {
    await pidFile('71');
    await process(71, name, { state });
    await socketFile('ovs-vswitchd.71.ctl');

    expect(await find()).toMatchObject({ kind: 'gone', processId: 71 });
  });

  it('says that a daemon whose socket was taken away cannot be talked to', async () => {
    await pidFile('71');
    await process(71, 'ovs-vswitchd');

    expect(await find()).toMatchObject({ kind: 'gone', why: 'process 71 runs, but its control socket is missing' });
  });

  it('says that there never was one where there is no trace', async () => {
    await socketFile('ovsdb-server.70.ctl');

    expect(await find()).toEqual({ kind: 'absent' });
    expect(await find([join(run, 'nowhere')])).toEqual({ kind: 'absent' });
  });

  it('says that a socket is left over where there is nothing else', async () => {
    await socketFile('ovs-vswitchd.71.ctl');

    expect(await find()).toMatchObject({ kind: 'gone', why: /ovs-vswitchd\.71\.ctl is left, nobody listens there/ });
  });

  it('trusts a socket that is served where the processes of the daemon cannot be seen', async () => {
    await pidFile('71');
    await process(71, 'pause');
    await listenOn('ovs-vswitchd.71.ctl');

    expect(await find()).toEqual({ ...running(71, 'ovs-vswitchd.71.ctl'), isProcessSeen: false });
  });

  it('gives the number that a daemon in a namespace of its own has outside', async () => {
    await pidFile('17');
    await process(4711, 'ovs-vswitchd', { namespaceIds: '4711\t17' });
    await process(4712, 'ovs-vswitchd', { namespaceIds: '4712\t18' });
    await listenOn('ovs-vswitchd.17.ctl');

    expect(await find()).toEqual({ ...running(4711, 'ovs-vswitchd.17.ctl'), isProcessSeen: true });
  });

  it('stops looking when the caller does not want to know any more', async () => {
    await pidFile('71');
    await listenOn('ovs-vswitchd.71.ctl');
    const looking = findDaemon({ name: 'ovs-vswitchd', directories: [run], proc }, AbortSignal.abort());

    await expect(looking).rejects.toMatchObject({ code: 'aborted' });
  });

  it.each(['', 'not a number', '-5', '0'])('does not trust a pid file that says %j', async (text) => {
    await pidFile(text);

    expect(await find()).toEqual({ kind: 'absent' });
  });

  it('looks in all directories, and once where two are the same', async () => {
    const other = join(run, 'other');
    await mkdir(other);
    await symlink(other, join(run, 'link'));
    await pidFile('70');
    await process(71, 'ovs-vswitchd');
    await writeFile(join(other, 'ovs-vswitchd.pid'), '71\n');
    await writeFile(join(other, 'ovs-vswitchd.71.ctl'), '');

    const sighting = await find([run, join(run, 'link'), other]);

    expect(sighting).toEqual({ ...running(71, ''), socket: join(other, 'ovs-vswitchd.71.ctl') });
  });

  function find(directories = [run]): Promise<DaemonSighting> {
    return findDaemon({ name: 'ovs-vswitchd', directories, proc });
  }

  function running(processId: number, file: string): DaemonSighting {
    return { kind: 'running', processId, socket: join(run, file), isProcessSeen: true };
  }

  async function pidFile(text: string): Promise<void> {
    await writeFile(join(run, 'ovs-vswitchd.pid'), `${text}\n`);
  }

  async function socketFile(name: string): Promise<void> {
    await writeFile(join(run, name), '');
  }

  async function listenOn(name: string): Promise<void> {
    const server = createServer((socket) => socket.destroy()).listen(join(run, name));
    await once(server, 'listening');
    owned.defer(async () => {
      server.close();
      await once(server, 'close');
    });
  }

  interface ProcessTraits {
    readonly state?: string;
    readonly command?: string;
    readonly namespaceIds?: string;
  }

  async function process(id: number, name: string, traits: ProcessTraits = {}): Promise<void> {
    const { state = 'S (sleeping)', command = name, namespaceIds = String(id) } = traits;
    await mkdir(join(proc, String(id)));
    await writeFile(join(proc, String(id), 'status'), `Name:\t${name}\nState:\t${state}\nNSpid:\t${namespaceIds}\n`);
    await writeFile(join(proc, String(id), 'cmdline'), `${command}\0unix:/run/db.sock\0`);
  }
});
