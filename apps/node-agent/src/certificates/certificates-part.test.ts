import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtempDisposable, readdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startHost } from '@smalt/bed-libvirt';
import { startSystemd } from '@smalt/bed-systemd';
import { Informers, systemClock, type Clock } from '@smalt/controller-runtime';
import { KubeClient } from '@smalt/kube';
import { openSystemd } from '@smalt/systemd';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { decode, startCertificateBed, type CertificateBed, type CertificateNode } from './fixtures/certificate-bed.ts';
import { secretKind } from './secret.ts';

let bed: CertificateBed;
let node: CertificateNode;

beforeAll(async () => {
  bed = await startCertificateBed();
});
afterAll(() => bed[Symbol.asyncDispose]());
beforeEach(async () => {
  node = await bed.newNode();
});

describe('the condition', () => {
  it('stays away from a Hypervisor that wants no certificate, and nothing is written', async () => {
    await node.putSecret(await node.issue());
    await using part = await node.start({}, undefined, { installCertificate: false });

    await bed.fleet.hypervisors.patch(node.name, 'merge', { spec: { installCertificate: true } });
    await node.until('FailedToStartUpdateTLSService');

    expect(part.log.filter((line) => line.includes('installing the TLS certificate'))).toHaveLength(1);
  });

  it('says what it waits for while there is no Secret', async () => {
    await using _part = await node.start();

    const { message } = await node.until('Installing');

    expect(message).toBe(`Waiting for the Secret default/tls-libvirt-${node.name}`);
    expect(await readdir(node.directory)).toEqual([]);
  });

  it('says why a Secret is of no use, and the old files stay in use', async () => {
    await using machine = await startSystemd({ units: IDLE_DAEMON });
    await using systemd = await openSystemd({ busPath: machine.busPath });
    const good = await node.issue();
    await node.putSecret(good);
    await using part = await node.start({ systemd });
    await node.until('Ready');

    await node.putSecret({ ...good, 'tls.key': (await node.issue())['tls.key'] ?? '' });
    const { message } = await node.until('FailedToUpdateTLSCertificate');

    expect(message).toBe(
      `Failed to update TLS certificate: Secret default/tls-libvirt-${node.name}: ` +
        'tls.key is not the key of the certificate in tls.crt',
    );
    expect(await node.installed('libvirt/private/serverkey.pem')).toBe(decode(good['tls.key']));
    expect(part.log.join('')).not.toContain('PRIVATE KEY');
    expect(part.log.join('')).not.toContain(good['tls.key']);
  });

  it('says that Secrets may not be read, once it has waited long enough, and goes on when they may', async () => {
    await node.putSecret(await node.issue());
    await using gate = await startGate();
    // Its time stands still until the refusal has come, however late that is: before, nobody would know why.
    let passedMs = 0;
    const clock: Clock = {
      ...systemClock,
      monotonic: () => passedMs,
      later: (_, run) => systemClock.later(50, run),
    };
    await using part = await node.start({
      informers: gate.informers,
      patienceMs: 10_000,
      clock,
      adminDirectory: '/nowhere',
    });
    await expect.poll(() => part.log.some((line) => line.includes('the Secret cannot be read'))).toBe(true);
    passedMs = 10_000;

    const { message } = await node.until('FailedToUpdateTLSCertificate');
    gate.open();
    await node.until('Ready');

    expect(message).toMatch(
      /cannot read Secrets in default: .*secrets is forbidden.*; let the agent list and watch them$/,
    );
    expect(part.log.filter((line) => line.includes('cannot read Secrets in default'))).toHaveLength(1);
  });

  it('takes the Secret from the configured namespace only', async () => {
    await node.putSecret(await node.issue(), 'kube-system');
    await using _part = await node.start();

    expect((await node.until('Installing')).message).toContain('Waiting for the Secret default/');
  });

  it('tells when the certificate ends, as a metric and, when that is near, in words', async () => {
    await using machine = await startSystemd({ units: IDLE_DAEMON });
    await using systemd = await openSystemd({ busPath: machine.busPath });
    await node.putSecret(await node.issue({ days: 30 }));
    const later = new Date(Date.now() + 28 * 86_400_000);
    await using part = await node.start({ systemd, now: () => later });

    const { message } = await node.until('Ready');

    expect(message).toMatch(/^TLS certificate is ready and updated; it expires at 20.* and has not been renewed$/);
    const text = part.context.metrics.expose();
    const seconds = Number(/smalt_tls_certificate_expiry_seconds\{certificate="libvirt"\} (\d+)/.exec(text)?.[1]);
    expect(Math.abs(seconds - Date.now() / 1000 - 30 * 86_400)).toBeLessThan(120);
  });
});

