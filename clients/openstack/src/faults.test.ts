import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import {
  isLogin,
  isVersionRequest,
  sendJson,
  startFakeCloud,
  type CloudAnswer,
  type SeenRequest,
} from './fake-cloud.ts';

describe('retries', () => {
  it.each([
    [429, { 'retry-after': '7' }, [7000]],
    [429, {}, [200]],
    [503, { 'retry-after': '3' }, [3000]],
    [503, dated(4), [4000]],
  ])('makes a write again that was put off with %s %o', async (status, headers, waits) => {
    await using cloud = await startFakeCloud(
      services((_request, response, count) => {
        if (count === 1) sendJson(response, status, { error: { message: 'busy' } }, headers);
        else sendJson(response, 202, undefined);
      }),
    );

    await cloud.client.compute.actions.liveMigrate('s1');

    expect(cloud.requests).toHaveLength(2);
    expect(cloud.clock.waits).toEqual(waits);
  });

  it.each([
    ['a lost connection', 'connection', 'destroy'],
    ['503 without Retry-After', 'unavailable', 503],
    ['502', 'unavailable', 502],
    ['504', 'timeout', 504],
    ['500', 'server', 500],
  ])('never repeats a write after %s', async (_name, code, fault) => {
    await using cloud = await startFakeCloud(
      services((_request, response) => {
        if (typeof fault === 'number') sendJson(response, fault, { computeFault: { code: fault, message: 'oh' } });
        else response.destroy();
      }),
    );

    const evacuating = cloud.client.compute.actions.evacuate('s1');

    await expect(evacuating).rejects.toMatchObject({ code });
    expect(cloud.requests).toHaveLength(1);
  });

  it('repeats a read after a lost connection, and gives up in the end', async () => {
    await using cloud = await startFakeCloud(services((_request, response) => void response.destroy()));

    const reading = cloud.client.compute.servers.get('s1');

    await expect(reading).rejects.toMatchObject({ code: 'connection' });
    expect(cloud.clock.waits).toEqual([200, 400, 800, 1600]);
  });

  it('does not wait where it is asked to stay away for minutes, but tells for how long', async () => {
    await using cloud = await startFakeCloud(
      services((_request, response) => sendJson(response, 503, {}, { 'retry-after': '600' })),
    );

    const reading = cloud.client.compute.servers.get('s1');

    await expect(reading).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 600_000 });
    expect(cloud.clock.waits).toEqual([]);
  });

  it('reads again what was cut off in the middle', async () => {
    await using cloud = await startFakeCloud(
      services((_request, response, count) => {
        if (count > 1) return sendJson(response, 200, { aggregates: [] });
        response.writeHead(200, { 'content-length': '1000' });
        return void response.write('{"aggregates": [', () => response.destroy());
      }),
    );

    expect(await cloud.client.compute.aggregates.list()).toEqual([]);
    expect(cloud.requests).toHaveLength(2);
  });

  it('fails at once where nobody listens, after the attempts it has', async () => {
    await using cloud = await startFakeCloud(() => 'as-usual');
    const config = { ...cloud.config, endpoints: { compute: 'http://127.0.0.1:1/v2.1' } };
    await using nowhere = await startFakeCloud(() => 'as-usual', { config, maxAttempts: 2 });

    const writing = nowhere.client.compute.services.delete('x');

    await expect(writing).rejects.toMatchObject({
      code: 'connection',
      message: expect.stringContaining('127.0.0.1:1'),
    });
    expect(nowhere.clock.waits).toEqual([200]);
  });
});

