import { mkdir, mkdtempDisposable, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { connect as connectTls } from 'node:tls';

import { startSystemd, type SystemdMachine } from '@smalt/bed-systemd';
import { startLibvirtd, type Libvirtd } from '@smalt/libvirt-daemon';
import { connect } from '@smalt/libvirt';
import { openSystemd } from '@smalt/systemd';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { endManagedDaemon } from '../fixtures/end-managed-daemon.ts';
import { decode, startCertificateBed, type CertificateBed, type CertificateNode } from './fixtures/certificate-bed.ts';
import { secretKind } from './secret.ts';

const READY = 'TLS certificate is ready and updated';

let bed: CertificateBed;
let node: CertificateNode;

beforeAll(async () => {
  bed = await startCertificateBed();
});
afterAll(() => bed[Symbol.asyncDispose]());
beforeEach(async () => {
  node = await bed.newNode();
});

describe('a real libvirtd', () => {
  it('shows the new certificate to whoever connects, while connections that are there live on', async () => {
    const first = await node.issue({ names: [`DNS:${node.name}`, 'IP:127.0.0.1'] });
    await node.putSecret(first);
    await using part = await node.start();
    await node.until('FailedToStartUpdateTLSService');
    await using home = await mkdtempDisposable(join(tmpdir(), 'smalt-tls-'));
    await using libvirtd = await startTlsDaemon(home.path);
    await using _part = await node.start({ adminDirectory: join(libvirtd.directory, 'run') }, part);
    await node.until('Ready');
    const before = await shownBy(libvirtd);
    await using connection = await connect(libvirtd.uri);

    const second = await node.issue({ names: [`DNS:${node.name}`, 'IP:127.0.0.1'] });
    await node.putSecret(second);

    expect(before).toBe(decode(first['tls.crt']));
    await expect.poll(() => shownBy(libvirtd), { timeout: 10_000 }).toBe(decode(second['tls.crt']));
    expect(await connection.connectNumOfDomains()).toBe(1);
    const { tlsPort } = libvirtd;
    await using fresh = await connect(`test+tls://127.0.0.1:${tlsPort}/default?pkipath=${home.path}/pki`);
    expect(await fresh.connectGetType()).toBe('TEST');
  });
});

describe('a bus that is of no use', () => {
  it.each([
    { title: 'refuses everything', etc: denying() },
    { title: 'lets units be seen, but not started', etc: denying('StartUnit') },
    { title: 'is gone', etc: {} },
  ])('that $title leaves the admin socket, by which the daemon is told, and a line says so', async ({ title, etc }) => {
    const first = await node.issue({ names: [`DNS:${node.name}`, 'IP:127.0.0.1'] });
    await node.putSecret(first);
    await using part = await node.start();
    await node.until('FailedToStartUpdateTLSService');
    await using home = await mkdtempDisposable(join(tmpdir(), 'smalt-tls-'));
    await using libvirtd = await startTlsDaemon(home.path);
    await using machine = await startSystemd({ units: { ...IDLE_DAEMON, ...UPDATE }, etc });
    await machine.systemctl(['start', 'libvirtd.service']);
    await using systemd = await openSystemd({ busPath: machine.busPath });
    if (title === 'is gone') await machine[Symbol.asyncDispose]();
    const second = await node.issue({ names: [`DNS:${node.name}`, 'IP:127.0.0.1'] });
    await node.putSecret(second);

    await using again = await node.start({ systemd, adminDirectory: join(libvirtd.directory, 'run') }, part);
    await node.until('Ready', READY);

    expect(await shownBy(libvirtd)).toBe(decode(second['tls.crt']));
    expect(again.log.filter((line) => line.includes('told by its admin socket'))).toHaveLength(1);
  });

  it.each([
    { title: 'nobody listens at the socket', admin: {}, cause: 'restart libvirtd' },
    { title: 'there is no socket', admin: { adminDirectory: '/nowhere' }, cause: 'no admin socket in /nowhere' },
  ])('is told of together with what else went wrong, if $title', async ({ admin, cause }) => {
    await using machine = await startSystemd({ etc: denying() });
    await using systemd = await openSystemd({ busPath: machine.busPath });
    await node.putSecret(await node.issue());

    await using _part = await node.start({ systemd, ...admin });
    const { message } = await node.until('FailedToStartUpdateTLSService');

    expect(message).toMatch(/by the bus: .*rejected/i);
    expect(message).toContain(cause);
  });

  it('is told of as well where nobody listens at the socket and the unit cannot be restarted', async () => {
    await using machine = await startSystemd({ units: IDLE_DAEMON, etc: denying('RestartUnit') });
    await machine.systemctl(['start', 'libvirtd.service']);
    await using systemd = await openSystemd({ busPath: machine.busPath });
    await node.putSecret(await node.issue());

    await using _part = await node.start({ systemd });
    const { message } = await node.until('FailedToStartUpdateTLSService');

    expect(message).toMatch(/by the bus: .*rejected/i);
    expect(message).toContain('libvirt-admin-sock');
  });
});

describe('the daemon is told', () => {
  it('by the unit that is made for it, once for each certificate, and again when that failed', async () => {
    await using machine = await startSystemd({ units: { ...IDLE_DAEMON, ...UPDATE } });
    await machine.systemctl(['start', 'libvirtd.service']);
    await using systemd = await openSystemd({ busPath: machine.busPath });
    const told = join(machine.sharedDirectory, 'told');
    await writeFile(join(machine.sharedDirectory, 'verdict'), '1');
    await node.putSecret(await node.issue());
    await using part = await node.start({ systemd, checkMs: 50 });
    const failed = await node.until('FailedToStartUpdateTLSService');

    await writeFile(join(machine.sharedDirectory, 'verdict'), '0');
    const ready = await node.until('Ready');
    const calls = (await readFile(told, 'utf8')).split('\n').length - 1;
    await part[Symbol.asyncDispose]();
    await using _again = await node.start({ systemd, checkMs: 50 }, part);
    const again = await node.until('Ready', 'TLS certificate is ready and up to date');

    expect(failed.message).toContain('virt-admin-server-update-tls.service ended with failed');
    expect([ready.message, again.status]).toEqual([READY, 'True']);
    expect(calls).toBeGreaterThan(1);
    expect((await readFile(told, 'utf8')).split('\n').length - 1).toBe(calls);
  });

  it('by a restart where there is no such unit and nobody listens at its admin socket', async () => {
    await using machine = await startSystemd({ units: IDLE_DAEMON });
    await machine.systemctl(['start', 'libvirtd.service']);
    const before = await machine.systemctl(['show', '--property=MainPID', 'libvirtd.service']);
    await using systemd = await openSystemd({ busPath: machine.busPath });
    await node.putSecret(await node.issue());

    await using _part = await node.start({ systemd });
    await node.until('Ready');

    const after = await machine.systemctl(['show', '--property=MainPID,ActiveState', 'libvirtd.service']);
    expect(after).toContain('ActiveState=active');
    expect(after).not.toContain(before.trim());
  });

  it('by nobody where there is nothing to tell it by, and the condition says what to do', async () => {
    await node.putSecret(await node.issue());
    await using _part = await node.start();

    expect((await node.until('FailedToStartUpdateTLSService')).message).toContain('restart libvirtd');
  });

  it('again after a file was changed by hand, which is mended', async () => {
    await using machine = await startSystemd({ units: { ...IDLE_DAEMON, ...UPDATE } });
    await machine.systemctl(['start', 'libvirtd.service']);
    await using systemd = await openSystemd({ busPath: machine.busPath });
    await writeFile(join(machine.sharedDirectory, 'verdict'), '0');
    const data = await node.issue();
    await node.putSecret(data);
    await using _part = await node.start({ systemd, checkMs: 50 });
    await node.until('Ready');

    // One after the other: the agent may look between the two.
    await rm(join(node.directory, 'libvirt/servercert.pem'));
    await untilTold(machine, 2);
    await writeFile(join(node.directory, 'qemu/server-key.pem'), 'tampered');
    await untilTold(machine, 3);

    expect(await node.installed('libvirt/servercert.pem')).toBe(decode(data['tls.crt']));
    expect(await node.installed('qemu/server-key.pem')).toBe(decode(data['tls.key']));
    expect((await stat(join(node.directory, 'qemu/server-key.pem'))).mode & 0o777).toBe(0o600);
  });

  it('nothing where no daemon that serves TLS is installed: QEMU reads its files for each guest', async () => {
    await using machine = await startSystemd({ units: {} });
    await using systemd = await openSystemd({ busPath: machine.busPath });
    await node.putSecret(await node.issue());
    await using _part = await node.start({ systemd, adminDirectory: '/nowhere' });

    expect((await node.until('Ready')).message).toBe(READY);
  });

  it('nothing, if it says that it serves no TLS', async () => {
    await using home = await mkdtempDisposable(join(tmpdir(), 'smalt-tcp-'));
    await using libvirtd = await startLibvirtd({
      directory: home.path,
      drivers: 'test',
      hostname: 'tcp.bed',
      tcp: false,
    });
    await node.putSecret(await node.issue());
    await using _part = await node.start({ adminDirectory: join(libvirtd.directory, 'run') });

    expect((await node.until('Ready')).message).toBe(READY);
  });

  it('by no unit of the host, if the agent manages the daemon itself', async () => {
    await using machine = await startSystemd({ units: { ...IDLE_DAEMON, ...UPDATE } });
    await machine.systemctl(['start', 'libvirtd.service']);
    await using home = await mkdtempDisposable(join(tmpdir(), 'smalt-managed-'));
    await using stack = new AsyncDisposableStack();
    stack.defer(() => endManagedDaemon(home.path));
    await node.createHypervisor();
    await node.putSecret(await node.issue());

    await using _agent = await bed.fleet.startAgent({
      nodeName: node.name,
      libvirt: { kind: 'managed', directory: home.path },
      certificates: { install: true, directory: node.directory },
      busPath: machine.busPath,
    });
    await node.until('Ready', READY);

    await expect(stat(join(machine.sharedDirectory, 'told'))).rejects.toMatchObject({ code: 'ENOENT' });
    // Its qemu.conf says so, whatever accounts the host has.
    expect((await stat(join(node.directory, 'qemu/server-key.pem'))).uid).toBe(0);
  });

  it('nothing while it does not run, and nothing when only a label of the Secret changed', async () => {
    await using machine = await startSystemd({ units: IDLE_DAEMON });
    await using systemd = await openSystemd({ busPath: machine.busPath });
    const data = await node.issue();
    await node.putSecret(data);
    await using part = await node.start({ systemd });
    await node.until('Ready');

    const secrets = bed.fleet.client.resource(secretKind);
    const labelled = await secrets.patch(`tls-libvirt-${node.name}`, 'merge', { metadata: { labels: { a: 'b' } } });
    await node.untilInstalled(data, labelled.metadata.resourceVersion);

    expect(part.log.filter((line) => line.includes('installing the TLS certificate'))).toHaveLength(1);
  });

  it('stays ready when the Secret goes, and says that nothing will follow', async () => {
    await using machine = await startSystemd({ units: IDLE_DAEMON });
    await using systemd = await openSystemd({ busPath: machine.busPath });
    await node.putSecret(await node.issue());
    await using _part = await node.start({ systemd });
    await node.until('Ready');

    await bed.fleet.client.resource(secretKind).delete(`tls-libvirt-${node.name}`);
    const { status } = await node.until(
      'Ready',
      `${READY}; its Secret default/tls-libvirt-${node.name} is gone, so it will not be renewed`,
    );

    expect(status).toBe('True');
  });
});

const IDLE_DAEMON = { 'libvirtd.service': '[Service]\nExecStart=/bin/sleep infinity\n' };
const UPDATE = {
  'virt-admin-server-update-tls.service':
    "[Service]\nType=oneshot\nExecStart=/bin/sh -c 'echo told >>/run/bed/told; exit $$(cat /run/bed/verdict)'\n",
};

/** A bus that lets nobody call this method of systemd, or any of them; systemctl goes another way. */
function denying(method?: string): Record<string, string> {
  const call = method === undefined ? '' : ` send_interface="org.freedesktop.systemd1.Manager" send_member="${method}"`;
  const rule = `<deny send_destination="org.freedesktop.systemd1"${call}/>`;
  // For root by name: systemd's own policy allows it more, and what is said of users is asked later than the rest.
  const policy = `<busconfig><policy user="root">${rule}</policy></busconfig>`;
  return { 'dbus-1/system.d/denying.conf': policy };
}

async function startTlsDaemon(home: string): Promise<Libvirtd> {
  // At its start it looks for all files in one directory here.
  const pki = join(home, 'pki');
  await linkFlat(pki);
  return await startLibvirtd({
    directory: home,
    drivers: 'test',
    hostname: 'tls.bed',
    tls: { directory: pki },
    // Whatever its configuration says, libvirtd looks here when it is told to look again.
    bindMounts: [{ source: node.directory, target: '/etc/pki' }],
  });
}

async function linkFlat(pki: string): Promise<void> {
  await mkdir(pki);
  const certificates = ['CA/cacert.pem', 'libvirt/servercert.pem', 'libvirt/clientcert.pem'];
  const keys = ['libvirt/private/serverkey.pem', 'libvirt/private/clientkey.pem'];
  for (const path of [...certificates, ...keys]) await symlink(join(node.directory, path), join(pki, basename(path)));
}

/** The certificate that the daemon shows to one who connects now. */
async function shownBy({ tlsPort }: Libvirtd): Promise<string> {
  const socket = connectTls({ host: '127.0.0.1', port: tlsPort ?? 0, rejectUnauthorized: false });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.once('error', reject);
  socket.once('secureConnect', () => resolve(socket.getPeerX509Certificate()?.toString() ?? ''));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

/** Resolves when the daemon was told so many times, and no more. */
async function untilTold({ sharedDirectory }: SystemdMachine, times: number): Promise<void> {
  const told = (): Promise<string> => readFile(join(sharedDirectory, 'told'), 'utf8').catch(() => '');
  await expect.poll(told, { timeout: 10_000 }).toBe('told\n'.repeat(times));
}
