import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtempDisposable, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { LibvirtDaemonError } from './error.ts';
import { startLibvirtd } from './start-libvirtd.ts';

const run = promisify(execFile);

describe('a libvirtd of our own', () => {
  it('answers by TCP and by its socket under the name it was given', async () => {
    await using directory = await workDirectory();
    await using daemon = await startLibvirtd({ directory: directory.path, drivers: 'test', hostname: 'hv-a' });

    expect(daemon.uri).toBe(`test+tcp://127.0.0.1:${daemon.port}/default`);
    expect(await virsh(daemon.uri, 'hostname')).toBe('hv-a');
    expect(await virsh(`test+unix:///default?socket=${daemon.socketPath}`, 'hostname')).toBe('hv-a');
  });

  it('finds its own name without asking a name server', async () => {
    await using directory = await workDirectory();
    await using daemon = await startLibvirtd({ directory: directory.path, drivers: 'test', hostname: 'hv-a' });
    const lookUp = ['getent', '--service', 'files', 'ahosts', 'hv-a'];

    const { stdout } = await run('nsenter', ['--target', String(daemon.namespacePid), '--mount', '--root', ...lookUp]);

    expect(stdout).toMatch(/^127\.0\.1\.1 +STREAM hv-a$/m);
  });

  it('loads the QEMU driver, even on a machine without its account', async () => {
    await using directory = await workDirectory();
    await using daemon = await startLibvirtd({
      directory: directory.path,
      hostUuid: '00000000-0000-4000-8000-00000000000a',
      tcp: false,
    });

    expect(daemon.port).toBeUndefined();
    expect(daemon.uri).toContain('qemu+unix:///system?socket=');
    expect(await virsh(daemon.uri, 'capabilities')).toContain('<uuid>00000000-0000-4000-8000-00000000000a</uuid>');
  });

  it('leaves the directories of the operating system alone', async () => {
    await using directory = await workDirectory();
    const before = await listRunDirectory();
    await using daemon = await startLibvirtd({ directory: directory.path, drivers: 'test' });

    expect(existsSync(`${directory.path}/run/libvirtd.pid`)).toBe(true);
    expect(await listRunDirectory()).toEqual(before);
    expect(await readlink(`/proc/${daemon.pid}/ns/mnt`)).not.toBe(await readlink('/proc/self/ns/mnt'));
  });

  it('comes back on the same port after it was killed', async () => {
    await using directory = await workDirectory();
    await using daemon = await startLibvirtd({ directory: directory.path, drivers: 'test' });
    const before = daemon.pid;

    daemon.kill('SIGKILL');
    await daemon.exited();

    expect(daemon.pid).toBeUndefined();
    expect(() => daemon.kill('SIGTERM')).toThrow(expect.objectContaining({ code: 'not-running' }));

    await daemon.restart();

    expect(daemon.pid).not.toBe(before);
    expect(await virsh(daemon.uri, 'list')).toContain('test');
  });

  it('keeps guests running while it restarts, and finds them again', async () => {
    await using directory = await workDirectory();
    await using daemon = await startLibvirtd({ directory: directory.path });
    const file = `${directory.path}/guest.xml`;
    await writeFile(file, EMPTY_GUEST);
    await virsh(daemon.uri, 'create', file);
    const guest = await processIn(daemon.namespacePid, 'qemu-system-x86');

    daemon.kill('SIGKILL');
    await daemon.restart();

    expect(await virsh(daemon.uri, 'domstate', 'empty')).toBe('running');
    expect(existsSync(`/proc/${guest}`)).toBe(true);

    await daemon.stop();

    expect(existsSync(`/proc/${guest}`)).toBe(false);
  });

  it('ends a daemon that does not hear', async () => {
    await using directory = await workDirectory();
    const daemon = await startLibvirtd({ directory: directory.path, drivers: 'test' });
    const { pid, namespacePid } = daemon;

    daemon.kill('SIGSTOP');
    await daemon.crash();

    expect(daemon.hasEnded).toBe(true);
    expect([pid, namespacePid].map((each) => existsSync(`/proc/${each}`))).toEqual([false, false]);
    await expect(daemon.restart()).rejects.toMatchObject({ code: 'ended' });
  });

  it('may have a network of its own', async () => {
    await using directory = await workDirectory();
    await using daemon = await startLibvirtd({ directory: directory.path, drivers: 'test', ownNetwork: true, prepare });

    expect(await readlink(`/proc/${daemon.pid}/ns/net`)).not.toBe(await readlink('/proc/self/ns/net'));
    expect(await virsh(`test+unix:///default?socket=${daemon.socketPath}`, 'hostname')).not.toBe('');
  });

  it('shows other files in the place of the real ones', async () => {
    await using directory = await workDirectory();
    const source = `${directory.path}/issue`;
    await writeFile(source, 'mounted');
    const bindMounts = [{ source, target: '/etc/issue' }];
    await using daemon = await startLibvirtd({ directory: directory.path, drivers: 'test', bindMounts });

    expect(await readFile(`/proc/${daemon.pid}/root/etc/issue`, 'utf8')).toBe('mounted');
    expect(await readFile('/etc/issue', 'utf8')).not.toBe('mounted');
  });
});

