import { once } from 'node:events';

import { type JsonRpcMessage, printMessage } from '@smalt/json-rpc';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type FakeBehaviour, startFakeServer } from '../connection/fixtures/fake-server.ts';
import { ManualClock } from '../connection/fixtures/manual-clock.ts';
import { openUnixctl, type UnixctlOptions } from './open-unixctl.ts';
import type { Unixctl } from './unixctl.ts';

describe('a control socket', () => {
  let owned: AsyncDisposableStack;

  beforeEach(() => {
    owned = new AsyncDisposableStack();
  });

  afterEach(async () => {
    await owned.disposeAsync();
  });

  it('runs commands one behind the other without waiting in between', async () => {
    const asked: JsonRpcMessage[] = [];
    const unixctl = await open((message, socket) => {
      asked.push(message);
      if (asked.length === 3) for (const each of asked) socket.write(answer(each));
    });

    const texts = await Promise.all(['a', 'b', 'c'].map((name) => unixctl.run('echo', [name])));

    expect(texts).toEqual(['a', 'b', 'c']);
  });

  it('gives lines as they end everywhere else', async () => {
    const unixctl = await open((message, socket) => socket.write(answer(message)));

    expect(await unixctl.run('echo', ['one\r\ntwo\r\n'])).toBe('one\ntwo\n');
  });

  it('takes an answer byte by byte', async () => {
    const unixctl = await open((message, socket) => {
      for (const byte of Buffer.from(answer(message))) socket.write(Buffer.of(byte));
    });

    expect(await unixctl.run('echo', ['größer'])).toBe('größer');
  });

  it('passes on what the daemon says against it, and goes on', async () => {
    const unixctl = await open((message, socket) =>
      socket.write(method(message) === 'no' ? refusal(message, 'no such bond\n') : answer(message)),
    );

    await expect(unixctl.run('no')).rejects.toMatchObject({ code: 'refused', message: 'no such bond' });
    expect(await unixctl.run('echo', ['still here'])).toBe('still here');
  });

  it('is given up when a command is not answered in time, with all that wait behind it', async () => {
    const clock = new ManualClock();
    const reached = Promise.withResolvers<void>();
    const unixctl = await open(() => reached.resolve(), { clock, requestTimeoutMs: 5000 });
    const first = unixctl.run('bond/show');
    const second = unixctl.run('version', [], { timeoutMs: 60_000 });
    await reached.promise;

    clock.advance(5000);

    await expect(first).rejects.toMatchObject({ code: 'timeout' });
    await expect(second).rejects.toMatchObject({ code: 'timeout' });
    expect(unixctl.isClosed).toBe(true);
    await expect(unixctl.run('version')).rejects.toMatchObject({ code: 'timeout' });
  });

  it('goes on when a caller does not want to wait any longer', async () => {
    const held: JsonRpcMessage[] = [];
    const abort = new AbortController();
    const unixctl = await open((message, socket) => {
      if (method(message) === 'slow') {
        held.push(message);
        abort.abort();
        return;
      }
      for (const each of [...held, message]) socket.write(answer(each));
    });

    await expect(unixctl.run('slow', [], { signal: abort.signal })).rejects.toMatchObject({ code: 'aborted' });

    expect(await unixctl.run('echo', ['next'])).toBe('next');
  });

  it.each([
    {
      what: 'an answer that is longer than allowed',
      sent: `{"id":1,"error":null,"result":"${'x'.repeat(2000)}`,
      code: 'too-large',
    },
    { what: 'garbage', sent: 'HTTP/1.1 400 Bad Request\r\n\r\n', code: 'protocol' },
    { what: 'an answer that is no text', sent: '{"id":1,"result":{"a":1},"error":null}', code: 'protocol' },
    { what: 'something that nobody asked for', sent: '{"id":null,"method":"update","params":[]}', code: 'protocol' },
    { what: 'nesting without end', sent: '['.repeat(900), code: 'protocol' },
  ])('refuses $what', async ({ sent, code }) => {
    const unixctl = await open((_message, socket) => socket.write(sent), { maxReplyBytes: 1000 });

    await expect(unixctl.run('version')).rejects.toMatchObject({ code });
  });

  it('says that it is closed when the daemon has gone, then and afterwards', async () => {
    const unixctl = await open((_message, socket) => socket.destroy());

    await expect(unixctl.run('version')).rejects.toMatchObject({ code: 'closed' });

    expect(unixctl.isClosed).toBe(true);
    await expect(unixctl.run('version')).rejects.toMatchObject({ code: 'closed' });
  });

  it('says that nothing listens where nothing does', async () => {
    const server = await startFakeServer(() => undefined);
    await server[Symbol.asyncDispose]();
    const unixctl = owned.use(openUnixctl({ socket: server.path }));

    await expect(unixctl.run('version')).rejects.toMatchObject({ code: 'unreachable' });
    expect(unixctl.isClosed).toBe(true);
  });

  it('hangs up when it is disposed of', async () => {
    const server = owned.use(await startFakeServer((message, socket) => socket.write(answer(message))));
    const unixctl = openUnixctl({ socket: server.path });
    await unixctl.run('echo', ['hello']);
    const [peer] = server.sockets;
    const ended = peer === undefined ? undefined : once(peer, 'close');

    await unixctl[Symbol.asyncDispose]();
    await ended;

    await expect(unixctl.run('version')).rejects.toMatchObject({ code: 'closed' });
  });

  it.each([
    { command: 'version; rm', parameters: [] },
    { command: '', parameters: [] },
    { command: '--help', parameters: [] },
    { command: 'bond/show', parameters: ['a\0b'] },
  ])('sends nothing for $command with $parameters', async ({ command, parameters }) => {
    let messages = 0;
    const unixctl = await open(() => void messages++);

    await expect(unixctl.run(command, parameters)).rejects.toMatchObject({ code: 'invalid-argument' });

    expect(messages).toBe(0);
  });

  async function open(behave: FakeBehaviour, options: Partial<UnixctlOptions> = {}): Promise<Unixctl> {
    const server = owned.use(await startFakeServer(behave));
    return owned.use(openUnixctl({ socket: server.path, ...options }));
  }
});

/** The first parameter, or the command itself. */
function answer(message: JsonRpcMessage): string {
  if (message.kind !== 'request') throw new Error('not a request');
  return printMessage({ kind: 'result', id: message.id, result: message.params[0] ?? message.method });
}

function refusal(message: JsonRpcMessage, error: string): string {
  if (message.kind !== 'request') throw new Error('not a request');
  return printMessage({ kind: 'error', id: message.id, error });
}

function method(message: JsonRpcMessage): string {
  return message.kind === 'request' ? message.method : '';
}
