import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, it } from 'vitest';

import type { CloudTls } from './cloud-config.ts';
import { fakeConfig } from './fake-cloud.ts';
import { OpenStackClient } from './openstack-client.ts';
import { Slots } from './slots.ts';

const run = promisify(execFile);
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'openstack-tls-'));
  for (const [name, subject] of [
    ['server', '/CN=127.0.0.1'],
    ['client', '/CN=robot'],
  ] as const) {
    const files = ['-keyout', join(directory, `${name}.key`), '-out', join(directory, `${name}.pem`)];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
    await run('openssl', [
      'req',
      '-x509',
      ...key,
      '-subj',
      subject,
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      ...files,
    ]);
  }
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

it('trusts the authority of a file, and shows the certificate of the client', async () => {
  await using server = await startTlsServer();
  const authorityFile = join(directory, 'server.pem');
  const [certificateFile, keyFile] = [join(directory, 'client.pem'), join(directory, 'client.key')];

  await expect(asked(server.url, { authorityFile, certificateFile, keyFile, isInsecure: false })).resolves.toBe(
    'robot',
  );
});

it('does not trust a certificate that nobody vouches for', async () => {
  await using server = await startTlsServer();

  await expect(asked(server.url, { isInsecure: false })).rejects.toMatchObject({
    code: 'connection',
    message: expect.stringContaining('certificate'),
  });
});

it('believes any certificate where that is wanted', async () => {
  await using server = await startTlsServer();

  await expect(asked(server.url, { isInsecure: true })).resolves.toBe('nobody');
});

it('names a certificate file that is not there', async () => {
  const asking = asked('https://127.0.0.1:1', { authorityFile: join(directory, 'none.pem'), isInsecure: false });

  await expect(asking).rejects.toMatchObject({ code: 'bad-config', message: expect.stringContaining('none.pem') });
});

it('lets those wait who find no slot, and forgets those who give up', async () => {
  const slots = new Slots(1);
  const stopping = new AbortController();
  const order: string[] = [];
  const first = await slots.take(undefined);
  const second = slots.take(stopping.signal).catch(() => order.push('second gave up'));
  const third = slots.take(undefined);

  stopping.abort();
  await second;
  first[Symbol.dispose]();
  const slot = await third;
  order.push('third');
  slot[Symbol.dispose]();
  const fourth = await slots.take(undefined);
  fourth[Symbol.dispose]();

  expect(order).toEqual(['second gave up', 'third']);
  await expect(slots.take(stopping.signal)).rejects.toThrow('aborted');
});

it.each(['timeoutMs', 'maxAttempts', 'mostRequests'])('refuses a %s of 0', (name) => {
  const config = fakeConfig('http://127.0.0.1:1');

  expect(() => new OpenStackClient({ config, userAgent: 'test/1', [name]: 0 })).toThrow(`${name}: 0 is not`);
});

/** A Keystone that calls everybody by the name in their certificate. */
async function startTlsServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const [key, cert] = await Promise.all(['server.key', 'server.pem'].map((name) => readFile(join(directory, name))));
  const server = createServer({ key, cert, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    const name = String(subject?.CN ?? 'nobody');
    response.writeHead(201, { 'x-subject-token': 't' });
    response.end(JSON.stringify({ token: { user: { id: 'u1', name }, catalog: [] } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

async function asked(url: string, tls: CloudTls): Promise<string> {
  await using client = new OpenStackClient({
    config: { ...fakeConfig(url), tls },
    userAgent: 'test/1',
    maxAttempts: 1,
  });
  return (await client.whoAmI()).userName;
}