describe('a libvirtd that cannot start', () => {
  it('says that its port is taken', async () => {
    await using directory = await workDirectory();
    await using taken = await listen();

    const started = startLibvirtd({ directory: directory.path, drivers: 'test', tcp: { port: taken.port } });

    await expect(started).rejects.toMatchObject({ code: 'port-in-use', log: expect.stringContaining('in use') });
  });

  it('refuses a directory in which another one lives', async () => {
    await using directory = await workDirectory();
    await using daemon = await startLibvirtd({ directory: directory.path, drivers: 'test' });

    const second = startLibvirtd({ directory: directory.path, drivers: 'test' });

    await expect(second).rejects.toMatchObject({ code: 'directory-in-use' });
    expect(await virsh(daemon.uri, 'list')).toContain('test');
  });

  it('leaves a directory to the first of two that start in it at once', async () => {
    await using directory = await workDirectory();
    await using daemons = new AsyncDisposableStack();

    const starts = await Promise.allSettled(
      [1, 2, 3].map(async () => daemons.use(await startLibvirtd({ directory: directory.path, drivers: 'test' }))),
    );

    const refusals = starts.filter((start) => start.status === 'rejected');
    expect(refusals.map(({ reason }) => reason as unknown)).toMatchObject([
      { code: 'directory-in-use' },
      { code: 'directory-in-use' },
    ]);
  });

  it('shows what libvirtd had to say about its configuration', async () => {
    await using directory = await workDirectory();

    const started = startLibvirtd({ directory: directory.path, tcp: false, qemu: { user: ['not', 'a', 'user'] } });

    await expect(started).rejects.toMatchObject({ code: 'start-failed', log: expect.stringContaining('user') });
  });

  it('names the mount that failed', async () => {
    await using directory = await workDirectory();
    const bindMounts = [{ source: '/etc/hosts', target: '/nonexistent/file' }];

    const started = startLibvirtd({ directory: directory.path, drivers: 'test', bindMounts });

    await expect(started).rejects.toMatchObject({
      message: expect.stringContaining('mounting /etc/hosts over /nonexistent/file failed'),
      log: expect.stringContaining('mount: /nonexistent/file'),
    });
  });

  it('is given up when the caller wants it no more, and leaves nothing', async () => {
    await using directory = await workDirectory();
    const giveUp = new AbortController();
    let namespacePid = 0;

    const started = startLibvirtd({
      directory: directory.path,
      drivers: 'test',
      signal: giveUp.signal,
      prepare: async (pid) => {
        namespacePid = pid;
        giveUp.abort();
        return Promise.resolve();
      },
    });

    await expect(started).rejects.toMatchObject({ code: 'aborted' });
    expect(existsSync(`/proc/${namespacePid}`)).toBe(false);
  });

  it('is given up when it takes too long', async () => {
    await using directory = await workDirectory();

    const started = startLibvirtd({ directory: directory.path, drivers: 'test', startTimeoutMs: 1 });

    await expect(started).rejects.toMatchObject({ code: 'start-timeout' });
  });

  it('passes on what went wrong while its network was prepared', async () => {
    await using directory = await workDirectory();
    const cause = new LibvirtDaemonError('start-failed', 'no network today');

    const started = startLibvirtd({ directory: directory.path, drivers: 'test', prepare: () => Promise.reject(cause) });

    await expect(started).rejects.toBe(cause);
  });
});

const EMPTY_GUEST = `<domain type='qemu'><name>empty</name><memory unit='MiB'>16</memory>
<os><type arch='x86_64' machine='pc'>hvm</type></os>
<devices><controller type='usb' model='none'/><memballoon model='none'/></devices></domain>`;

async function workDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  return mkdtempDisposable('/tmp/libvirtd-');
}

async function listRunDirectory(): Promise<readonly string[]> {
  return existsSync('/run/libvirt') ? readdir('/run/libvirt') : [];
}

async function virsh(uri: string, ...parameters: string[]): Promise<string> {
  return (await run('virsh', ['--connect', uri, ...parameters])).stdout.trim();
}

async function prepare(namespacePid: number): Promise<void> {
  await run('nsenter', ['--target', String(namespacePid), '--net', 'ip', 'link', 'set', 'lo', 'up']);
}

async function processIn(namespacePid: number, name: string): Promise<number> {
  const { stdout } = await run('pgrep', ['--ns', String(namespacePid), '--nslist', 'pid', name]);
  return Number(stdout.trim());
}

async function listen(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