it('lets the processes of guests open their keys, and nobody else', async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'smalt-root-'));
  const root = home.path;
  await mkdir(join(root, 'etc'));
  await writeFile(join(root, 'etc/passwd'), 'libvirt-qemu:x:64055:64056::/:/usr/sbin/nologin\n');
  await chmod(node.directory, 0o755);
  const data = await node.issue();
  await node.putSecret(data);
  await using _part = await node.start({ root, adminDirectory: '/nowhere' });
  await node.until('Ready');

  const asGuest = { uid: 64_055, gid: 64_056 };
  const asOther = { uid: 64_057, gid: 64_056 };
  const names = ['qemu/server-key.pem', 'qemu/client-key.pem', 'ch/server-key.pem'];

  for (const name of names) expect(await readAs(asGuest, name)).toBe(decode(data['tls.key']));
  for (const name of names) await expect(readAs(asOther, name)).rejects.toThrow('Permission denied');
  await expect(readAs(asGuest, 'libvirt/private/serverkey.pem')).rejects.toThrow('Permission denied');
});

it('gives keys to the account of a libvirt that comes once its certificate is there, whatever accounts the host has', async () => {
  await using host = await startHost({ qemu: { user: '+64055', group: '+64055' } });
  await host.stop();
  await node.putSecret(await node.issue());
  await using _part = await node.start({ libvirtUri: host.uri, adminDirectory: '/nowhere' });
  await node.until('Ready');
  const ownerOfKey = async (): Promise<number> => (await stat(join(node.directory, 'qemu/server-key.pem'))).uid;

  const before = await ownerOfKey();
  await host.powerOn();

  await expect.poll(ownerOfKey, { timeout: 30_000 }).toBe(64_055);
  expect(before).toBe(0);
}, 60_000);

it('says that an account for guests is not known, and installs nothing', async () => {
  await node.putSecret(await node.issue());
  await using _part = await node.start({ guestAccount: 'nobody-knows' });

  expect((await node.until('FailedToUpdateTLSCertificate')).message).toContain(
    'certificates.guestAccount: "nobody-knows"',
  );
  await expect(stat(join(node.directory, 'qemu/server-key.pem'))).rejects.toMatchObject({ code: 'ENOENT' });
});

const IDLE_DAEMON = { 'libvirtd.service': '[Service]\nExecStart=/bin/sleep infinity\n' };

async function readAs(account: { readonly uid: number; readonly gid: number }, name: string): Promise<string> {
  return (await promisify(execFile)('cat', [join(node.directory, name)], account)).stdout;
}

interface Gate extends AsyncDisposable {
  readonly informers: Informers;
  /** From now on requests are let through. */
  open(): void;
}

/** An API server that forbids everything at first, and then knows the Secret of the node. */
async function startGate(): Promise<Gate> {
  const stack = new AsyncDisposableStack();
  const secret = await bed.fleet.client.resource(secretKind).get(`tls-libvirt-${node.name}`);
  const end = { metadata: { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } } };
  const events = [
    { type: 'ADDED', object: secret },
    { type: 'BOOKMARK', object: end },
  ];
  const refusal = { kind: 'Status', apiVersion: 'v1', reason: 'Forbidden', code: 403, message: 'secrets is forbidden' };
  let isOpen = false;
  const server = createServer((_request, response) => {
    response.writeHead(isOpen ? 200 : 403, { 'content-type': 'application/json' });
    if (isOpen) for (const event of events) response.write(`${JSON.stringify(event)}\n`);
    else response.end(JSON.stringify(refusal));
  });
  stack.defer(() => server.closeAllConnections());
  stack.defer(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = Object(server.address());
  const config = {
    server: `http://127.0.0.1:${port}`,
    tls: { isInsecure: false },
    identity: { kind: 'anonymous' },
  } as const;
  const client = stack.use(new KubeClient({ config: { ...config, namespace: 'default' }, userAgent: 'gate/1' }));
  const informers = new Informers(client, { onFailure: () => undefined });
  const stop = new AbortController();
  const running = informers.run(stop.signal);
  stack.defer(async () => {
    stop.abort();
    await running;
  });
  return { informers, open: () => void (isOpen = true), [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
