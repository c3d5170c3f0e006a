import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

import { leaseKind } from '@smalt/controller-runtime';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { parse } from 'yaml';

import { startServiceBed, type BedReplica, type ServiceBed } from '../../fixtures/service-bed.ts';
import { TestAuthority } from '../../fixtures/test-authority.ts';
import { listen } from '../../start/start-https-server.ts';
import { placeAnnotations } from './leader-place.ts';

const [OPERATOR, VIEWER] = ['a-token-that-may-act', 'a-token-that-may-look'];
const LEASE = 'lease-of-those-who-pass-on';
const QUICK = { leaseMs: 8_000, renewDeadlineMs: 6_000, retryMs: 300 };
const SOON = { timeout: 30_000 };

let bed: ServiceBed;
let tokensFile: string;
let red: BedReplica;
let blue: BedReplica;

beforeAll(async () => {
  bed = await startServiceBed({ hosts: ['h1'] });
  tokensFile = join(bed.directory, 'tokens.yaml');
  await writeFile(tokensFile, JSON.stringify([entry('otto', 'operator', OPERATOR), entry('vera', 'viewer', VIEWER)]));
  red = await start('red');
  await vi.waitUntil(async () => (await identity(red)) === 'red', SOON);
  blue = await start('blue');
});
afterAll(() => bed[Symbol.asyncDispose]());

// Each replica has a store of its own here, so that it can be seen whose was written into.
it('has the leader answer and act for one that follows, with the rights and the name of the caller', async () => {
  await expect.poll(() => identity(blue), SOON).toBe('red');

  const [paused, refused, wrong] = [
    await blue.call('POST', '/api/v1/pause', OPERATOR, { note: 'by the other door' }),
    await blue.call('POST', '/api/v1/pause', VIEWER, { note: 'may I' }),
    await blue.call('POST', '/api/v1/pause', OPERATOR, { note: 7 }),
  ];
  const journal = await red.get('/api/v1/journal', VIEWER);

  expect(paused).toMatchObject({ status: 200, body: { identity: 'red', isLeading: true, isPaused: true } });
  expect([refused.status, wrong.status]).toEqual([403, 400]);
  expect(wrong.body).toMatchObject({ field: 'note' });
  expect(JSON.stringify(journal)).toContain('otto paused high availability: by the other door');
  await red.call('POST', '/api/v1/resume', OPERATOR, { note: 'enough' });
});

it('tells what the leader tells, until another one leads', async () => {
  const told = blue.events('/api/v1/changes', VIEWER);
  const first = await told.next();

  await red.service[Symbol.asyncDispose]();
  const rest = await untilEnded(told);
  await expect.poll(() => identity(blue), SOON).toBe('blue');

  expect(JSON.stringify(first.value)).toContain('"identity":"red"');
  expect(JSON.stringify(rest)).not.toContain('"identity":"blue"');
});

it('shows what it knows by itself where who leads does not answer, and says of changes that one may ask again', async () => {
  await lead('ghost', 'https://127.0.0.1:9');

  const seen = await blue.call('GET', '/api/v1/hosts', VIEWER);
  const { status, headers, body } = await blue.call('POST', '/api/v1/pause', OPERATOR, { note: 'is it you' });

  expect(seen).toMatchObject({ status: 200, body: { isJudgedHere: false } });
  expect([status, headers['retry-after']]).toEqual([503, '5']);
  expect(body['detail']).toBe(
    'the replica that leads, ghost at https://127.0.0.1:9, does not answer: ask again in a moment',
  );
});

it('does not wait for a machine that says nothing at all longer than for one that refuses', async () => {
  const mute = createTcpServer();
  await once(mute.listen(0, '127.0.0.1'), 'listening');
  const sockets = new Set<Socket>();
  mute.on('connection', (socket) => sockets.add(socket));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => void mute.close());
  stack.defer(() => sockets.forEach((socket) => socket.destroy()));
  const url = `https://127.0.0.1:${portOf(mute)}`;
  await lead('mute', url);

  const seen = await blue.call('GET', '/api/v1/hosts', VIEWER);
  const { status, body } = await blue.call('POST', '/api/v1/pause', OPERATOR, { note: 'is it you' });

  expect(seen).toMatchObject({ status: 200, body: { isJudgedHere: false } });
  expect([status, body['detail']]).toEqual([
    503,
    `the replica that leads, mute at ${url}, does not answer: ask again in a moment`,
  ]);
});

