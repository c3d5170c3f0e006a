import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { RequestAuthenticator } from './authenticator.ts';
import { CertificateAuthority, makeAuthority, makePrivateKey } from './certificate-authority.ts';
import { TokenSigner } from './json-web-token.ts';
import { openServerIdentity, type ServerIdentity } from './server-identity.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';
import { StaticTokens } from './static-tokens.ts';

const run = promisify(execFile);
const NAMES = ['localhost', '127.0.0.1', '::1', 'host.example'];

describe('openServerIdentity', () => {
  let directory: string;

  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'identity-')), 'identity');
  });

  afterEach(async () => {
    await rm(join(directory, '..'), { recursive: true });
  });

  it('makes files that only their owner can read', async () => {
    await (await open()).writeKubeconfig('https://127.0.0.1:6443');

    const files = await readdir(directory);
    const modes = await Promise.all(files.map(async (name) => (await stat(join(directory, name))).mode % 0o1000));

    expect(files.toSorted()).toEqual([
      'admin.crt',
      'admin.key',
      'admin.kubeconfig',
      'admin.token',
      'ca.crt',
      'ca.key',
      'service-account.key',
      'serving.crt',
      'serving.key',
    ]);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    expect((await stat(directory)).mode % 0o1000).toBe(0o700);
  });

  it('makes certificates that openssl verifies', async () => {
    await open();
    const [ca, servingFile, adminFile] = ['ca.crt', 'serving.crt', 'admin.crt'].map((name) =>
      join(directory, name),
    ) as [string, string, string];

    const serving = await run('openssl', [
      'verify',
      '-x509_strict',
      '-purpose',
      'sslserver',
      '-verify_hostname',
      'host.example',
      '-CAfile',
      ca,
      servingFile,
    ]);
    const address = await run('openssl', ['verify', '-verify_ip', '::1', '-CAfile', ca, servingFile]);
    const admin = await run('openssl', ['verify', '-x509_strict', '-purpose', 'sslclient', '-CAfile', ca, adminFile]);

    expect([serving.stdout, address.stdout, admin.stdout]).toEqual([
      `${servingFile}: OK\n`,
      `${servingFile}: OK\n`,
      `${adminFile}: OK\n`,
    ]);
  });

  it('keeps everything over a restart', async () => {
    const first = await open();

    const second = await open();

    expect(second.serving).toEqual(first.serving);
    expect([second.adminToken, second.signingKey, second.authority.certificate]).toEqual([
      first.adminToken,
      first.signingKey,
      first.authority.certificate,
    ]);
  });

  it('makes another serving certificate for another name, with the same authority', async () => {
    const first = await open();

    const second = await open({ names: [...NAMES, 'other.example'] });

    expect(second.authority.certificate).toBe(first.authority.certificate);
    expect(new X509Certificate(second.serving.certificate).checkHost('other.example')).toBe('other.example');
  });

  it('renews a certificate before it ends, while the server runs', async () => {
    let now = new Date('2026-01-01T00:00:00Z');
    const identity = await openServerIdentity({ directory, names: NAMES, now: () => now });
    const before = identity.serving;
    const early = await identity.renew();

    now = new Date('2026-12-01T00:00:00Z');
    const late = await identity.renew();

    expect({ early, late }).toEqual({ early: false, late: true });
    expect(identity.serving.certificate).not.toBe(before.certificate);
    expect(await readFile(join(directory, 'serving.crt'), 'utf8')).toBe(identity.serving.certificate);
    expect(new X509Certificate(identity.serving.certificate).validToDate.getUTCFullYear()).toBe(2027);
  });

  it('makes a serving certificate anew that a crash separated from its key', async () => {
    await open();
    await writeFile(join(directory, 'serving.key'), makePrivateKey());

    const identity = await open();

    expect(identity.authority.hasIssued(identity.serving)).toBe(true);
  });

  it.each([
    { name: 'ca.key', content: makePrivateKey() },
    { name: 'ca.key', content: 'nonsense' },
    { name: 'ca.crt', content: 'nonsense' },
  ])('refuses to start with another $name rather than replace the authority', async ({ name, content }) => {
    await open();
    await writeFile(join(directory, name), content);

    await expect(open()).rejects.toThrow(expect.objectContaining({ code: 'damaged-identity' }));
  });

  it('refuses to start without the key of its authority', async () => {
    await open();
    await rm(join(directory, 'ca.key'));

    await expect(open()).rejects.toThrow('ca.key is missing');
  });

  it('writes a kubeconfig with which a TLS client is known as the administrator', async () => {
    const identity = await open();
    const path = await identity.writeKubeconfig('https://127.0.0.1:6443');
    const config = parse(await readFile(path, 'utf8')) as Kubeconfig;
    const [cluster, user] = [config.clusters[0]?.cluster, config.users[0]?.user];

    const known = await userOverTls(identity, {
      ca: decode(cluster?.['certificate-authority-data']),
      cert: decode(user?.['client-certificate-data']),
      key: decode(user?.['client-key-data']),
    });

    expect(config['current-context']).toBe('smalt');
    expect(known).toMatchObject({ name: 'admin', groups: ['system:masters', 'system:authenticated'] });
  });

  it('knows nobody without a certificate, and refuses one of another authority', async () => {
    const identity = await open();
    const ca = identity.authority.certificate;
    const stranger = new CertificateAuthority(makeAuthority('smalt', new Date()));
    const forged = stranger.issueClient(
      { commonName: 'admin', organizations: ['system:masters'] },
      { now: new Date(), days: 1 },
    );

    const none = await userOverTls(identity, { ca });
    const foreign = await userOverTls(identity, { ca, cert: forged.certificate, key: forged.key }).catch(
      (error: unknown) => error,
    );

    expect(none).toBeUndefined();
    expect(foreign).toMatchObject({ status: { code: 401, reason: 'Unauthorized', message: 'Unauthorized' } });
  });

  function open(more: { readonly names?: readonly string[] } = {}): Promise<ServerIdentity> {
    return openServerIdentity({ directory, names: NAMES, now: () => new Date(), ...more });
  }
});

interface Kubeconfig {
  readonly 'current-context': string;
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

function decode(data = ''): string {
  return Buffer.from(data, 'base64').toString();
}

/** Whom the server takes a client for that shows these credentials in a real handshake. */
async function userOverTls(identity: ServerIdentity, client: Record<string, string>): Promise<unknown> {
  const { key, certificate: cert } = identity.serving;
  const server = createServer({
    key,
    cert,
    ca: identity.authority.certificate,
    requestCert: true,
    rejectUnauthorized: false,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'secureConnection') as Promise<[TLSSocket]>;
  const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', ...client });
  try {
    await once(socket, 'secureConnect');
    const [peer] = await accepted;
    return authenticator().authenticate({ headers: {}, socket: peer });
  } finally {
    socket.destroy();
    server.close();
  }
}

function authenticator(): RequestAuthenticator {
  const serviceAccounts = new ServiceAccountTokens({
    signer: new TokenSigner(makePrivateKey()),
    issuer: 'https://issuer',
    audiences: ['https://issuer'],
    objects: { get: () => undefined },
    now: () => new Date(),
  });
  return new RequestAuthenticator({ staticTokens: new StaticTokens([]), serviceAccounts, now: () => new Date() });
}
