import { duplexPair } from 'node:stream';

import { KubeClient } from '@smalt/kube';
import { isJsonArray, isJsonObject, parseJson, type JsonObject } from '@smalt/json';
import { WebSocketStream } from '@smalt/websocket';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { systemClock } from '../console-clock.ts';
import { startConsoleBed, type ConsoleBed } from '../fixtures/console-bed.ts';
import { LiveConnection, type LiveDeps } from './live-connection.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const MANY = '/api/v1/namespaces/many/configmaps';

let bed: ConsoleBed;
let cookie: string;
let open: AsyncDisposableStack;

beforeAll(async () => {
  bed = await startConsoleBed({ limits: { mostFollows: 3, checkMs: 3_600_000 } });
  cookie = await bed.signIn(bed.adminToken);
  open = new AsyncDisposableStack();
  await create('/api/v1/namespaces', 'many');
  for (let start = 0; start < 1_000; start += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, index) => create(MANY, `map-${start + index}`)));
  }
});
afterEach(async () => {
  await open.disposeAsync();
  open = new AsyncDisposableStack();
});
afterAll(() => bed[Symbol.asyncDispose]());

describe('a page that follows', () => {
  it('gets all objects in parts, and then each change', async () => {
    const page = await Page.open(cookie);

    page.send({ kind: 'follow', id: 7, path: MANY });
    await page.until(({ known }) => known(7).isComplete);
    const parts = page.messages.length;
    const keys = [...page.known(7).objects.keys()];
    const [first] = page.messages;
    await create(MANY, 'late');
    await page.until(({ known }) => known(7).objects.has('many/late'));
    await bed.admin.request({ method: 'DELETE', path: `${MANY}/late` });
    await page.until(({ known }) => !known(7).objects.has('many/late'));

    expect(keys.filter((key) => key.startsWith('many/map-'))).toHaveLength(1_000);
    expect(first).toMatchObject({ kind: 'changes', id: 7, isReset: true });
    expect(page.messages.filter(({ isReset }) => isReset === true)).toHaveLength(1);
    expect(parts).toBeGreaterThanOrEqual(4);
    expect(page.mostObjects).toBeLessThanOrEqual(250);
  });

  it('is not told what no page shows', async () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', note: 'kept' };
    const body = JSON.stringify({ metadata: { name: 'annotated', annotations } });
    await bed.admin.request({ method: 'POST', path: CONFIG_MAPS, body });
    const page = await Page.open(cookie);

    page.send({ kind: 'follow', id: 1, path: CONFIG_MAPS, fieldSelector: 'metadata.name=annotated' });
    await page.until(({ known }) => known(1).isComplete);

    const [object] = page.known(1).objects.values();
    expect(page.known(1).objects.size).toBe(1);
    expect(object).toMatchObject({ metadata: { name: 'annotated', annotations: { note: 'kept' } } });
    expect(object?.['metadata']).not.toHaveProperty('managedFields');
    expect(JSON.stringify(object)).not.toContain('last-applied');
  });

  it('hears no more of what it has forgotten, and of the new one under an old id', async () => {
    const page = await Page.open(cookie);
    page.send({ kind: 'follow', id: 1, path: CONFIG_MAPS });
    await page.until(({ known }) => known(1).isComplete);

    page.send({ kind: 'follow', id: 1, path: '/api/v1/namespaces', fieldSelector: 'metadata.name=default' });
    page.send({ kind: 'follow', id: 2, path: CONFIG_MAPS });
    await page.until(({ known }) => known(2).isComplete && known(1).objects.has('default'));
    page.send({ kind: 'forget', id: 2 });
    page.send({ kind: 'follow', id: 3, path: CONFIG_MAPS });
    await page.until(({ known }) => known(3).isComplete);
    await create(CONFIG_MAPS, 'unheard-of');
    await page.until(({ known }) => known(3).objects.has('default/unheard-of'));

    expect([...page.known(1).objects.keys()]).toEqual(['default']);
    expect(page.known(2).objects.has('default/unheard-of')).toBe(false);
  });

  it('is refused what its user may not see, and what is not there', async () => {
    const page = await Page.open(await bed.signIn(await bed.token('nobody')));

    page.send({ kind: 'follow', id: 1, path: '/api/v1/secrets' });
    page.send({ kind: 'follow', id: 2, path: '/apis/none.example/v1/things' });
    page.send({ kind: 'follow', id: 3, path: '/api/v1/namespaces/default/configmaps/one' });
    await page.until(({ messages }) => messages.length >= 3);
    page.send({ kind: 'follow', id: 4, path: '/ha/v1/changes' });
    page.send({ kind: 'follow', id: 5, path: CONFIG_MAPS });
    await page.until(({ messages }) => messages.length >= 5);

    const refused = page.messages.map(({ kind, id, status }) => ({ kind, id, status }));
    expect(refused.toSorted((one, other) => Number(one.id) - Number(other.id))).toEqual([
      { kind: 'refused', id: 1, status: 403 },
      { kind: 'refused', id: 2, status: expect.any(Number) },
      { kind: 'refused', id: 3, status: 400 },
      { kind: 'refused', id: 4, status: 404 },
      { kind: 'refused', id: 5, status: 429 },
    ]);
  });

  it.each(['{', '[]', '{"kind":"follow"}', '{"kind":"shout","id":1}'])('is closed when it sends %s', async (text) => {
    const page = await Page.open(cookie);

    page.sendText(text);

    expect(await page.closed).toMatchObject({ code: 'closed', closeCode: 4400 });
  });

  it('learns that it was signed out, and so do its other pages', async () => {
    const own = await bed.signIn(bed.adminToken);
    const page = await Page.open(own);
    page.send({ kind: 'follow', id: 1, path: CONFIG_MAPS });
    await page.until(({ known }) => known(1).isComplete);

    await bed.call('DELETE', '/session', { cookie: own });

    expect(await page.closed).toMatchObject({ code: 'closed', closeCode: 4401 });
    expect(page.messages.at(-1)).toEqual({ kind: 'signedOut' });
  });

  it('is signed out when what it asks for is asked as a user whom the API server does not know any more', async () => {
    const { url } = await bed.again({ limits: { checkMs: 2_000 } });
    const page = await Page.open(await bed.signIn(await bed.token('leaver', 'view')), { url });
    page.send({ kind: 'follow', id: 1, path: CONFIG_MAPS });
    await page.until(({ known }) => known(1).isComplete);
    let isClosed = false;
    const closed = page.closed.finally(() => (isClosed = true));

    await removeAccount('leaver');
    // Kubernetes believes a token for ten seconds after it has looked at it.
    const askAgain = (): boolean => {
      page.send({ kind: 'follow', id: 2, path: CONFIG_MAPS });
      return isClosed;
    };
    await expect.poll(askAgain, { timeout: 60_000, interval: 500 }).toBe(true);

    expect(await closed).toMatchObject({ closeCode: 4401 });
  });

  it('is signed out when its account is gone, although it only watches what it was let see before', async () => {
    const { url } = await bed.again({ limits: { checkMs: 200 } });
    const page = await Page.open(await bed.signIn(await bed.token('onlooker', 'view')), { url });
    page.send({ kind: 'follow', id: 1, path: CONFIG_MAPS });
    await page.until(({ known }) => known(1).isComplete);

    await removeAccount('onlooker');

    expect(await page.closed).toMatchObject({ code: 'closed', closeCode: 4401 });
    expect(page.messages.at(-1)).toEqual({ kind: 'signedOut' });
  });

  it('notices a restart of the API server by a reset at most', { timeout: 60_000 }, async () => {
    const page = await Page.open(cookie);
    page.send({ kind: 'follow', id: 1, path: CONFIG_MAPS });
    await page.until(({ known }) => known(1).isComplete);

    await bed.stopServer();
    await page.until(({ messages }) => messages.some(({ kind }) => kind === 'broken'));
    const during = await bed.call('GET', '/session', { cookie });
    await bed.startServer();
    await create(CONFIG_MAPS, 'after');
    await page.until(({ known }) => known(1).objects.has('default/after'));

    expect(during.status).toBe(503);
    const kinds = page.messages.map(({ kind, isReset }) => (isReset === true ? 'reset' : kind));
    expect(kinds.lastIndexOf('reset')).toBeGreaterThan(kinds.lastIndexOf('broken'));
    expect(kinds).not.toContain('signedOut');
  });
});

