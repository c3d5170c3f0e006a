import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { lendCapabilities } from '@smalt/bed-libvirt';
import { describe, expect, it } from 'vitest';

import { readDaemonRecord, recordPathIn } from './daemon-record.ts';
import { openDetachedLibvirtd } from './detached-libvirtd.ts';
import type { DetachedLibvirtd } from './detached-libvirtd.ts';
import { keepRunning } from './keep-running.ts';
import { currentBootId } from './process-mark.ts';
import { signalProcess } from './signal-process.ts';
import { startLibvirtd } from './start-libvirtd.ts';

const run = promisify(execFile);

describe('a detached libvirtd', { timeout: 60_000 }, () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('outlives its starter after %s, and the next adopts it', async (signal) => {
    await using place = await detachedPlace();
    await using starter = startStarter(place.path);
    await starter.ready;
    const pid = (await readDaemonRecord(place.path))?.pid;
    const guest = await startGuest(place.path);

    await starter.end(signal);
    const next = await openDetachedLibvirtd({ directory: place.path });

    expect(next.pid).toBe(pid);
    expect(await programOf(guest)).toContain('qemu-system');
    expect(await virsh(next, 'domstate', 'empty')).toBe('running');
  });

  it('is started anew when it is dead, and finds its guests again', async () => {
    await using place = await detachedPlace();
    const first = await openDetachedLibvirtd({ directory: place.path });
    const guest = await startGuest(place.path);

    process.kill(first.pid, 'SIGKILL');
    await first.exited(AbortSignal.timeout(5_000));
    const next = await openDetachedLibvirtd({ directory: place.path });

    expect(next.pid).not.toBe(first.pid);
    expect(await programOf(guest)).toContain('qemu-system');
    expect(await virsh(next, 'domstate', 'empty')).toBe('running');
  });

  it('is ended by whoever asks for it, and its guests run on', async () => {
    await using place = await detachedPlace();
    const daemon = await openDetachedLibvirtd({ directory: place.path });
    const guest = await startGuest(place.path);

    await daemon.stop();
    await daemon.stop();

    expect(existsSync(`/proc/${daemon.pid}`)).toBe(false);
    expect(await programOf(guest)).toContain('qemu-system');
  });

  it('takes no guest along when it keeps dying', async () => {
    await using place = await detachedPlace();
    await openDetachedLibvirtd({ directory: place.path });
    const guest = await startGuest(place.path);
    const broken = await openDetachedLibvirtd({ directory: place.path, qemu: { user: ['not', 'a', 'user'] } });
    const options = { onDeath: () => undefined, delay: () => Promise.resolve() };

    process.kill(broken.pid, 'SIGKILL');

    await expect(keepRunning(broken, options, AbortSignal.timeout(30_000))).rejects.toMatchObject({
      code: 'keeps-dying',
      log: expect.stringContaining('user'),
    });
    expect(await programOf(guest)).toContain('qemu-system');
    const mended = await openDetachedLibvirtd({ directory: place.path });
    expect(await virsh(mended, 'domstate', 'empty')).toBe('running');
  });

  it('shares nothing with its starter that would end it, and leaves the machine as it was', async () => {
    await using place = await detachedPlace();
    const daemon = await openDetachedLibvirtd({ directory: place.path, drivers: 'test' });
    const fields = (await readFile(`/proc/${daemon.pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
    const [, , group, session] = fields;

    expect({ group, session }).toEqual({ group: String(daemon.pid), session: String(daemon.pid) });
    expect(await readFile('/proc/self/mountinfo', 'utf8')).not.toContain(place.path);
    expect(await readFile(`/proc/${daemon.pid}/mountinfo`, 'utf8')).toContain(`${place.path}/run /run/libvirt`);
  });
});

describe('the directory of a detached libvirtd', { timeout: 30_000 }, () => {
  it('lets nobody but its owner in', async () => {
    await using place = await detachedPlace(0o755);
    await openDetachedLibvirtd({ directory: place.path, drivers: 'test' });

    expect((await stat(place.path)).mode & 0o777).toBe(0o700);
    expect((await stat(recordPathIn(place.path))).mode & 0o777).toBe(0o600);
  });

  it('has one libvirtd, however many ask for it at once', async () => {
    await using place = await detachedPlace();
    const open = (): Promise<DetachedLibvirtd> => openDetachedLibvirtd({ directory: place.path, drivers: 'test' });

    const daemons = await Promise.all([open(), open(), open()]);

    expect(new Set(daemons.map(({ pid }) => pid)).size).toBe(1);
  });

  it('may name the number of another process by now, which is never taken for libvirtd', async () => {
    await using place = await detachedPlace();
    const bootId = await currentBootId();
    await writeFile(
      recordPathIn(place.path),
      JSON.stringify({ pid: process.pid, startTicks: '1', bootId, uri: 'test+unix:///default?socket=%2Fwrong' }),
    );

    const daemon = await openDetachedLibvirtd({ directory: place.path, drivers: 'test' });

    expect(daemon.pid).not.toBe(process.pid);
    expect(await virsh(daemon, 'list')).toContain('test');
  });

  it.each([
    { name: 'of this boot is kept', bootId: currentBootId, isThere: true },
    { name: 'of another boot goes', bootId: () => Promise.resolve('another'), isThere: false },
  ])('holds signs of guests: what is $name', async ({ bootId, isThere }) => {
    await using place = await detachedPlace();
    const record = { pid: 4_194_000, startTicks: '1', bootId: await bootId(), uri: 'test+unix:///default' };
    await writeFile(recordPathIn(place.path), JSON.stringify(record));
    await mkdir(`${place.path}/run/qemu`, { recursive: true });
    await writeFile(`${place.path}/run/qemu/sign`, '');

    await openDetachedLibvirtd({ directory: place.path, drivers: 'test' });

    expect(existsSync(`${place.path}/run/qemu/sign`)).toBe(isThere);
  });

  it('is not taken from a libvirtd that has an owner', async () => {
    await using place = await detachedPlace();
    await using owned = await startLibvirtd({ directory: place.path, drivers: 'test' });

    const opened = openDetachedLibvirtd({ directory: place.path, drivers: 'test', startTimeoutMs: 500 });

    await expect(opened).rejects.toMatchObject({ code: 'directory-in-use' });
    expect(owned.hasEnded).toBe(false);
  });
});

describe('opening a detached libvirtd', { timeout: 30_000 }, () => {
  it('waits for one that does not answer as long as it may, and leaves it alone', async () => {
    await using place = await detachedPlace();
    const first = await openDetachedLibvirtd({ directory: place.path, drivers: 'test' });
    process.kill(first.pid, 'SIGSTOP');

    const next = await openDetachedLibvirtd({ directory: place.path, drivers: 'test', startTimeoutMs: 300 });

    expect(next.pid).toBe(first.pid);
    expect(existsSync(`/proc/${first.pid}`)).toBe(true);
  });

  it('shows what libvirtd had to say when it cannot start', async () => {
    await using place = await detachedPlace();

    const opened = openDetachedLibvirtd({ directory: place.path, qemu: { user: ['not', 'a', 'user'] } });

    await expect(opened).rejects.toMatchObject({ code: 'start-failed', log: expect.stringContaining('user') });
  });

  it('is given up when the caller wants it no more', async () => {
    await using place = await detachedPlace();

    const opened = openDetachedLibvirtd({ directory: place.path, drivers: 'test', signal: AbortSignal.abort() });

    await expect(opened).rejects.toMatchObject({ code: 'aborted' });
    expect(existsSync(recordPathIn(place.path))).toBe(false);
  });
});

const EMPTY_GUEST = `<domain type='qemu'><name>empty</name><memory unit='MiB'>16</memory>
<os><type arch='x86_64' machine='pc'>hvm</type></os>
<devices><controller type='usb' model='none'/><memballoon model='none'/></devices></domain>`;

/** A directory; when it is disposed of, every process ends that its mounts show it to: libvirtd, guests, probes. */
async function detachedPlace(mode = 0o700): Promise<AsyncDisposable & { readonly path: string }> {
  const directory = await mkdtempDisposable('/tmp/detached-');
  const path = `${directory.path}/d`;
  await mkdir(path, { mode });
  await lendCapabilities(path);
  const endAll = async (): Promise<readonly number[]> => {
    const pids = await processesWith(path);
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
    return pids;
  };
  const dispose = async (): Promise<void> => {
    await expect.poll(endAll, { timeout: 10_000 }).toEqual([]);
    await directory.remove();
  };
  return { path, [Symbol.asyncDispose]: dispose };
}

async function processesWith(directory: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  // Processes come and go while we look.
  const mounts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => '')));
  return pids.filter((_, index) => mounts[index]?.includes(`${directory}/`) === true);
}

/** Beside those of guests there is `driver.pid`, which is that of libvirtd. */
async function guestPids(directory: string): Promise<readonly number[]> {
  const names = await readdir(`${directory}/run/qemu`).catch(() => []);
  const files = names
    .filter((name) => name.endsWith('.pid') && name !== 'driver.pid')
    .map((name) => `${directory}/run/qemu/${name}`);
  return await Promise.all(files.map(async (file) => Number(await readFile(file, 'utf8'))));
}

async function programOf(pid: number): Promise<string> {
  return await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'gone');
}

async function startGuest(directory: string): Promise<number> {
  const daemon = await openDetachedLibvirtd({ directory });
  await writeFile(`${directory}/guest.xml`, EMPTY_GUEST);
  await virsh(daemon, 'create', `${directory}/guest.xml`);
  const [pid = 0] = await guestPids(directory);
  return pid;
}

async function virsh(daemon: DetachedLibvirtd, ...parameters: string[]): Promise<string> {
  return (await run('virsh', ['--connect', daemon.uri, ...parameters])).stdout.trim();
}

interface Starter extends AsyncDisposable {
  /** Resolves once it has its libvirtd. */
  readonly ready: Promise<unknown>;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** A process that opens a detached libvirtd and then only waits. */
function startStarter(directory: string): Starter {
  const code = `import { openDetachedLibvirtd } from ${JSON.stringify(`${import.meta.dirname}/index.ts`)};
    await openDetachedLibvirtd({ directory: ${JSON.stringify(directory)} });
    console.log('ready');
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await closed;
  };
  return { ready: once(child.stdout, 'data'), end, [Symbol.asyncDispose]: () => end('SIGKILL') };
}
