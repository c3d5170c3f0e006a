import type { Socket } from 'node:net';

import type { JsonValue } from '@smalt/json';
import type { JsonRpcMessage } from '@smalt/json-rpc';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type FakeServer, startFakeServer } from '../connection/fixtures/fake-server.ts';
import type { OvsWarning } from '../connection/ovs-warning.ts';
import { parseRemote } from '../connection/parse-remote.ts';
import { openOvsdb } from './open-ovsdb.ts';
import type { Ovsdb } from './ovsdb.ts';
import type { OvsdbOptions } from './ovsdb-options.ts';
import type { TableKinds } from './values/column-kind.ts';

const tables = { Port: { name: 'string', external_ids: 'map' } } as const satisfies TableKinds;
const A = '00000000-0000-4000-8000-00000000000a';
const B = '00000000-0000-4000-8000-00000000000b';
const ZERO = '00000000-0000-0000-0000-000000000000';
const schema = {
  name: 'Test',
  version: '1.0.0',
  tables: {
    Port: {
      columns: {
        name: { type: 'string' },
        external_ids: { type: { key: 'string', value: 'string', min: 0, max: 'unlimited' } },
      },
    },
  },
};
const dump = [false, ZERO, { Port: { [A]: { initial: { name: 'a' } } } }];

