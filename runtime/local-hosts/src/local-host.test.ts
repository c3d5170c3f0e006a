import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runProgram } from '@smalt/libvirt-daemon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { LocalHost } from './local-host.ts';
import { openLocalNetwork, removeLocalNetwork, type LocalNetwork } from './local-network.ts';

const NOBODY = 65_534;
const COMMAND = ['sleep', '86400'];
/** As on a busy machine: whom pid 1 has killed is gone before it does anything else. */
const SLOW_AFTER_KILL = { 'BASH_FUNC_kill%%': '() { command kill "$@" && command sleep 0.3; }' };
const NSENTER = { name: 'nsenter', debianPackage: 'util-linux' } as const;

// Two hosts live through all of it in this order; nothing can be tried again.
describe('a local host', { timeout: 30_000, retry: 0 }, () => {
  let directory: string;
  let network: LocalNetwork;
  let hosts: readonly [LocalHost, LocalHost];
  let server: Server;
  let port: number;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'smalt-hosts-'));
    server = createServer((socket) => socket.end('hello'));
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    port = Number(Object(server.address()).port);
    network = await openLocalNetwork({ directory, ports: [port] });
    hosts = [host(1), host(2, SLOW_AFTER_KILL)];
    await Promise.all(hosts.map((each) => each.powerOn()));
  }, 30_000);

  afterAll(async () => {
    await Promise.all(hosts.map((each) => each.stop()));
    await removeLocalNetwork(directory);
    server.close();
    await rm(directory, { recursive: true });
  }, 30_000);

  it('has a name, processes and an address of its own, and runs what it was told to', async () => {
    await mainOf(hosts[0]);

    expect(await inside(hosts[0], ['hostname'])).toBe('hv1\n');
    expect(await inside(hosts[0], ['ps', '-o', 'args=', '-p', '1'])).toMatch(/host hv1 /);
    expect(await inside(hosts[0], ['ps', '-eo', 'args='])).toMatch(/^sleep 86400$/m);
    expect(await inside(hosts[0], ['ip', '-brief', 'address', 'show', 'eth0'])).toContain(`${hosts[0].address}/24`);
  });

  it('reaches its neighbour, and of this machine what it is let to', async () => {
    const [one, two] = hosts;

    expect(await knock(one, two.address)).toContain('Connection refused');
    expect(await talk(one, network.address, port)).toBe('hello');
    expect(await talk(one, network.address, port + 1)).toBe('');
  });

  it('is out of reach for users of this machine, and for what they run', async () => {
    expect(await dial({ uid: 0, address: network.address, port })).toBe('hello');
    expect(await dial({ uid: NOBODY, address: network.address, port })).toBe('');
    expect(await dial({ uid: NOBODY, address: '127.0.0.1', port })).toBe('hello');
  });

  it('is found again by whoever comes later, and begins what has ended once more', async () => {
    const again = host(1);
    const [before, first] = [await hosts[0].pid(), await mainOf(hosts[0])];

    process.kill(Number(first), 'SIGKILL');
    await mainOf(again, first);

    expect(await again.pid()).toBe(before);
    expect(await readFile(join(directory, 'hv1/host.log'), 'utf8')).toContain('has ended with 137');
  });

  it('begins what it runs anew when it is told to', async () => {
    const [before, first] = [await hosts[0].pid(), await mainOf(hosts[0])];

    await hosts[0].restart();
    await mainOf(hosts[0], first);

    expect(await hosts[0].pid()).toBe(before);
    expect(await readFile(join(directory, 'hv1/host.log'), 'utf8')).toContain('has ended with 143');
  });

  it('knows how what it runs has ended, also where that was gone before it looked', async () => {
    const first = await mainOf(hosts[1]);

    await hosts[1].restart();
    await mainOf(hosts[1], first);

    expect(await readFile(join(directory, 'hv2/host.log'), 'utf8')).toMatch(/^what the host runs has ended with 143,/);
  });

  it('passes what is mounted in it on to what has mounts of its own there, as libvirt has', async () => {
    const place = join(directory, 'mounts');

    expect(await inside(hosts[0], ['timeout', '10', 'bash', '-c', MOUNT_LATER, 'later', place])).toBe('seen\n');
  });

  it('is cut off while it runs, and healed', async () => {
    const [one, two] = hosts;

    await one.cut();
    const isCut = await one.isCut();
    const lost = await knock(two, one.address);
    await one.heal();

    expect({ isCut, isOn: await one.isOn() }).toEqual({ isCut: true, isOn: true });
    expect(lost).not.toContain('Connection refused');
    expect(await knock(two, one.address)).toContain('Connection refused');
  });

  it('loses everything at once with its power, stays off, and comes back in another boot', async () => {
    const [one] = hosts;
    const [boot, main] = [await one.bootId(), await mainOf(one)];

    await one.powerOff();
    const off = { isOn: await one.isOn(), isSwitchedOff: await host(1).isSwitchedOff(), pid: await one.pid() };
    await expect(one.cut()).rejects.toMatchObject({ code: 'ended' });
    await one.powerOn();

    expect(off).toEqual({ isOn: false, isSwitchedOff: true, pid: undefined });
    expect(await inside(one, ['cat', '/proc/sys/kernel/random/boot_id'])).toBe(`${await one.bootId()}\n`);
    expect(await one.bootId()).not.toBe(boot);
    expect(await one.isSwitchedOff()).toBe(false);
    await mainOf(one, main);
  });

  it('counts as off for nobody who cannot tell', async () => {
    const path = join(directory, 'hv2/host.json');
    const record = await readFile(path, 'utf8');

    await writeFile(path, record.slice(0, 10));
    const answer = hosts[1].isOn();
    await expect(answer).rejects.toMatchObject({ code: 'unclear' });
    await expect(hosts[1].powerOff()).rejects.toMatchObject({ code: 'unclear' });
    await writeFile(path, record);

    expect(await hosts[1].isOn()).toBe(true);
    await hosts[1].powerOn();
  });

  function host(number: number, environment: Readonly<Record<string, string>> = {}): LocalHost {
    return new LocalHost({
      name: `hv${number}`,
      number,
      network,
      directory: join(directory, `hv${number}`),
      bindMounts: [],
      command: COMMAND,
      environment,
      cgroupRoot: `/${network.bridge}/hv${number}`,
    });
  }
});

