import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, it } from 'vitest';

import { ApiError } from '../api/api-error.ts';
import { openStream, type StreamState } from './open-stream.ts';
import { whyRefused } from './why-refused.ts';

it.each([403, 404])('is not tried again once the server has answered %i', async (status) => {
  await using server = await startRefusingServer(status);
  const world = open(server.url, status);

  await expect.poll(() => world.states.at(-1)).toEqual({ kind: 'refused', message: `said ${status}` });

  expect(world.waiting()).toBe(0);
  expect(world.attempts()).toBe(1);
});

it.each([
  [401, 'said 401'],
  [503, 'said 503'],
  [400, ''],
])('is tried again after %i', async (status, message) => {
  await using server = await startRefusingServer(status);
  const world = open(server.url, status);

  await expect.poll(() => world.states.at(-1)).toEqual({ kind: 'lost', message });
  const states = world.states.length;
  world.runWaiting();
  await expect.poll(() => world.states.length).toBeGreaterThan(states);
  world.close();

  expect(world.attempts()).toBe(2);
});

it('does not end a later attempt by the answer to an earlier one', async () => {
  await using server = await startRefusingServer(403);
  const answers: ((refusal: { readonly message: string; readonly isFinal: boolean }) => void)[] = [];
  const world = open(server.url, 403, () => new Promise((resolve) => answers.push(resolve)));

  await expect.poll(() => answers.length).toBe(1);
  world.runWaiting();
  answers[0]?.({ message: 'of the first', isFinal: true });
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.({ message: 'of the second', isFinal: true });

  await expect.poll(() => world.states.at(-1)).toEqual({ kind: 'refused', message: 'of the second' });
  expect(world.states).not.toContainEqual({ kind: 'refused', message: 'of the first' });
});

interface World {
  readonly states: StreamState[];
  /** How many attempts are still to come. */
  readonly waiting: () => number;
  readonly attempts: () => number;
  readonly runWaiting: () => void;
  readonly close: () => void;
}

/** A stream whose next attempt comes when a test wants it. */
function open(url: string, status: number, ask?: Parameters<typeof openStream>[0]['whyRefused']): World {
  const states: StreamState[] = [];
  const waiting = new Set<() => void>();
  let attempts = 0;
  const failure = new ApiError({ code: 'failed', status, message: `said ${status}` });
  const close = openStream({
    connect: () => {
      attempts += 1;
      return new WebSocket(url);
    },
    whyRefused: ask ?? (() => whyRefused({ call: () => Promise.reject(failure) }, '/log')),
    onMessage: () => undefined,
    onOpen: () => undefined,
    onState: (state) => states.push(state),
    later: (run) => {
      waiting.add(run);
      return () => waiting.delete(run);
    },
    random: () => 0,
  });
  const runWaiting = (): void => {
    const due = [...waiting];
    waiting.clear();
    for (const run of due) run();
  };
  return { states, waiting: () => waiting.size, attempts: () => attempts, runWaiting, close };
}

async function startRefusingServer(status: number): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer();
  server.on('upgrade', (_request, socket) => {
    socket.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/log`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
