import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';

import { leaseKind } from '@smalt/controller-runtime';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

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

it('says who leads and does not answer, and that one may ask again', async () => {
  await lead('ghost', 'https://127.0.0.1:9');

  const { status, headers, body } = await blue.call('GET', '/api/v1/hosts', VIEWER);

  expect([status, headers['retry-after']]).toEqual([503, '5']);
  expect(body['detail']).toBe(
    'the replica that leads, ghost at https://127.0.0.1:9, does not answer: ask again in a moment',
  );
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
  await lead('stranger', `https://127.0.0.1:${listening.port}`);

  const { status, body } = await blue.call('POST', '/api/v1/pause', OPERATOR, { note: 'is it you' });

  expect([status, requests]).toEqual([503, 0]);
  expect(body['detail']).toMatch(/^the replica that leads, stranger at /);
});

it('does not pass on what was passed on to it', async () => {
  await lead('mirror', `https://127.0.0.1:${blue.service.port}`);

  const { status, body } = await blue.call('GET', '/api/v1/hosts', VIEWER);

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

/** Has somebody hold the Lease for an hour, and blue know of it. */
async function lead(holderIdentity: string, url: string): Promise<void> {
  const metadata = { annotations: placeAnnotations(holderIdentity, url) };
  await bed.client
    .resource(leaseKind)
    .patch(LEASE, 'merge', { metadata, spec: { holderIdentity, leaseDurationSeconds: 3_600 } });
  await expect
    .poll(async () => JSON.stringify(await blue.get('/api/v1/status', VIEWER)), SOON)
    .toMatch(new RegExp(`${holderIdentity}|does not lead any more`));
}

function entry(name: string, role: string, token: string): object {
  return { name, role, sha256: createHash('sha256').update(token).digest('hex') };
}