it('a page that takes nothing costs bounded memory, and sees everything anew once it does', async () => {
  // A pair of streams in the place of a connection: it has no buffers of an operating system, so it is full at once.
  const [near, far] = duplexPair();
  const around = { head: Buffer.alloc(0), protocol: '' };
  const page = new Page(new WebSocketStream(far, { ...around, isServer: false }), true);
  const dropped = Promise.withResolvers<void>();
  const never = new AbortController().signal;
  const live = new LiveConnection(
    {
      client: bed.admin,
      openChanges: undefined,
      clock: systemClock,
      random: Math.random,
      limits: { mostFollows: 3, mostWaitingBytes: 100_000, patienceMs: 100 },
      signedOut: never,
      stopping: never,
      onFollows: () => undefined,
      onUserUnknown: () => undefined,
      onDropped: () => dropped.resolve(),
      onFault: dropped.reject,
    },
    new WebSocketStream(near, { ...around, isServer: true }),
  );
  open.defer(() => void [near, far].map((each) => each.destroy()));
  const served = live.serve().catch((error: unknown) => error);

  page.send({ kind: 'follow', id: 1, path: MANY });
  await dropped.promise;
  page.resume();
  await page.until(({ known }) => known(1).isComplete);
  far.destroy();

  expect([...page.known(1).objects.keys()].filter((key) => key.startsWith('many/map-'))).toHaveLength(1_000);
  expect(page.messages.filter(({ isReset }) => isReset === true).length).toBe(2);
  expect(await served).toMatchObject({ code: 'connection' });
});