describe('time', () => {
  it('gives up on a service that never answers', async () => {
    await using cloud = await startFakeCloud(
      services(() => undefined),
      { timeoutMs: 50 },
    );

    const reading = cloud.client.compute.servers.get('s1');

    await expect(reading).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('50 ms') });
    expect(cloud.requests).toHaveLength(1);
  });

  it('gives up on a service that sends a byte now and then', async () => {
    await using cloud = await startFakeCloud(
      services(async (_request, response) => {
        response.writeHead(200);
        for (; !response.destroyed; await delay(10)) response.write(' ');
      }),
      { timeoutMs: 100 },
    );

    await expect(cloud.client.compute.servers.get('s1')).rejects.toMatchObject({ code: 'timeout' });
  });

  it.each(['identity', 'compute'])('stops waiting for %s when the caller gives up', async (service) => {
    const stopping = new AbortController();
    await using cloud = await startFakeCloud((request) => {
      if (request.service !== service || isVersionRequest(request)) return 'as-usual';
      stopping.abort(new Error('enough'));
      return undefined;
    });

    const reading = cloud.client.compute.servers.get('s1', { signal: stopping.signal });

    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
  });

  it('ends what is under way when the client is closed, and begins nothing after', async () => {
    const { promise: isAsked, resolve } = Promise.withResolvers<void>();
    await using cloud = await startFakeCloud(services(() => resolve()));
    const reading = cloud.client.compute.servers.get('s1');
    const failure = reading.catch((error: unknown) => error);
    await isAsked;

    await cloud.client[Symbol.asyncDispose]();

    expect(await failure).toMatchObject({ code: 'aborted' });
    await expect(cloud.client.compute.servers.get('s1')).rejects.toMatchObject({ code: 'aborted' });
  });

  it('has no more requests under way than it may', async () => {
    const open = { now: 0, most: 0 };
    await using cloud = await startFakeCloud(
      services(async (_request, response) => {
        open.most = Math.max(open.most, ++open.now);
        await new Promise((resolve) => void setImmediate(resolve));
        open.now--;
        sendJson(response, 200, { aggregates: [] });
      }),
      { mostRequests: 4 },
    );

    const answers = await Promise.all(Array.from({ length: 200 }, () => cloud.client.compute.aggregates.list()));

    expect(answers).toHaveLength(200);
    expect(open.most).toBeLessThanOrEqual(4);
  });
});

describe('answers', () => {
  it.each([
    ['{"server": {"id": 7, "status": "ACTIVE"}}', 'server.id is 7, not text'],
    ['{"server": {"id": "s1"}}', 'server.status is missing, not text'],
    ['{"server": []}', 'server is a list, not an object'],
    ['[]', 'the answer is a list, not an object'],
    ['{"server": {"id": "s1", ', 'not JSON'],
    ['<html>Welcome to nginx</html>', 'not JSON'],
    ['', 'not JSON'],
    [
      '{"server": {"id": "s1", "status": "ACTIVE", "OS-EXT-STS:power_state": 9223372036854775807}}',
      'power_state is 9223372036854775807, not an integer below 2^53',
    ],
  ])('that break the promise are an error that says where: %s', async (body, words) => {
    await using cloud = await startFakeCloud(
      services((_request, response) => void response.writeHead(200, { 'x-openstack-request-id': 'req-7' }).end(body)),
    );

    const reading = cloud.client.compute.servers.get('s1');

    await expect(reading).rejects.toMatchObject({
      code: 'bad-answer',
      message: expect.stringContaining(words),
      requestId: 'req-7',
    });
  });

  it('may hold whatever else they like', async () => {
    const body = '{"server": {"id": "s1", "status": "ACTIVE", "new": 18446744073709551615, "__proto__": {"a": 1}}}';
    await using cloud = await startFakeCloud(services((_request, response) => void response.end(body)));

    expect(await cloud.client.compute.servers.get('s1')).toMatchObject({ id: 's1', status: 'ACTIVE' });
  });

  it('of a cell that cannot be reached are read as far as they go', async () => {
    const server = { id: 's1', status: 'UNKNOWN', tenant_id: 'p1', created: '2026-11-15T03:55:46Z', links: [] };
    await using cloud = await startFakeCloud(
      services((_request, response) => sendJson(response, 200, { servers: [server] })),
    );

    const servers = await cloud.client.compute.servers.list({ host: 'node-a' }).all();

    expect(servers).toMatchObject([{ id: 's1', status: 'UNKNOWN', name: undefined, host: undefined }]);
  });

  it('that ignore the host that was asked for are refused', async () => {
    const server = { id: 's1', status: 'ACTIVE', 'OS-EXT-SRV-ATTR:host': 'node-b' };
    await using cloud = await startFakeCloud(
      services((_request, response) => sendJson(response, 200, { servers: [server] })),
    );

    const listing = cloud.client.compute.servers.list({ host: 'node-a' }).all();

    await expect(listing).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('s1') });
  });

  it('name neither token nor password when they fail, even if a proxy repeats them', async () => {
    await using cloud = await startFakeCloud(
      services((request, response) => {
        const token = String(request.headers['x-auth-token']);
        response.writeHead(400).end(`<p>bad header X-Auth-Token: ${token}</p>`);
      }),
    );

    const error: unknown = await cloud.client.compute.servers.get('s1').catch((caught: unknown) => caught);

    expect(String(error)).toContain('bad header X-Auth-Token: (secret)');
    expect(JSON.stringify([cloud.config, cloud.exchanges])).not.toMatch(/hidden|token-1/);
  });
});

