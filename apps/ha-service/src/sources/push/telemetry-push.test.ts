import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type TLSSocket } from 'node:tls';

import { telemetryLimits } from '@smalt/ha-telemetry';
import { StoreError } from '@smalt/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestAuthority, type TestCertificate } from '../../fixtures/test-authority.ts';
import { batch, startPushBed, type PushBed } from './fixtures/push-bed.ts';

let bed: PushBed;
let n1: TestCertificate;
let n2: TestCertificate;

beforeAll(async () => {
  bed = await startPushBed({ settings: { requestsPerSecond: 1_000 } });
  [n1, n2] = await Promise.all([bed.authority.sign('n1'), bed.authority.sign('n2')]);
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('a batch', () => {
  it('of a node that has proved to be the one is stored, acknowledged, and a sign of life', async () => {
    const answer = await bed.post(batch('n1', 1, 3), { certificate: n1 });

    expect(answer).toMatchObject({ status: 200, body: { epoch: 'e1', acknowledged: 3 } });
    const { signals } = await bed.store.signals.changes(undefined, inTime());
    expect(signals).toContainEqual(expect.objectContaining({ host: 'n1', source: 'agent' }));
  });

  it('that comes again is acknowledged again and stored once', async () => {
    await bed.post(batch('n1', 1, 2, 'again'), { certificate: n1 });
    const before = await eventCount();

    const again = await bed.post(batch('n1', 1, 2, 'again'), { certificate: n1 });
    const more = await bed.post(batch('n1', 2, 4, 'again'), { certificate: n1 });

    expect(again.body).toEqual({ epoch: 'again', acknowledged: 2 });
    expect(more.body).toEqual({ epoch: 'again', acknowledged: 4 });
    expect((await eventCount()) - before).toBe(2);
  });

  it.each([
    { what: 'another node by its path', node: 'n2', body: batch('n2') },
    { what: 'another node in its body', node: 'n1', body: batch('n2') },
    { what: 'itself on the path of another', node: 'n2', body: batch('n1') },
  ])('is refused if it speaks for $what', async ({ node, body }) => {
    const before = await eventCount();

    const answer = await bed.post(body, { certificate: n1, node });

    expect(answer.status).toBe(403);
    expect(await eventCount()).toBe(before);
  });

  it.each([
    { what: 'no JSON', body: '{', answer: { status: 422, body: { error: expect.any(String) } } },
    { what: 'no batch', body: '7', answer: { status: 422, body: { error: 'it must be an object' } } },
    {
      what: 'a record that is not as it has to be',
      body: { ...batch('n1', 1, 2), records: [batch('n1').records[0], { sequence: 2, kind: 'dance' }] },
      answer: { status: 422, body: { epoch: 'e1', sequence: 2, error: expect.stringContaining('records[1].kind') } },
    },
    {
      what: 'an epoch that cannot be stored',
      body: batch('n1', 1, 1, 'e\u0000'),
      answer: { status: 422, body: { epoch: 'e\u0000', error: expect.stringContaining('epoch') } },
    },
    {
      what: 'another version of the contract',
      body: { ...batch('n1'), version: 2 },
      answer: { status: 501, body: { error: expect.stringContaining('version') } },
    },
  ])('with $what is refused as the contract says', async ({ body, answer }) => {
    expect(await bed.post(body, { certificate: n1 })).toMatchObject(answer);
  });

  it('is posted, and nothing else', async () => {
    expect(await bed.post('', { certificate: n1, method: 'GET' })).toMatchObject({ status: 405 });
  });

  it('that is announced as too large is refused before it is read', async () => {
    await using socket = await open(n1);
    socket.write(head({ 'content-length': '99999999' }));

    const answer = await socket.answer();

    expect(answer).toMatch(/^HTTP\/1.1 413 .*connection: close.*at most \d+ bytes/is);
  });

  it('that grows too large on its way is refused', async () => {
    await using socket = await open(n1);
    const most = telemetryLimits.recordBytes + telemetryLimits.batchBytes;
    socket.write(head({ 'transfer-encoding': 'chunked' }));
    const part = 'x'.repeat(1_048_576);
    for (let sent = 0; sent <= most; sent += part.length) socket.write(`100000\r\n${part}\r\n`);

    expect(await socket.answer()).toMatch(/^HTTP\/1.1 413 /);
  });

  it('that is broken off leaves nothing behind', async () => {
    const before = await eventCount();
    const socket = await open(n1);
    socket.write(`${head({ 'content-length': '500' })}{"version":1`);

    await socket[Symbol.asyncDispose]();
    await expect.poll(() => bed.results.at(-1)).toBe('broken');

    expect(await eventCount()).toBe(before);
  });
});

describe('a sender that is too slow', { timeout: 30_000 }, () => {
  it.each([
    { what: 'before its head is complete', text: 'POST /api/v1/nodes/n1/telemetry HTTP/1.1\r\nhost: x\r\n' },
    { what: 'in the midst of its body', text: head({ 'content-length': '100' }) },
    { what: 'and says nothing at all', text: '' },
  ])('is cut off $what', async ({ text }) => {
    // As in service, but sooner.
    await using quick = await startPushBed({
      server: { headersTimeout: 500, requestTimeout: 700, connectionsCheckingInterval: 100 },
    });
    const certificate = await quick.authority.sign('n1');
    await using socket = await open(certificate, quick);

    socket.write(text);

    expect(await socket.answer()).toMatch(/^(?:HTTP\/1.1 408 .*)?$/s);
  });
});

describe('the limits', () => {
  it('send a node away that sends too often, and no other', async () => {
    bed.configure({ requestsPerSecond: 1 });

    const answers = [];
    for (let index = 1; index <= 4; index++)
      answers.push(await bed.post(batch('n2', index, index, 'often'), { certificate: n2, node: 'n2' }));
    const other = await bed.post(batch('n1', 1, 1, 'seldom'), { certificate: n1 });
    bed.configure({ requestsPerSecond: 1_000 });

    expect(answers.map(({ status }) => status)).toContain(429);
    expect(answers.find(({ status }) => status === 429)).toMatchObject({ retryAfter: '1' });
    expect(other.status).toBe(200);
  });

  it('hold for all nodes together too', async () => {
    bed.configure({ requestsPerSecondInAll: 1 });

    const answers = [];
    for (let index = 1; index <= 4; index++)
      answers.push(await bed.post(batch('n2', index, index, 'all'), { certificate: n2, node: 'n2' }));
    bed.configure({ requestsPerSecondInAll: 10_000 });

    expect(answers.map(({ status }) => status)).toContain(429);
  });

  it('let so many wait for the store and no more, each of a node at most a few', async () => {
    const gate = Promise.withResolvers<void>();
    await using full = await startPushBed({
      settings: { mostWaiting: 5 },
      accept: async ({ batch: { lastSequence } }) => {
        await gate.promise;
        return { acknowledged: lastSequence };
      },
    });
    const [one, two] = await Promise.all([full.authority.sign('n1'), full.authority.sign('n2')]);

    const ofOne = Array.from({ length: 5 }, () => full.post(batch('n1'), { certificate: one }));
    await expect.poll(() => full.results).toEqual(['too-many']);
    const ofTwo = Array.from({ length: 2 }, () => full.post(batch('n2'), { certificate: two, node: 'n2' }));
    await expect.poll(() => full.results).toEqual(['too-many', 'unavailable']);
    gate.resolve();

    const statuses = (await Promise.all([...ofOne, ...ofTwo])).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 429, 503]);
  });
});