it('a page whose token is refused once is told that it is broken, and who it is is asked, but it is not signed out', async () => {
  const identity = { kind: 'token', token: { kind: 'text', text: 'of nobody' } } as const;
  await using client = new KubeClient({ config: { ...bed.config, identity }, userAgent: 'nobody/1' });
  const doubted = Promise.withResolvers<void>();
  const page = servePage({ client, onUserUnknown: () => doubted.resolve() });

  page.send({ kind: 'follow', id: 1, path: CONFIG_MAPS });
  await doubted.promise;
  await page.until(({ messages }) => messages.some(({ kind }) => kind === 'broken'));

  expect(page.messages.map(({ kind }) => kind)).not.toContain('signedOut');
});

it('ends within a second when the console stops, and says so', async () => {
  const server = await bed.again();
  const page = await Page.open(cookie, { url: server.url });
  const startedAt = performance.now();

  await server[Symbol.asyncDispose]();

  expect(await page.closed).toMatchObject({ closeCode: 1001, message: 'the console stops' });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

/** A page on a pair of streams in the place of a connection. */
function servePage(deps: Pick<LiveDeps, 'client' | 'onUserUnknown'>): Page {
  const [near, far] = duplexPair();
  const around = { head: Buffer.alloc(0), protocol: '' };
  const never = new AbortController().signal;
  const live = new LiveConnection(
    {
      ...deps,
      openChanges: undefined,
      clock: systemClock,
      random: Math.random,
      limits: { mostFollows: 3, mostWaitingBytes: 100_000, patienceMs: 10_000 },
      signedOut: never,
      stopping: never,
      onFollows: () => undefined,
      onDropped: () => undefined,
      onFault: () => undefined,
    },
    new WebSocketStream(near, { ...around, isServer: true }),
  );
  const served = live.serve().catch((error: unknown) => error);
  open.defer(async () => {
    far.destroy();
    near.destroy();
    await served;
  });
  return new Page(new WebSocketStream(far, { ...around, isServer: false }), false);
}

interface Known {
  objects: Map<string, JsonObject>;
  isComplete: boolean;
}

/** A page that keeps what it is told, as the real one does. */
class Page {
  readonly messages: JsonObject[] = [];
  readonly closed: Promise<unknown>;
  mostObjects = 0;
  readonly #stream: WebSocketStream;
  readonly #known = new Map<unknown, Known>();
  readonly #resumed = Promise.withResolvers<void>();
  #told = Promise.withResolvers<void>();

  constructor(stream: WebSocketStream, isPaused: boolean) {
    this.#stream = stream;
    if (!isPaused) this.resume();
    this.closed = this.#read().catch((error: unknown) => error);
  }

  static async open(own: string, { url = bed.console.url }: { readonly url?: string } = {}): Promise<Page> {
    const stream = await bed.open(`${url}/live`, own, { origin: url });
    open.defer(() => stream.destroy());
    return new Page(stream, false);
  }

  resume(): void {
    this.#resumed.resolve();
  }

  send(message: JsonObject): void {
    this.sendText(JSON.stringify(message));
  }

  sendText(text: string): void {
    // Whoever reads is told that it is closed.
    void this.#stream.writeText(text).catch(() => undefined);
  }

  readonly known = (id: number): Known => this.#known.get(id) ?? { objects: new Map(), isComplete: false };

  async until(isSo: (page: Page) => boolean): Promise<void> {
    while (!isSo(this)) await Promise.race([this.#told.promise, this.closed.then((why) => Promise.reject(why))]);
  }

  async #read(): Promise<void> {
    await this.#resumed.promise;
    for await (const text of this.#stream.messages(64 * 1_048_576)) {
      const frame = parseJson(text);
      if (!isJsonArray(frame)) throw new Error('a frame is an array');
      const messages = frame.filter((each) => isJsonObject(each));
      this.mostObjects = Math.max(
        this.mostObjects,
        messages.reduce((sum, each) => sum + listOf(each, 'put').length, 0),
      );
      for (const message of messages) this.#take(message);
      this.#told.resolve();
      this.#told = Promise.withResolvers();
    }
  }

  #take(message: JsonObject): void {
    this.messages.push(message);
    const known = this.#known.get(message['id']) ?? { objects: new Map(), isComplete: false };
    this.#known.set(message['id'], known);
    if (message['isReset'] === true) [known.objects, known.isComplete] = [new Map(), false];
    for (const object of listOf(message, 'put')) if (isJsonObject(object)) known.objects.set(keyOf(object), object);
    for (const key of listOf(message, 'gone')) known.objects.delete(String(key));
    if (message['isComplete'] === true) known.isComplete = true;
  }
}

function listOf(message: JsonObject, field: string): readonly unknown[] {
  const value = message[field];
  return isJsonArray(value) ? value : [];
}

function keyOf({ metadata }: JsonObject): string {
  const { namespace, name } = isJsonObject(metadata) ? metadata : {};
  return [namespace, name].filter((each) => typeof each === 'string').join('/');
}

async function create(path: string, name: string): Promise<void> {
  await bed.admin.request({ method: 'POST', path, body: JSON.stringify({ metadata: { name } }) });
}

async function removeAccount(name: string): Promise<void> {
  await bed.admin.request({ method: 'DELETE', path: `/api/v1/namespaces/default/serviceaccounts/${name}` });
}