describe('a server that does not behave', () => {
  let owned: AsyncDisposableStack;
  let server: FakeServer;
  let warnings: OvsWarning[];
  /** What is answered to each method, instead of what is right: JSON, raw text, or nothing at all. */
  let wrong: Record<string, JsonValue | undefined>;
  let requests: JsonRpcMessage[];

  beforeEach(async () => {
    owned = new AsyncDisposableStack();
    warnings = [];
    wrong = {};
    requests = [];
    server = owned.use(await startFakeServer(behave));
  });

  afterEach(async () => {
    await owned.disposeAsync();
  });

  it.each<{ readonly what: string; readonly method: string; readonly answer: JsonValue; readonly why: RegExp }>([
    { what: 'a schema that is none', method: 'get_schema', answer: [1, 2], why: /schema is no object/ },
    { what: 'garbage', method: 'get_schema', answer: 'raw:\u0000\u0001', why: /cannot be used/ },
    { what: 'rows that are none', method: 'monitor_cond_since', answer: [false, ZERO, 5], why: /no object but 5/ },
    { what: 'something else than a dump', method: 'monitor_cond_since', answer: { a: 1 }, why: /answered \{"a":1\}/ },
    {
      what: 'a row of the wrong type',
      method: 'monitor_cond_since',
      answer: [false, ZERO, { Port: { [A]: { initial: { external_ids: 'x' } } } }],
      why: /Port: external_ids: "x" is no map/,
    },
    {
      what: 'a dump without end',
      method: 'monitor_cond_since',
      answer: `raw:{"id":2,"a":"${'x'.repeat(70_000)}`,
      why: /longer than/,
    },
    {
      what: 'a dump that nests without end',
      method: 'monitor_cond_since',
      answer: `raw:${'['.repeat(500)}`,
      why: /deeper/,
    },
    {
      what: 'an answer to what nobody asked',
      method: 'monitor_cond_since',
      answer: 'raw:{"id":77,"result":1}',
      why: /never asked/,
    },
  ])('says so when it sends $what, and reads it once that is mended', async ({ method, answer, why }) => {
    wrong = { [method]: answer };
    const ovsdb = open();

    await expect.poll(() => ovsdb.state).toMatchObject({ kind: 'disconnected', why: expect.stringMatching(why) });
    wrong = {};
    await ovsdb.synchronized(soon());

    expect(names(ovsdb)).toEqual(['a']);
  });

  it('is silent when it accepts and never answers', async () => {
    wrong = { get_schema: undefined };
    const ovsdb = open({ requestTimeoutMs: 100 });

    await expect
      .poll(() => ovsdb.state)
      .toMatchObject({ kind: 'silent', why: expect.stringContaining('get_schema within 100 ms') });
    await expect(ovsdb.listDatabases()).rejects.toMatchObject({ code: 'unreachable' });
  });

  it.each<{ readonly what: string; readonly update: JsonValue; readonly why: RegExp }>([
    { what: 'a row that was never there', update: { Port: { [B]: { modify: { name: 'x' } } } }, why: /never there/ },
    { what: 'a table that nobody asked for', update: { Bridge: {} }, why: /nobody asked for/ },
    {
      what: 'a wrong type',
      update: { Port: { [A]: { modify: { name: 7 } }, [B]: { insert: {} } } },
      why: /7 is no string/,
    },
  ])('reads everything again after an update of $what, of which nothing was taken', async ({ update, why }) => {
    const ovsdb = open();
    await ovsdb.synchronized(soon());
    const before = ovsdb.cache.Port.get(A);
    const states: string[] = [];
    const sizes: number[] = [];
    ovsdb.subscribe(({ state }) => {
      states.push(state.why ?? state.kind);
      sizes.push(ovsdb.cache.Port.size);
    });

    tell('update3', ['smalt-1', B, update]);
    await expect.poll(() => states).toHaveLength(2);

    expect(states).toEqual([expect.stringMatching(why), 'connected']);
    expect([sizes, ovsdb.cache.Port.get(A) === before]).toEqual([[1, 1], true]);
    const asked = requests.filter((message) => message.kind === 'request' && message.method === 'monitor_cond_since');
    expect(asked.map((message) => ('params' in message ? message.params[3] : undefined))).toEqual([ZERO, ZERO]);
  });

  it('asks a server that knows its last transaction only for what came after it', async () => {
    wrong = { monitor_cond_since: [false, A, { Port: { [A]: { initial: { name: 'a' } } } }] };
    const ovsdb = open();
    await ovsdb.synchronized(soon());
    tell('update3', ['smalt-1', B, { Port: { [B]: { insert: { name: 'b' } } } }]);
    await expect.poll(() => names(ovsdb)).toEqual(['a', 'b']);

    wrong = { monitor_cond_since: [true, B, { Port: { [A]: { modify: { name: 'c' } } } }] };
    server.sockets.at(-1)?.destroy();
    await expect.poll(() => names(ovsdb)).toEqual(['b', 'c']);

    expect(requests.at(-1)).toMatchObject({ method: 'monitor_cond_since', params: ['Test', 'smalt-1', {}, B] });
  });

  it('takes updates that come in one piece with the first answer after it, in their order', async () => {
    const first = JSON.stringify({ id: 2, result: dump, error: null });
    const updates = ['b', 'c'].map((name) =>
      notification('update3', ['smalt-1', ZERO, { Port: { [A]: { modify: { name } } } }]),
    );
    wrong = { monitor_cond_since: `raw:${first}${updates.join('')}` };
    const ovsdb = open();
    const told: unknown[] = [];
    ovsdb.subscribe(({ rows }) => told.push(...rows));

    await ovsdb.synchronized(soon());

    expect(told).toMatchObject([{ kind: 'inserted', row: { name: 'c' } }]);
  });

  it('hangs up when updates come without end before the first answer', async () => {
    const update = notification('update3', ['smalt-1', ZERO, { Port: {} }]);
    wrong = { monitor_cond_since: `raw:${update.repeat(10_001)}` };
    const ovsdb = open();

    await expect.poll(() => ovsdb.state.why).toContain('no first answer');
  });

  it('leaves alone what it does not know, and says so', async () => {
    const ovsdb = open();
    await ovsdb.synchronized(soon());

    tell('update3', ['somebody', B, { Port: {} }]);
    tell('stolen', ['lock']);
    tell('update3', ['smalt-1', B, { Port: { [B]: { insert: { name: 'b' } } } }]);
    await expect.poll(() => names(ovsdb)).toEqual(['a', 'b']);

    expect(warnings.map(({ kind }) => kind)).toEqual(['unknown-notification']);
  });

  it('connects anew when it is told that the database is gone', async () => {
    const ovsdb = open();
    await ovsdb.synchronized(soon());

    tell('monitor_canceled', ['smalt-1']);
    await expect.poll(() => server.sockets.length).toBe(2);
    await ovsdb.synchronized(soon());

    expect(warnings).toMatchObject([{ kind: 'lost-connection', message: expect.stringContaining('no longer serves') }]);
  });

  it.each([{ value: { echoMs: 0 } }, { value: { requestTimeoutMs: -1 } }, { value: { target: { endpoints: [] } } }])(
    'is not even tried with $value',
    ({ value }) => {
      expect(() => open(value)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
    },
  );

  function behave(message: JsonRpcMessage, socket: Socket): void {
    requests.push(message);
    if (message.kind !== 'request') return;
    const { id, method } = message;
    const right: Record<string, JsonValue> = { get_schema: schema, monitor_cond_since: dump, echo: [] };
    const answer = Object.hasOwn(wrong, method) ? wrong[method] : right[method];
    if (answer === undefined) return;
    if (typeof answer === 'string' && answer.startsWith('raw:')) socket.write(answer.slice(4));
    else socket.write(JSON.stringify({ id, result: answer, error: null }));
  }

  function tell(method: string, params: readonly JsonValue[]): void {
    server.sockets.at(-1)?.write(notification(method, params));
  }

  function open(options: Partial<OvsdbOptions<typeof tables>> = {}): Ovsdb<typeof tables> {
    const target = parseRemote(`unix:${server.path}`);
    const backOff = { initialMs: 5, maxMs: 20 };
    const common = { database: 'Test', tables, backOff, maxMessageBytes: 65_536 };
    return owned.use(openOvsdb({ target, ...common, onWarning: (warning) => warnings.push(warning), ...options }));
  }
});

function notification(method: string, params: readonly JsonValue[]): string {
  return JSON.stringify({ id: null, method, params });
}

function names(ovsdb: Ovsdb<typeof tables>): readonly string[] {
  return [...ovsdb.cache.Port.values()].map(({ name }) => name).toSorted();
}

function soon(): AbortSignal {
  return AbortSignal.timeout(20_000);
}