it('says of a change that was told to a leader and took too long that it may have been done', async () => {
  const { tls } = parse(await readFile(blue.configFile, 'utf8'));
  const told: string[] = [];
  const hung = createServer(
    { cert: await readFile(tls.certificateFile), key: await readFile(tls.keyFile) },
    ({ method, url }) => told.push(`${method} ${url}`),
  );
  await using listening = await listen(hung, { host: '127.0.0.1', port: 0 });
  const hasty = await start('hasty', { timeoutMs: 3_000 });
  await lead('hung', `https://127.0.0.1:${listening.port}`, hasty);
  const before = told.length;

  const { status, body } = await hasty.call('POST', '/api/v1/pause', OPERATOR, { note: 'is it you' });

  expect([status, body['detail']]).toEqual([
    503,
    'the replica that leads, hung, was told, and has not answered: see whether it was done before you ask again',
  ]);
  expect(told.slice(before)).toEqual(['POST /api/v1/pause']);
});

it('shows the token of nobody to one with another certificate, wherever the Lease points', async () => {
  const authority = await TestAuthority.make(bed.directory, 'stranger');
  const { certificateFile, keyFile } = await authority.sign('stranger');
  let requests = 0;
  const stranger = createServer(
    { cert: await readFile(certificateFile), key: await readFile(keyFile) },
    (_, response) => {
      requests += 1;
      response.end('{}');
    },
  );
  await using listening = await listen(stranger, { host: '127.0.0.1', port: 0 });
  // By this Node takes any certificate where nobody says otherwise.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  await lead('stranger', `https://127.0.0.1:${listening.port}`);

  const seen = await blue.call('GET', '/api/v1/hosts', VIEWER);
  const { status, body } = await blue.call('POST', '/api/v1/pause', OPERATOR, { note: 'is it you' });

  expect(seen).toMatchObject({ status: 200, body: { isJudgedHere: false } });
  expect([status, requests]).toEqual([503, 0]);
  expect(body['detail']).toMatch(/^the replica that leads, stranger at .* does not show the certificate of this one/);
});

it('does not pass on what was passed on to it', async () => {
  await lead('mirror', `https://127.0.0.1:${blue.service.port}`);

  const seen = await blue.call('GET', '/api/v1/hosts', VIEWER);
  const { status, body } = await blue.call('POST', '/api/v1/pause', OPERATOR, { note: 'is it you' });

  expect(seen).toMatchObject({ status: 200, body: { isJudgedHere: false } });
  expect([status, body['detail']]).toEqual([503, 'this replica does not lead any more: ask again in a moment']);
});

it('answers by itself where the leader does not say where it is, or the settings say so', async () => {
  await lead('silent', '');
  const unnamed = await blue.get('/api/v1/status', VIEWER);
  await lead('ghost', 'https://127.0.0.1:9');
  const alone = await start('alone', { asksLeader: false });

  expect(unnamed).toMatchObject({ identity: 'blue', isLeading: false, leader: { identity: 'silent', url: null } });
  await expect
    .poll(() => alone.get('/api/v1/status', VIEWER), SOON)
    .toMatchObject({
      identity: 'alone',
      isLeading: false,
      leader: { identity: 'ghost', url: 'https://127.0.0.1:9' },
    });
});

/** All that is told until the stream ends, in good order or not. */
async function untilEnded(told: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const rest: unknown[] = [];
  try {
    for await (const changes of told) rest.push(changes);
  } catch (error) {
    rest.push(error);
  }
  return rest;
}

async function start(name: string, api: object = {}): Promise<BedReplica> {
  const settings = { kubernetes: { leaseName: LEASE }, api: { tokensFile, ...api } };
  return await bed.start(name, { settings, lease: QUICK });
}

async function identity(replica: BedReplica): Promise<unknown> {
  const { identity: who, isLeading } = await replica.get('/api/v1/status', VIEWER);
  return isLeading === true ? who : undefined;
}

/** Has somebody hold the Lease for an hour, and a replica know of it. */
async function lead(holderIdentity: string, url: string, replica: BedReplica = blue): Promise<void> {
  const metadata = { annotations: placeAnnotations(holderIdentity, url) };
  await bed.client
    .resource(leaseKind)
    .patch(LEASE, 'merge', { metadata, spec: { holderIdentity, leaseDurationSeconds: 3_600 } });
  await expect
    .poll(async () => JSON.stringify(await replica.get('/api/v1/status', VIEWER)), SOON)
    .toContain(holderIdentity);
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('it does not listen');
  return address.port;
}

function entry(name: string, role: string, token: string): object {
  return { name, role, sha256: createHash('sha256').update(token).digest('hex') };
}
