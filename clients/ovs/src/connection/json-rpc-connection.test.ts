import type { Socket } from 'node:net';

import type { JsonRpcMessage } from '@smalt/json-rpc';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { OvsError } from '../ovs-error.ts';
import { systemClock } from './clock.ts';
import { connectSocket } from './connect-socket.ts';
import { type FakeBehaviour, startFakeServer } from './fixtures/fake-server.ts';
import { ManualClock } from './fixtures/manual-clock.ts';
import { JsonRpcConnection, type JsonRpcOptions } from './json-rpc-connection.ts';

describe('JsonRpcConnection', () => {
  let owned: AsyncDisposableStack;

  beforeEach(() => {
    owned = new AsyncDisposableStack();
  });

  afterEach(async () => {
    await owned.disposeAsync();
  });

  it('matches answers to requests in whatever order and pieces they come', async () => {
    const waiting: JsonRpcMessage[] = [];
    const connection = await connect((message, socket) => {
      waiting.push(message);
      if (waiting.length === 2) for (const byte of answers(waiting.toReversed())) socket.write(Buffer.of(byte));
    });

    const results = await Promise.all([connection.call('first', []), connection.call('second', [])]);

    expect(results).toEqual(['first', 'second']);
  });

  it('takes several messages from one chunk', async () => {
    const told: string[] = [];
    const connection = await connect(
      (message, socket) =>
        socket.write(
          `{"id":null,"method":"a","params":[]}\n${answers([message]).toString()}{"id":null,"method":"b","params":[]}`,
        ),
      { onNotification: (method) => told.push(method) },
    );

    await connection.call('ask', []);

    expect(told).toEqual(['a', 'b']);
  });

  it('answers the echo of the server, and says no to anything else it asks', async () => {
    const heard: JsonRpcMessage[] = [];
    const connection = await connect((message, socket) => {
      heard.push(message);
      if (message.kind !== 'request') return;
      if (message.method === 'begin')
        socket.write('{"id":"echo","method":"echo","params":["x"]}{"id":7,"method":"steal","params":[]}');
      if (message.method === 'end') socket.write(answers([message]));
    });

    connection.call('begin', []).catch(() => undefined);
    await expect.poll(() => heard).toHaveLength(3);

    expect(heard.slice(1)).toEqual([
      { kind: 'result', id: 'echo', result: ['x'] },
      { kind: 'error', id: 7, error: 'unknown method' },
    ]);
  });

  it.each([
    { error: '"no such bond\\n"', text: 'no such bond' },
    { error: '{"error":"syntax error","details":"no db"}', text: 'syntax error: no db' },
    { error: '{"strange":1}', text: '{"strange":1}' },
    { error: '5', text: '5' },
  ])('tells the error $error as it was meant', async ({ error, text }) => {
    const connection = await connect((_message, socket) => socket.write(`{"id":1,"result":null,"error":${error}}`));

    await expect(connection.call('ask', [])).rejects.toMatchObject({ code: 'refused', message: text });
  });

  it.each([
    { what: 'garbage', bytes: 'HTTP/1.1 400 Bad Request', code: 'protocol' },
    { what: 'a message that never ends', bytes: `{"id":1,"result":"${'x'.repeat(5000)}`, code: 'too-large' },
    { what: 'deep nesting', bytes: '['.repeat(200), code: 'protocol' },
    { what: 'a list', bytes: '[1]', code: 'protocol' },
    { what: 'an answer to nothing', bytes: '{"id":99,"result":1,"error":null}', code: 'protocol' },
    { what: 'an answer with an id that was never used', bytes: '{"id":"a","result":1,"error":null}', code: 'protocol' },
    { what: 'a field called __proto__', bytes: '{"id":1,"result":{"__proto__":1},"error":null}', code: 'protocol' },
    { what: 'a notification without params', bytes: '{"id":null,"method":"update"}', code: 'protocol' },
  ])('ends on $what, and tells every request why', async ({ bytes, code }) => {
    const connection = await connect((_message, socket) => socket.write(bytes), { maxMessageBytes: 4096 });

    const [call] = await Promise.allSettled([connection.call('ask', [])]);
    const reason = await connection.closed;
    const [later] = await Promise.allSettled([connection.call('again', [])]);

    expect(reason).toMatchObject({ code });
    expect([call, later]).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
  });

  it('fails every request when the server hangs up', async () => {
    const connection = await connect((_message, socket) => socket.destroy());

    await expect(connection.call('ask', [])).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('gives a request up at its deadline, and takes its late answer for what it is', async () => {
    const clock = new ManualClock();
    const warnings: string[] = [];
    const asked = Promise.withResolvers<Socket>();
    const connection = await connect(
      (message, socket) => {
        if (message.kind === 'request' && message.method === 'slow') asked.resolve(socket);
        else socket.write(answers([message]));
      },
      { clock, onWarning: ({ kind }) => warnings.push(kind) },
    );

    const slow = connection.call('slow', [], { timeoutMs: 50 });
    const socket = await asked.promise;
    clock.advance(50);
    await expect(slow).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('slow within 50 ms'),
    });
    socket.write('{"id":1,"result":"late","error":null}');
    const next = await connection.call('quick', []);

    expect([next, warnings]).toEqual(['quick', ['late-reply']]);
  });

  it('gives a request up when its signal fires, and sends none whose signal has fired', async () => {
    const heard: JsonRpcMessage[] = [];
    const connection = await connect((message) => heard.push(message));
    const controller = new AbortController();

    const call = connection.call('ask', [], { signal: controller.signal });
    await expect.poll(() => heard).toHaveLength(1);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    await expect(connection.call('never', [], { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });

    expect(heard).toHaveLength(1);
  });

  it('takes no more than 1024 requests without an answer', async () => {
    const connection = await connect(() => undefined);
    const calls = Array.from({ length: 1024 }, () => connection.call('ask', []));

    await expect(connection.call('one more', [])).rejects.toMatchObject({ code: 'queue-full' });
    connection.close();

    const codes = (await Promise.allSettled(calls)).map(
      (call) => call.status === 'rejected' && (call.reason as OvsError).code,
    );
    expect(new Set(codes)).toEqual(new Set(['closed']));
  });

  it('ends when the server asks without end and reads no answer', async () => {
    const question = `{"id":1,"method":"echo","params":["${'x'.repeat(100_000)}"]}`;
    const connection = await connect(
      () => undefined,
      {},
      (socket) => {
        socket.pause();
        const ask = (): void => {
          while (!socket.destroyed && socket.write(question));
          socket.once('drain', ask);
        };
        ask();
      },
    );

    expect(await connection.closed).toMatchObject({
      code: 'protocol',
      message: expect.stringContaining('does not read'),
    });
  });

  async function connect(
    behave: FakeBehaviour,
    options: Partial<JsonRpcOptions> = {},
    onConnection?: (socket: Socket) => void,
  ): Promise<JsonRpcConnection> {
    const server = owned.use(await startFakeServer(behave, onConnection));
    const socket = await connectSocket({ kind: 'unix', path: server.path }, { timeoutMs: 5000 });
    return owned.use(
      new JsonRpcConnection(socket, {
        remote: 'unix:fake',
        clock: systemClock,
        requestTimeoutMs: 10_000,
        maxMessageBytes: 1 << 20,
        onNotification: () => undefined,
        onHeard: () => undefined,
        onWarning: () => undefined,
        ...options,
      }),
    );
  }
});

/** Each request answered with the name of its method. */
function answers(messages: readonly JsonRpcMessage[]): Buffer {
  return Buffer.from(
    messages
      .map((message) => (message.kind === 'request' ? { id: message.id, result: message.method, error: null } : {}))
      .map((answer) => JSON.stringify(answer))
      .join(''),
  );
}