describe('a store that is away', () => {
  it('is no reason to forget: the node sends it again', async () => {
    let isAway = true;
    await using broken = await startPushBed({
      accept: async ({ batch: { lastSequence } }) => {
        if (isAway) throw new StoreError('unreachable', 'the database is away');
        return { acknowledged: lastSequence };
      },
    });
    const certificate = await broken.authority.sign('n1');

    const answers = [await broken.post(batch('n1'), { certificate }), await broken.post(batch('n1'), { certificate })];
    isAway = false;
    const after = await broken.post(batch('n1'), { certificate });

    expect(answers[0]).toMatchObject({
      status: 503,
      retryAfter: '5',
      body: { error: expect.stringContaining('away') },
    });
    expect(after).toMatchObject({ status: 200, body: { acknowledged: 1 } });
    // Ten thousand nodes would say the same.
    expect(broken.log).toHaveLength(1);
  });
});

describe('who is not known', () => {
  it('is refused without a certificate or a token', async () => {
    expect(await bed.post(batch('n1'), {})).toMatchObject({ status: 401 });
  });

  it('is refused with a certificate of another authority, whatever its name is', async () => {
    const other = await TestAuthority.make(bed.directory, 'strangers');
    const stolen = await other.sign('n1');

    expect(await bed.post(batch('n1'), { certificate: stolen })).toMatchObject({ status: 401 });
  });
});

async function eventCount(): Promise<number> {
  return (await bed.store.telemetry.events(undefined, 10_000, inTime())).length;
}

function inTime(): AbortSignal {
  return AbortSignal.timeout(10_000);
}

function head(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /api/v1/nodes/n1/telemetry HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`;
}

interface RawSocket extends AsyncDisposable {
  write(text: string): void;
  /** All that came until the other side closed. */
  answer(): Promise<string>;
}

async function open(certificate: TestCertificate, { port, authorityText: ca }: PushBed = bed): Promise<RawSocket> {
  const [cert, key] = await Promise.all([readFile(certificate.certificateFile), readFile(certificate.keyFile)]);
  const socket: TLSSocket = connect({ host: '127.0.0.1', port, ca, cert, key });
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  await once(socket, 'secureConnect');
  return {
    write: (part) => void socket.write(part),
    answer: async () => {
      await closed;
      return text;
    },
    [Symbol.asyncDispose]: async () => {
      socket.destroy();
      await closed;
    },
  };
}
