import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { unauthorizedError } from '../errors/make-status-error.ts';
import { ANONYMOUS, type User } from '../identity/user.ts';
import { ApiHandler } from './api-handler.ts';
import type { ApiHandlerSteps, Incoming, Outcome, Requester } from './api-steps.ts';
import { readBody } from './read-body.ts';
import { RequestMetrics } from './request-metrics.ts';

it('answers a fault of its own with 500, logs it, and goes on', async () => {
  const lines: string[] = [];
  await using server = await serve({ serve: () => Promise.reject(new Error('a secret detail')) }, lines);

  const answer = await fetch(`${server.url}/api/v1/pods`);

  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({
    kind: 'Status',
    reason: 'InternalError',
    message: "Internal error occurred: apiserver panic'd on list /api/v1/pods",
  });
  expect(lines.join('')).toContain('a secret detail');
  expect((await fetch(`${server.url}/api/v1/pods`)).status).toBe(500);
});

it('gives up on a request that takes too long', async () => {
  await using server = await serve({ serve: untilAborted }, [], 100);

  const answer = await fetch(`${server.url}/api/v1/pods`);

  expect(answer.status).toBe(504);
  expect(await answer.json()).toMatchObject({
    reason: 'Timeout',
    message: 'Timeout: request did not complete within the allotted timeout',
  });
});

it('tells who asked and what was decided', async () => {
  const outcomes: Outcome[] = [];
  await using server = await serve({ finished: (_incoming, outcome) => outcomes.push(outcome) });

  await fetch(`${server.url}/version`);

  expect(outcomes).toMatchObject([
    { requester: { actingAs: ANONYMOUS }, decision: { allowed: true }, failure: undefined },
  ]);
});

it('does not look any further when the credential is bad', async () => {
  const outcomes: Outcome[] = [];
  await using server = await serve({
    authenticate: () => {
      throw unauthorizedError();
    },
    finished: (_incoming, outcome) => outcomes.push(outcome),
  });

  const answer = await fetch(`${server.url}/version`);

  expect(answer.status).toBe(401);
  expect(outcomes).toMatchObject([{ requester: undefined, decision: undefined, failure: { code: 401 } }]);
});

it('keeps the id that a client gives, when it is one', async () => {
  await using server = await serve({});

  const kept = await fetch(`${server.url}/version`, { headers: { 'audit-id': 'mine-1' } });
  const made = await fetch(`${server.url}/version`, { headers: { 'audit-id': 'not an id' } });

  expect(kept.headers.get('audit-id')).toBe('mine-1');
  expect(made.headers.get('audit-id')).toMatch(/^[\da-f-]{36}$/);
});

it('leaves room for others when one user has taken half of it', async () => {
  const open = Promise.withResolvers<void>();
  const waiting: string[] = [];
  const full = Promise.withResolvers<void>();
  await using server = await serve({
    authenticate: ({ headers }) => asUser(String(headers['x-user'])),
    serve: async (_user, { exchange, info }) => {
      if (info.path === '/wait') {
        waiting.push(info.path);
        if (waiting.length === 5) full.resolve();
        await open.promise;
      }
      exchange.send(200, 'text/plain', 'served');
    },
  });
  const get = async (path: string, user: string): Promise<Response> =>
    fetch(`${server.url}${path}`, { headers: { 'x-user': user } });
  const held = [1, 2, 3, 4, 5].map(() => get('/wait', 'greedy'));
  await full.promise;

  const [refused, other, health] = [
    await get('/version', 'greedy'),
    await get('/version', 'other'),
    await get('/readyz', 'greedy'),
  ];

  open.resolve();
  expect([refused.status, other.status, health.status]).toEqual([429, 200, 200]);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect((await get('/version', 'greedy')).status).toBe(200);
});

it('refuses to switch protocols while it stops', async () => {
  const upgraded: string[] = [];
  const outcomes: Outcome[] = [];
  await using server = await serve({
    upgrade: ({ info }) => Promise.resolve(void upgraded.push(info.path)),
    finished: (_incoming, outcome) => outcomes.push(outcome),
  });
  server.handler.stop();

  const answer = await upgrade(server.url);

  expect(answer.statusCode).toBe(429);
  expect(answer.headers).toMatchObject({ 'retry-after': '5', connection: 'close' });
  expect(upgraded).toEqual([]);
  expect(outcomes).toMatchObject([{ failure: { message: 'The apiserver is shutting down, please try again later.' } }]);
});

it('tells who has not sent all of a request when it stops that it does', async () => {
  const reading = Promise.withResolvers<void>();
  await using server = await serve({
    serve: async (_user, { exchange }) => {
      const body = readBody(exchange.request, exchange.signal);
      reading.resolve();
      await body;
    },
  });
  const answer = unfinishedPost(server.url);
  await reading.promise;

  server.handler.stop();

  expect(await answer).toMatchObject({ statusCode: 503, headers: { connection: 'close' } });
});

function unfinishedPost(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/api/v1/pods`, { method: 'POST', agent: false }, resolve);
    request.on('error', reject);
    request.write('{');
  });
}

function untilAborted(_user: User, { exchange }: Incoming): Promise<void> {
  return new Promise((_resolve, reject) => {
    exchange.signal.addEventListener('abort', () => reject(new Error('given up')));
  });
}

function asUser(name: string): Requester {
  const user = { name, groups: [], extra: {} };
  return { user, actingAs: user };
}

function upgrade(url: string): Promise<IncomingMessage> {
  const headers = { connection: 'Upgrade', upgrade: 'echo' };
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/api/v1/namespaces/n/pods/p/exec`, { headers, agent: false }, resolve);
    request.on('upgrade', () => reject(new Error('the server upgraded')));
    request.on('error', reject);
    request.end();
  });
}

interface Serving extends AsyncDisposable {
  readonly url: string;
  readonly handler: ApiHandler;
}

async function serve(
  changes: Partial<ApiHandlerSteps>,
  lines: string[] = [],
  requestTimeoutMs = 30_000,
): Promise<Serving> {
  const steps: ApiHandlerSteps = {
    authenticate: () => ({ user: ANONYMOUS, actingAs: ANONYMOUS }),
    authorize: () => ({ allowed: true, reason: '' }),
    forbid: () => unauthorizedError(),
    serve: (_user, { exchange }) => Promise.resolve(exchange.send(200, 'text/plain', 'served')),
    upgrade: () => Promise.resolve(),
    isKnown: () => true,
    started: () => undefined,
    finished: () => undefined,
    ...changes,
  };
  const log = createLogger({ name: 'test', destination: { write: (line: string) => lines.push(line) } });
  const metrics = new RequestMetrics(new MetricsRegistry());
  const handler = new ApiHandler({ steps, metrics, log, maxInFlight: 10, requestTimeoutMs });
  const server = createServer((request, response) => handler.handle(request, response));
  server.on('upgrade', (request, socket, head) => handler.upgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    handler,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