it('says what a host that did not boot said last', { timeout: 30_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'smalt-hosts-'));
  const network = await openLocalNetwork({ directory, ports: [1] });
  const missing = { source: join(directory, 'missing'), target: '/mnt' };
  const options = { name: 'hv1', number: 1, network, directory: join(directory, 'hv1'), environment: {} };
  const host = new LocalHost({ ...options, bindMounts: [missing], command: ['true'], cgroupRoot: '/none' });

  const booted = await host.powerOn().catch((error: unknown) => error);
  await removeLocalNetwork(directory);
  await rm(directory, { recursive: true });

  expect(booted).toMatchObject({
    code: 'start-failed',
    message: expect.stringMatching(/^hv1 did not boot \(1\): mounting .*missing over \/mnt failed$/),
  });
});

/** What a program prints inside a host. */
async function inside(host: LocalHost, command: readonly string[]): Promise<string> {
  const namespaces = ['--mount', '--uts', '--ipc', '--net', '--pid'];
  return (
    await runProgram(NSENTER, ['--target', String(await host.pid()), ...namespaces, '--', ...command])
  ).toString();
}

/** The process of what a host runs, as seen from here, once there is one, and that is not this. */
async function mainOf(host: LocalHost, before = ''): Promise<string> {
  let main = '';
  const look = async (): Promise<boolean> => ['', before].includes((main = await mainNow(host)));
  await expect.poll(look, { timeout: 10_000 }).toBe(false);
  return main;
}

async function mainNow(host: LocalHost): Promise<string> {
  const pid = await host.pid();
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  const lines = await Promise.all(children.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')));
  // Until a child of pid 1 becomes what it shall be, it has the words of pid 1, and ours among them.
  return children.find((_, index) => lines[index] === `${COMMAND.join('\0')}\0`) ?? '';
}

const DIAL = 'exec 3<>"/dev/tcp/$1/$2" && timeout 2 cat <&3';

/** Mounts something once another process has mounts of its own, and has that look. */
const MOUNT_LATER = `
mkdir "$1" "$1/source" "$1/place" && mkfifo "$1/up" "$1/go" && echo seen >"$1/source/file"
look='echo >"$1/up"; read -r _ <"$1/go"; cat "$1/place/file"'
unshare --mount --propagation slave bash -c "$look" look "$1" &
read -r _ <"$1/up"
mount --bind "$1/source" "$1/place"
echo >"$1/go"
wait
umount "$1/place"
`;

/** What becomes of a connection to a port that nobody listens on: only who is reached refuses it. */
async function knock(host: LocalHost, address: string): Promise<string> {
  return await inside(host, ['bash', '-c', `timeout 2 bash -c '${DIAL}' dial "$@" 2>&1; true`, 'knock', address, '9']);
}

async function talk(host: LocalHost, address: string, port: number): Promise<string> {
  return await inside(host, ['timeout', '1', 'bash', '-c', DIAL, 'dial', address, String(port)]).catch(() => '');
}

async function dial({ uid, address, port }: { readonly uid: number; readonly address: string; readonly port: number }) {
  const child = spawn('/bin/bash', ['-c', DIAL, 'dial', address, String(port)], { uid, cwd: '/', stdio: 'pipe' });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'close');
  return text;
}
