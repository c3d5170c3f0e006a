import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { acceptWebSocket } from '@smalt/websocket';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readConsole } from './read-console.ts';

const STATUSES: Readonly<Record<string, number>> = { '/gone': 404, '/off': 409, '/broken': 502 };
let server: Server;

beforeAll(async () => {
  server = createServer().on('upgrade', (request, socket, head) => {
    const status = STATUSES[request.url ?? ''];
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} no\r\nContent-Length: 0\r\n\r\n`);
    void answer(acceptWebSocket({ request, socket, head, protocols: ['plain.kubevirt.io'] }), request.url === '/ends');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

describe('readConsole', () => {
  it('gives what a guest says to an empty line until the console ends', async () => {
    expect(await read('/ends', 60_000)).toBe('\r\nprobe-1 login: ');
  });

  it('gives what came in the time that there was', async () => {
    expect(await read('/stays', 300)).toBe('\r\nprobe-1 login: ');
  });

  it.each([
    ['/gone', 'not-found'],
    ['/off', 'conflict'],
    ['/broken', 'unavailable'],
  ])('of %s is a failure: %s', async (path, code) => {
    await expect(read(path, 60_000)).rejects.toMatchObject({ code, message: expect.stringContaining('shop/probe-1') });
  });

  it('is given up when nobody waits for it any more', async () => {
    await expect(read('/stays', 60_000, AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });
  });
});

async function read(path: string, forMs: number, signal: AbortSignal = AbortSignal.timeout(30_000)): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const target = { url: new URL(`http://127.0.0.1:${port}${path}`), headers: {}, tls: { rejectUnauthorized: true } };
  return await readConsole(target, { instance: 'shop/probe-1', forMs, signal });
}

async function answer(stream: ReturnType<typeof acceptWebSocket>, ends: boolean): Promise<void> {
  try {
    for await (const bytes of stream) {
      if (Buffer.from(bytes).toString() === '\n') await stream.write(Buffer.from('\r\nprobe-1 login: '));
      if (ends) await stream.close();
    }
  } catch {
    // The other side ends the connection when it has heard enough.
  }
}
