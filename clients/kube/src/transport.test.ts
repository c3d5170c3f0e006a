import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeSelfSigned } from '@smalt/x509';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Clock } from './clock.ts';
import { sendJson, startFakeServer, type Answer } from './fake-server.ts';
import { KubeClient } from './kube-client.ts';
import type { Identity } from './kube-config.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kube-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

describe('retries', () => {
  it('does what Retry-After asks for, with any request', async () => {
    await using world = await startWorld((request, response) => {
      if (world.requests.length === 1) sendJson(response, 429, failure(429), { 'retry-after': '7' });
      else sendJson(response, 201, { body: request.body });
    });

    const answer = await world.client.request({ method: 'POST', path: '/x', body: '{}' });

    expect(answer).toEqual({ body: '{}' });
    expect(world.clock.waits).toEqual([7000]);
  });

  it.each([
    ['an hour', '3600'],
    ['until an hour later', 'Thu, 01 Jan 2026 01:00:00 GMT'],
    ['for ever', '9'.repeat(400)],
  ])('leaves a server alone for half a minute at most when it asks for %s', async (_, retryAfter) => {
    await using world = await startWorld((_request, response) => {
      if (world.requests.length === 1) sendJson(response, 503, failure(503), { 'retry-after': retryAfter });
      else sendJson(response, 200, {});
    });

    await world.client.request({ method: 'GET', path: '/x' });

    expect(world.clock.waits).toEqual([30_000]);
  });

  it('repeats a read after a lost connection, and gives up in the end', async () => {
    await using world = await startWorld((_request, response) => {
      response.destroy();
    });

    const reading = world.client.request({ method: 'GET', path: '/x' });

    await expect(reading).rejects.toMatchObject({ code: 'connection' });
    expect(world.requests).toHaveLength(5);
    expect(world.clock.waits).toEqual([100, 200, 400, 800]);
  });

  it('never repeats a write whose fate is unknown', async () => {
    await using world = await startWorld((_request, response) => {
      response.destroy();
    });

    const writing = world.client.request({ method: 'POST', path: '/x', body: '{}' });

    await expect(writing).rejects.toMatchObject({ code: 'connection', message: expect.stringContaining('POST /x') });
    expect(world.requests).toHaveLength(1);
  });

  it('stops waiting when the caller gives up', async () => {
    const stopping = new AbortController();
    await using world = await startWorld((_request, response) => {
      sendJson(response, 503, failure(503), { 'retry-after': '60' });
    });
    world.clock.onWait = () => stopping.abort(new Error('enough'));

    const reading = world.client.request({ method: 'GET', path: '/x', signal: stopping.signal });

    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('errors', () => {
  it.each([
    [400, 'BadRequest', 'bad-request'],
    [401, 'Unauthorized', 'unauthorized'],
    [403, 'Forbidden', 'forbidden'],
    [404, 'NotFound', 'not-found'],
    [409, 'AlreadyExists', 'already-exists'],
    [409, 'Conflict', 'conflict'],
    [410, 'Expired', 'expired'],
    [422, 'Invalid', 'invalid'],
    [500, 'InternalError', 'server'],
  ])('has a code for %d %s', async (httpStatus, reason, code) => {
    await using world = await startWorld((_request, response) => {
      sendJson(response, httpStatus, failure(httpStatus, reason));
    });

    await expect(world.client.request({ method: 'GET', path: '/x' })).rejects.toMatchObject({
      code,
      httpStatus,
      message: `GET /x: told so by ${reason}`,
      status: { reason },
    });
  });

  it('tells a conflict of apply from others', async () => {
    await using world = await startWorld((_request, response) => {
      const details = { causes: [{ reason: 'FieldManagerConflict', field: '.spec.replicas' }] };
      sendJson(response, 409, { ...failure(409, 'Conflict'), details });
    });

    await expect(world.client.request({ method: 'PATCH', path: '/x', body: '{}' })).rejects.toMatchObject({
      code: 'apply-conflict',
    });
  });

  it('keeps what a proxy says that knows nothing of Status', async () => {
    await using world = await startWorld((_request, response) => {
      response.writeHead(502).end('<h1>Bad Gateway</h1>');
    });

    await expect(world.client.request({ method: 'POST', path: '/x', body: '' })).rejects.toMatchObject({
      code: 'server',
      message: 'POST /x: <h1>Bad Gateway</h1>',
    });
  });
});

describe('identity', () => {
  it('shows a token, and the new one once the file has changed', async () => {
    const path = join(directory, 'token');
    await writeFile(path, 'first\n');
    const identity: Identity = { kind: 'token', token: { kind: 'file', path } };
    await using world = await startWorld((request, response) => sendJson(response, 200, request.headers), identity);
    const first = await world.client.request({ method: 'GET', path: '/x' });

    await writeFile(path, 'second\n');
    const same = await world.client.request({ method: 'GET', path: '/x' });
    world.clock.time += 60_000;
    const second = await world.client.request({ method: 'GET', path: '/x' });

    expect([first, same, second]).toMatchObject([
      { authorization: 'Bearer first' },
      { authorization: 'Bearer first' },
      { authorization: 'Bearer second' },
    ]);
  });

  it('looks at the file again after a minute, whatever the clock is set to meanwhile', async () => {
    const path = join(directory, 'token');
    await writeFile(path, 'first');
    const identity: Identity = { kind: 'token', token: { kind: 'file', path } };
    await using world = await startWorld((request, response) => sendJson(response, 200, request.headers), identity);
    await world.client.request({ method: 'GET', path: '/x' });

    await writeFile(path, 'second');
    world.clock.wallOffset -= 3_600_000;
    world.clock.time += 60_000;

    expect(await world.client.request({ method: 'GET', path: '/x' })).toMatchObject({ authorization: 'Bearer second' });
  });

  it('looks at the authority again when it does not vouch for the server, and makes the request then, even a write', async () => {
    const [earlier, renewed] = [selfSigned(), selfSigned()];
    const path = join(directory, 'ca.crt');
    await writeFile(path, earlier.certificate);
    await using server = await startFakeServer((_request, response) => sendJson(response, 201, {}), renewed);
    const config = { ...server.config, tls: { authority: { kind: 'file', path } as const, isInsecure: false } };
    await using client = new KubeClient({ config, userAgent: 'test/1', clock: new TestClock() });
    const write = (): Promise<unknown> => client.request({ method: 'POST', path: '/x', body: '{}' });
    await expect(write()).rejects.toMatchObject({ code: 'connection' });

    await writeFile(path, renewed.certificate);

    await expect(write()).resolves.toEqual({});
  });

  it('looks at the file again at once when the server refuses the token', async () => {
    const path = join(directory, 'token');
    await writeFile(path, 'old');
    const identity: Identity = { kind: 'token', token: { kind: 'file', path } };
    await using world = await startWorld(async (request, response) => {
      if (request.headers.authorization === 'Bearer new') return sendJson(response, 200, {});
      await writeFile(path, 'new');
      sendJson(response, 401, failure(401));
    }, identity);

    await expect(world.client.request({ method: 'GET', path: '/x' })).resolves.toEqual({});
  });

  it('shows a name and a password', async () => {
    const identity: Identity = { kind: 'password', username: 'u', password: 'p' };
    await using world = await startWorld((request, response) => sendJson(response, 200, request.headers), identity);

    expect(await world.client.request({ method: 'GET', path: '/x' })).toMatchObject({ authorization: 'Basic dTpw' });
  });

  it('asks a plugin once for many requests, and again when its token has expired', async () => {
    await using world = await startWorld(
      (request, response) => sendJson(response, 200, request.headers),
      await plugin(),
    );
    const ask = () => world.client.request({ method: 'GET', path: '/x' });

    const together = await Promise.all([ask(), ask(), ask()]);
    world.clock.time += 3_600_000;
    const later = await Promise.all([ask(), ask()]);

    expect(together.concat(later)).toMatchObject([
      ...Array.from({ length: 3 }, () => ({ authorization: 'Bearer run-1' })),
      ...Array.from({ length: 2 }, () => ({ authorization: 'Bearer run-2' })),
    ]);
  });

  it('says which plugin failed and how to install it', async () => {
    const identity = await plugin('exit 3');
    await using world = await startWorld((_request, response) => sendJson(response, 200, {}), identity);

    await expect(world.client.request({ method: 'GET', path: '/x' })).rejects.toMatchObject({
      code: 'bad-config',
      message: expect.stringMatching(/the credential plugin .*plugin failed: it ended with 3\napt install it/),
    });
  });
});

/** A plugin that counts how often it runs; its tokens last half an hour of the test's time. */
async function plugin(script?: string): Promise<Identity> {
  const command = join(directory, 'plugin');
  const count = join(directory, 'count');
  const answer = `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"run-'$n'","expirationTimestamp":"2026-01-01T00:30:00Z"}}`;
  const counted = `echo x >> ${count}; n=$(wc -l < ${count}); if [ $n = 2 ]; then e=; fi; echo '${answer}' | sed "s/2026-01-01T00:30/2026-01-01T0$((n - 1)):30/"`;
  await writeFile(command, `#!/bin/sh\n${script ?? counted}\n`);
  await chmod(command, 0o755);
  const apiVersion = 'client.authentication.k8s.io/v1';
  return {
    kind: 'exec',
    plugin: {
      apiVersion,
      command,
      args: [],
      environment: {},
      installHint: 'apt install it',
      isClusterInfoProvided: false,
    },
  };
}

async function startWorld(answer: Answer, identity: Identity = { kind: 'anonymous' }) {
  const server = await startFakeServer(answer);
  const clock = new TestClock();
  const client = new KubeClient({
    config: { ...server.config, identity },
    userAgent: 'test/1',
    clock,
    random: () => 1,
    environment: { PATH: '/usr/bin:/bin' },
  });
  return {
    client,
    clock,
    requests: server.requests,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function selfSigned(): ReturnType<typeof makeSelfSigned> {
  return makeSelfSigned({ commonName: 'server', names: ['127.0.0.1'], now: new Date(), days: 1 });
}

class TestClock implements Clock {
  wallOffset = Date.parse('2026-01-01T00:00:00Z');
  time = 0;
  readonly waits: number[] = [];
  onWait: () => void = () => {};

  now(): number {
    return this.time + this.wallOffset;
  }

  monotonic(): number {
    return this.time;
  }

  async wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    this.waits.push(milliseconds);
    this.onWait();
    signal?.throwIfAborted();
  }
}

function failure(code: number, reason = 'Whatever') {
  return {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message: `told so by ${reason}`,
    reason,
    code,
  };
}