describe('pages', () => {
  it.each([
    ['the link leads to the page itself', [page('a', 'b'), page('a', 'b')]],
    ['the links go on but the page stays', [page('a', 'b'), page('a', 'c')]],
    ['the links go round', [page('a', 'b'), page('b', 'c'), page('c', 'b')]],
  ])('that come twice are an error: %s', async (_name, pages) => {
    await using cloud = await startFakeCloud(
      services((_request, response, count) => sendJson(response, 200, pages[count - 1] ?? pages.at(-1))),
    );

    const listing = cloud.client.compute.servers.listNames().all();

    await expect(listing).rejects.toMatchObject({
      code: 'bad-answer',
      message: expect.stringContaining('the same page was served twice'),
    });
    expect(cloud.requests.length).toBeLessThanOrEqual(3);
  });

  it('give a server once that has moved from one to the next', async () => {
    const pages = [page('ab', 'b'), page('bc', undefined)];
    await using cloud = await startFakeCloud(
      services((_request, response, count) => sendJson(response, 200, pages[count - 1])),
    );

    const names = await cloud.client.compute.servers.listNames().all();

    expect(names.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('are fetched from the service itself, wherever their links lead', async () => {
    const pages = [page('a', 'a', 'http://evil.invalid/steal'), page('b', undefined)];
    await using cloud = await startFakeCloud(
      services((_request, response, count) => sendJson(response, 200, pages[count - 1])),
    );

    await cloud.client.compute.servers.listNames().all();

    expect(cloud.requests.map(({ path, query }) => `${path}?${query.toString()}`)).toEqual([
      '/v2.1/servers?',
      '/v2.1/servers?marker=a',
    ]);
  });

  it('are fetched no further than they are read', async () => {
    await using cloud = await startFakeCloud(
      services((_request, response) => sendJson(response, 200, page('ab', 'b'))),
    );

    expect(await cloud.client.compute.servers.listNames().find(({ id }) => id === 'a')).toMatchObject({ id: 'a' });
    expect(cloud.requests).toHaveLength(1);
  });
});

it('tells of every exchange, with the path as a pattern', async () => {
  await using cloud = await startFakeCloud(
    services((_request, response, count) => {
      if (count === 1) response.destroy();
      else sendJson(response, 404, { itemNotFound: { code: 404, message: 'gone' } });
    }),
  );

  await cloud.client.compute.servers.get('s1').catch(() => undefined);

  const seen = cloud.exchanges.map(({ durationMs: _durationMs, ...exchange }) => exchange);
  const asked = { service: 'compute', method: 'GET', path: '/servers/{server}' };
  expect(seen).toMatchObject([
    { service: 'identity', method: 'POST', path: '/auth/tokens', status: 201 },
    { service: 'compute', method: 'GET', path: '/', status: 200 },
    { ...asked, status: undefined, code: 'connection' },
    { ...asked, status: 404, code: 'not-found', requestId: 'req-fake' },
  ]);
});

it.each(['', '.', '..'])('asks nothing at all with "%s" for an id', async (id) => {
  await using cloud = await startFakeCloud(() => 'as-usual');

  await expect(cloud.client.compute.servers.delete(id)).rejects.toMatchObject({ code: 'bad-argument' });
  expect(cloud.requests).toEqual([]);
});

it('sends an id as it is, whatever is in it', async () => {
  await using cloud = await startFakeCloud(services((_request, response) => sendJson(response, 204, undefined)));

  await cloud.client.compute.servers.deleteMetadata('s1', 'a/../b?c#d');

  expect(cloud.requests[0]?.path).toBe('/v2.1/servers/s1/metadata/a%2F..%2Fb%3Fc%23d');
});

type ServiceAnswer = (
  request: SeenRequest,
  response: Parameters<CloudAnswer>[1],
  count: number,
) => void | Promise<void>;

/** Leaves logins and versions to the cloud, and counts the other requests from 1. */
function services(answer: ServiceAnswer): CloudAnswer {
  let count = 0;
  return (request, response) => {
    if (isLogin(request) || isVersionRequest(request)) return 'as-usual';
    return answer(request, response, ++count);
  };
}

function page(ids: string, marker: string | undefined, url: string = 'http://localhost/v2.1/servers'): unknown {
  const servers = ids.split('').map((id) => ({ id, name: id }));
  const links = [{ rel: 'next', href: `${url}?marker=${marker}` }];
  return { servers, ...(marker !== undefined && { servers_links: links }) };
}

/** A date that is some seconds ahead of what the server believes to be now, which is years off. */
function dated(seconds: number): Record<string, string> {
  const now = Date.parse('2020-01-01T00:00:00Z');
  return { date: new Date(now).toUTCString(), 'retry-after': new Date(now + seconds * 1000).toUTCString() };
}
