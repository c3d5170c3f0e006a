import { expect, it } from 'vitest';

import type { FaultEffect } from './faults.ts';
import { openSession } from './fixtures/simulated-session.ts';

const oneAttempt = { maxAttempts: 1, timeoutMs: 300 };

it.each([
  { status: 500, code: 'server' },
  { status: 503, code: 'unavailable' },
  { status: 429, code: 'too-many-requests' },
  { status: 409, code: 'conflict' },
  { status: 404, code: 'not-found' },
])('answers $status where a fault says so, and the request is not carried out', async ({ status, code }) => {
  await using session = await openSession({ hosts: ['node1'] }, oneAttempt);
  const { cloud, client } = session;
  const id = cloud.host('node1')?.serviceId ?? '';
  cloud.inject({ method: 'PUT', path: /os-services/, effect: { kind: 'answer', status } });

  const asked = client.compute.services.update(id, { status: 'disabled' });

  await expect(asked).rejects.toMatchObject({ code, httpStatus: status });
  expect(cloud.host('node1')?.status).toBe('enabled');
});

it('asks to be left alone for a while', async () => {
  await using session = await openSession({}, oneAttempt);
  const effect = { kind: 'answer', status: 429, retryAfterSeconds: 120 } as const;
  session.cloud.inject({ service: 'compute', path: '/os-aggregates', effect });

  const asked = session.client.compute.aggregates.list();

  await expect(asked).rejects.toMatchObject({ retryAfterMs: 120_000 });
});

it.each<{ effect: FaultEffect; isDone: boolean; code: string }>([
  { effect: { kind: 'drop', when: 'before' }, isDone: false, code: 'connection' },
  { effect: { kind: 'drop', when: 'after' }, isDone: true, code: 'connection' },
  { effect: { kind: 'hang' }, isDone: false, code: 'timeout' },
  { effect: { kind: 'hang', when: 'after' }, isDone: true, code: 'timeout' },
  { effect: { kind: 'answer', status: 500, when: 'after' }, isDone: true, code: 'server' },
])('$effect.kind $effect.when: the request is carried out: $isDone', async ({ effect, isDone, code }) => {
  await using session = await openSession({ hosts: ['node1'] }, oneAttempt);
  const { cloud, client } = session;
  const id = cloud.host('node1')?.serviceId ?? '';
  cloud.inject({ method: 'PUT', effect });

  const asked = client.compute.services.update(id, { status: 'disabled' });

  await expect(asked).rejects.toMatchObject({ code });
  expect(cloud.host('node1')?.status).toBe(isDone ? 'disabled' : 'enabled');
});

it('serves a page twice, which the client takes for what it is', async () => {
  await using session = await openSession({ hosts: ['node1', 'node2', 'node3'] }, oneAttempt);
  session.cloud.inject({ path: '/os-hypervisors', effect: { kind: 'page-twice' } });

  const listed = session.client.compute.hypervisors.list({ pageSize: 1 }).all();

  await expect(listed).rejects.toMatchObject({ code: 'bad-answer' });
});

it('strikes as often as it was told, and counts', async () => {
  await using session = await openSession({}, oneAttempt);
  const effect = { kind: 'answer', status: 500 } as const;
  using fault = session.cloud.inject({ path: '/os-aggregates', times: 2, effect });

  const outcomes = [];
  for (let i = 0; i < 3; i += 1) {
    outcomes.push(
      await session.client.compute.aggregates.list().then(
        () => 'fine',
        () => 'failed',
      ),
    );
  }

  expect(outcomes).toEqual(['failed', 'failed', 'fine']);
  expect(fault.hits).toBe(2);
});

it('strikes only requests with that text in the body, until it is cleared', async () => {
  await using session = await openSession({ hosts: ['node1', 'node2'] }, oneAttempt);
  const { cloud, client } = session;
  const id = cloud.addServer('node1');
  const fault = cloud.inject({ body: 'os-migrateLive', effect: { kind: 'answer', status: 503 } });

  await client.compute.actions.lock(id);
  const moved = client.compute.actions.liveMigrate(id);
  await expect(moved).rejects.toMatchObject({ code: 'unavailable' });
  fault.clear();
  await client.compute.actions.liveMigrate(id);

  expect(cloud.moves()).toHaveLength(1);
});

it('forgets tokens, and a client logs in again', async () => {
  await using session = await openSession();
  await session.client.compute.aggregates.list();

  session.cloud.expireTokens();
  await session.client.compute.aggregates.list();

  expect(session.cloud.countOf('identity POST /auth/tokens')).toBe(2);
  expect(session.cloud.calls.filter(({ status }) => status === 401)).toHaveLength(1);
});
