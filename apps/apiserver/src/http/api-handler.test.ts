import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { unauthorizedError } from '../errors/make-status-error.ts';
import { ANONYMOUS } from '../identity/user.ts';
import { ApiHandler, type ApiHandlerSteps, type Outcome } from './api-handler.ts';
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
  await using server = await serve({
    serve: (_user, { exchange }) =>
      new Promise((_resolve, reject) => {
        exchange.signal.addEventListener('abort', () => reject(new Error('given up')));
      }),
  });

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

interface Serving extends AsyncDisposable {
  readonly url: string;
}

async function serve(changes: Partial<ApiHandlerSteps>, lines: string[] = []): Promise<Serving> {
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
  const handler = new ApiHandler({ steps, metrics, log, maxInFlight: 10, requestTimeoutMs: 100 });
  const server = createServer((request, response) => handler.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
