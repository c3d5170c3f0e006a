import { once } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Duplex } from 'node:stream';

import { acceptWebSocket, type WebSocketStream } from '@smalt/websocket';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runConsole, type MachineProgram } from './run-console.ts';
import { runVnc } from './run-vnc.ts';

let owned: AsyncDisposableStack;
let kubeconfig: string;
let asked: IncomingMessage[];
let keys: PassThrough;
let printed: string;
let told: string;
let exitCode: number;
let rawModes: boolean[];
let stop: AbortController;
let changed: () => void;

/** What the API server does with who asks for an upgrade. */
let answer: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

beforeEach(async () => {
  owned = new AsyncDisposableStack();
  asked = [];
  [printed, told, exitCode, rawModes] = ['', '', 0, []];
  keys = new PassThrough();
  stop = new AbortController();
  changed = () => undefined;
  kubeconfig = await startServer();
});

afterEach(() => owned.disposeAsync());

describe('smalt console', () => {
  it('goes both ways by way of the API server, and is left by Ctrl-]', async () => {
    serve(async (stream) => {
      await stream.write(Buffer.from('web login: '));
      for await (const bytes of stream) await stream.write(Buffer.concat([Buffer.from('echo '), bytes]));
    });
    const running = runConsole(program(), 'web', { kubeconfig, namespace: 'shop' });
    await until(() => printed.includes('login: '));
    keys.write('root');
    await until(() => printed.includes('echo root'));

    keys.write(Buffer.from('x\u001dnot for the guest'));
    await running;

    expect(asked[0]?.url).toBe('/apis/subresources.kubevirt.io/v1/namespaces/shop/virtualmachineinstances/web/console');
    expect(asked[0]?.headers.authorization).toBe('Bearer secret');
    expect(told).toContain('Ctrl-] leaves it');
    expect(printed).not.toContain('not for the guest');
    expect([exitCode, rawModes]).toEqual([0, [true, false]]);
  });

  it('says that the guest has ended', async () => {
    serve(async (stream) => {
      await stream.write(Buffer.from('bye\r\n'));
      await stream.close();
    });

    await runConsole(program(), 'web', { kubeconfig });

    expect([printed, exitCode]).toEqual(['bye\r\n', 0]);
    expect(told).toContain('the console has ended');
  });

  it('says why it was lost, and ends with 1', async () => {
    serve((stream) => stream.close(1001, 'somebody else has opened it\u001b[2J'));

    await runConsole(program(), 'web', { kubeconfig });

    expect(told).toContain(String.raw`the console was lost: somebody else has opened it\u{1b}[2J`);
    expect([exitCode, rawModes]).toEqual([1, [true, false]]);
  });

  it('ends with the process', async () => {
    serve(async (stream) => {
      await stream.write(Buffer.from('here'));
      for await (const bytes of stream) expect(bytes.length).toBeGreaterThan(0);
    });
    const running = runConsole(program(), 'web', { kubeconfig });
    await until(() => printed === 'here');

    stop.abort();
    await running;

    expect(rawModes).toEqual([true, false]);
  });

  it.each([
    [409, 'VMI is not running', 'kubectl -n default get vms shows how they are'],
    [404, 'virtualmachineinstances "web" not found', 'a machine that is off has none'],
    [403, 'not you', 'ask for a role'],
  ])('says what the API server said, and what to do, for %i', async (code, message, next) => {
    refuse(code, JSON.stringify({ kind: 'Status', message }));

    const failure = runConsole(program(), 'web', { kubeconfig });

    await expect(failure).rejects.toMatchObject({
      code: 'no-stream',
      message: expect.stringContaining(`the console of web in default cannot be opened: ${message}\n`),
    });
    await expect(failure).rejects.toThrow(next);
    expect(rawModes).toEqual([]);
  });

  it('says who did not answer in the words of the API', async () => {
    refuse(502, '<html>');

    await expect(runConsole(program(), 'web', { kubeconfig })).rejects.toThrow('the API server answered with 502');
  });
});

describe('smalt vnc', () => {
  it('offers the display to a viewer until Ctrl-C', async () => {
    serve(async (stream) => {
      await stream.write(Buffer.from('RFB 003.008\n'));
      for await (const bytes of stream) await stream.write(bytes);
    });
    const running = runVnc(program(), 'web', { kubeconfig, port: 0, polite: true });
    await until(() => told.includes('Ctrl-C'));
    const viewer = connect(Number(/127\.0\.0\.1:(\d+)/.exec(told)?.[1]), '127.0.0.1').on('error', () => undefined);
    const [first]: Buffer[] = await once(viewer, 'data');
    viewer.write('hello');
    const [second]: Buffer[] = await once(viewer, 'data');
    const gone = once(viewer, 'close');

    stop.abort();
    await Promise.all([running, gone]);

    expect([String(first), String(second)]).toEqual(['RFB 003.008\n', 'hello']);
    expect(asked[0]?.url).toMatch(/\/vnc\?preserveSession=true$/);
  });

  it('tells what cannot be opened before anybody starts a viewer', async () => {
    refuse(400, JSON.stringify({ message: 'No graphics devices are present' }));

    const failure = runVnc(program(), 'web', { kubeconfig, port: 0, polite: false });

    await expect(failure).rejects.toThrow('No graphics devices are present');
    expect(told).toBe('');
  });
});

function program(): MachineProgram {
  return {
    environment: {},
    input: {
      isTerminal: true,
      bytes: keys.iterator({ destroyOnReturn: false }),
      setRaw: (isRaw) => rawModes.push(isRaw),
    },
    output: {
      write: async (data) => {
        printed += Buffer.from(data).toString();
        changed();
      },
    },
    errors: {
      write: (text) => {
        told += text;
        changed();
      },
    },
    signal: stop.signal,
    setExitCode: (code) => (exitCode = code),
  };
}

function serve(handle: (stream: WebSocketStream) => Promise<void>): void {
  answer = (request, socket, head) => {
    const stream = acceptWebSocket({ request, socket, head, protocols: ['plain.kubevirt.io'] });
    handle(stream).catch(() => stream.destroy());
  };
}

function refuse(code: number, body: string): void {
  answer = (_request, socket) => {
    socket.end(`HTTP/1.1 ${code} No\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
  };
}

/** Gives the kubeconfig of a server that answers as the test says. */
async function startServer(): Promise<string> {
  const server = owned.use(createServer()).listen(0, '127.0.0.1');
  const sockets: Duplex[] = [];
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    asked.push(request);
    sockets.push(socket.on('error', () => undefined));
    answer(request, socket, head);
  });
  owned.defer(() => sockets.forEach((socket) => socket.destroy()));
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const { path } = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-console-')));
  const file = join(path, 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'u', user: { token: 'secret' } }],
  };
  await writeFile(file, JSON.stringify(config));
  return file;
}

async function until(isSo: () => boolean): Promise<void> {
  const reached = Promise.withResolvers<void>();
  changed = () => {
    if (isSo()) reached.resolve();
  };
  changed();
  await reached.promise;
}
