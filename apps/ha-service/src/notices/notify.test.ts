import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createIgnore, createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { TestAuthority } from '../fixtures/test-authority.ts';
import { CursorKind } from '../ports/ha-store.ts';
import type { JournalEntry } from '../ports/incident-store.ts';
import type { WebhookSettings } from '../settings/ha-service-settings.ts';
import { systemServiceClock } from '../start/system-service-clock.ts';
import type { DurableHaStore } from '../store/durable-ha-store.ts';
import { openHaStore } from '../store/open-ha-store.ts';
import { notify } from './notify.ts';

const signal = AbortSignal.timeout(120_000);
let owned: AsyncDisposableStack;
let directory: string;
let authority: TestAuthority;
let store: DurableHaStore;
let deliveries: string[];

beforeEach(async () => {
  owned = new AsyncDisposableStack();
  directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-notices-'))).path;
  authority = await TestAuthority.make(directory, 'hooks');
  const ignore = createIgnore(new MetricsRegistry(), silent());
  const location = { kind: 'sqlite', path: join(directory, 'ha.sqlite') } as const;
  store = owned.use(await openHaStore({ location, clock: systemServiceClock(), ignore }, signal));
  await writeFile(join(directory, 'secret'), 'sesame\n');
  deliveries = [];
  await append('before anybody listens');
});

afterEach(() => owned.disposeAsync());

describe('a receiver', () => {
  it('is told of what it wants, in order, signed, from the moment it is known', async () => {
    const hook = await startHook();
    const stop = start([webhook('a', hook.url, { kinds: ['fence', 'person'], leastSeverity: 'warning' })]);
    await untilKnown('a');

    await append('one', { kind: 'fence', severity: 'critical' });
    await append('not severe enough', { kind: 'fence', severity: 'info' });
    await append('not of a kind', { kind: 'refusal', severity: 'critical' });
    await append('two', { kind: 'person', severity: 'warning' });
    await expect.poll(() => hook.messages()).toEqual(['one', 'two']);
    await stop();

    const [first] = hook.requests;
    const timestamp = String(first?.headers['smalt-timestamp']);
    const expected = createHmac('sha256', 'sesame').update(`${timestamp}.${first?.body}`).digest('hex');
    expect(first?.headers['smalt-signature']).toBe(`sha256=${expected}`);
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(60);
    expect(first?.headers['idempotency-key']).toBe(JSON.parse(first?.body ?? '{}').id);
  });

  it('loses nothing while it is away, nor over a restart of the service', async () => {
    const hook = await startHook({ answers: [503, 500, 302] });
    const stop = start([webhook('a', hook.url)]);
    await untilKnown('a');
    await append('one');
    await expect.poll(() => hook.requests.length).toBeGreaterThanOrEqual(1);
    await stop();
    await append('two');

    const stopAgain = start([webhook('a', hook.url)]);
    await expect.poll(() => hook.accepted(), { timeout: 20_000 }).toEqual(['one', 'two']);
    await stopAgain();

    expect(deliveries).toContain('a failed');
    expect(new Set(hook.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  });

  it('that hangs holds up no other', async () => {
    const hanging = await startHook({ answers: ['hang'] });
    const hook = await startHook();
    const stop = start([webhook('slow', hanging.url, { timeoutMs: 60_000 }), webhook('quick', hook.url)]);
    await untilKnown('slow');
    await untilKnown('quick');

    await append('one');
    await append('two');

    await expect.poll(() => hook.messages()).toEqual(['one', 'two']);
    await stop();
  });

  it('whose certificate nobody vouches for is told nothing', async () => {
    const hook = await startHook();
    const { authorityFile: _, ...unknown } = webhook('a', hook.url);
    const stop = start([unknown]);
    await untilKnown('a');

    await append('one');

    await expect.poll(() => deliveries).toContain('a failed');
    await stop();
    expect(hook.requests).toEqual([]);
  });

  it('that is not wanted any more is forgotten, so that the journal can be cleared', async () => {
    const hook = await startHook();
    const stopFirst = start([webhook('gone', hook.url)]);
    await untilKnown('gone');
    await stopFirst();

    const stop = start([webhook('new', hook.url)]);
    await untilKnown('new');

    await expect.poll(async () => (await cursors()).map(({ key }) => key)).toEqual(['webhook/new']);
    await stop();
  });
});

interface Seen {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly status: number;
}

interface Hook {
  readonly url: string;
  readonly requests: readonly Seen[];
  messages(): readonly string[];
  /** Those that it answered with 200. */
  accepted(): readonly string[];
}

async function startHook({ answers = [] }: { readonly answers?: readonly (number | 'hang')[] } = {}): Promise<Hook> {
  const { certificateFile, keyFile } = await authority.sign('hook');
  const requests: Seen[] = [];
  const left = [...answers];
  const server = createServer({ cert: await readFile(certificateFile), key: await readFile(keyFile) });
  server.on('request', (request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const status = left.shift() ?? 200;
    requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), status: Number(status) });
    if (status === 'hang') return;
    response.writeHead(status, { location: '/elsewhere' }).end('thank you');
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owned.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const messagesOf = (seen: readonly Seen[]): readonly string[] => seen.map(({ body }) => JSON.parse(body).message);
  return {
    url: `https://127.0.0.1:${port}/hook`,
    requests,
    messages: () => messagesOf(requests),
    accepted: () => messagesOf(requests.filter(({ status }) => status === 200)),
  };
}

function start(webhooks: readonly WebhookSettings[]): () => Promise<void> {
  const stop = new AbortController();
  const ended = notify(
    {
      store,
      clock: systemServiceClock(),
      wallNow: () => Date.now(),
      logger: silent(),
      webhooks: () => webhooks,
      onDelivery: (name, result) => deliveries.push(`${name} ${result}`),
    },
    stop.signal,
  );
  const end = async (): Promise<void> => {
    stop.abort(new Error('the test is over'));
    await ended;
  };
  owned.defer(end);
  return end;
}

function webhook(name: string, url: string, change: Partial<WebhookSettings> = {}): WebhookSettings {
  return {
    name,
    url,
    secretFile: join(directory, 'secret'),
    kinds: [],
    leastSeverity: 'info',
    authorityFile: authority.authorityFile,
    timeoutMs: 5_000,
    ...change,
  };
}

async function append(message: string, change: Partial<JournalEntry> = {}): Promise<void> {
  const nothing = { host: undefined, incidentId: undefined, instanceId: undefined, by: undefined };
  const entry: JournalEntry = { ...nothing, at: Date.now(), kind: 'service', severity: 'info', message, ...change };
  await store.journal.append([entry], signal);
}

async function untilKnown(name: string): Promise<void> {
  await expect.poll(async () => (await cursors()).map(({ key }) => key)).toContain(`webhook/${name}`);
}

function cursors() {
  return store.documents.list(CursorKind.journal, signal);
}

function silent() {
  return createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } });
}
