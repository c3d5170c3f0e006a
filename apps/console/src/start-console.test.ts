import { connect } from 'node:net';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { isOnKubernetes } from '@smalt/bed-kubernetes';
import { acceptWebSocket, isWebSocketError } from '@smalt/websocket';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { cookieOf, startConsoleBed, type ConsoleBed } from './fixtures/console-bed.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let bed: ConsoleBed;
let viewer: string;
let viewerCookie: string;
let adminCookie: string;

beforeAll(async () => {
  bed = await startConsoleBed();
  viewer = await bed.token('viewer', 'view');
  viewerCookie = await bed.signIn(viewer);
  adminCookie = await bed.signIn(bed.adminToken);
});
afterAll(() => bed[Symbol.asyncDispose]());

describe('signing in', () => {
  it('gives a cookie that scripts cannot read and other sites do not send', async () => {
    const answer = await bed.call('POST', '/session', { body: { token: viewer } });

    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(answer.status).toBe(200);
    expect(cookie).toMatch(/^smalt_session=[\w-]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(viewer);
    expect(answer.body).toMatchObject({
      user: { name: 'system:serviceaccount:default:viewer', groups: expect.arrayContaining(['system:authenticated']) },
      hasHighAvailability: false,
    });
    expect((await bed.call('GET', '/session', { cookie: cookieOf(answer) })).body).toEqual(answer.body);
  });

  it.each([
    { given: 'a token that nobody knows', body: { token: 'nobody' }, status: 401, field: 'token' },
    { given: 'no token', body: {}, status: 400, field: 'token' },
    { given: 'a token with a line break', body: { token: 'a\nb' }, status: 400, field: 'token' },
    { given: 'something beside', body: { token: 'a', role: 'admin' }, status: 400, field: 'role' },
    { given: 'no JSON', body: '{', status: 400, field: 'body' },
    { given: 'a body that is too long', body: { token: 'x'.repeat(20_000) }, status: 413, field: undefined },
  ])('is refused with $status for $given', async ({ body, status, field }) => {
    const answer = await bed.call('POST', '/session', { body });

    expect(answer).toMatchObject({ status, body: { message: expect.any(String), ...(field && { field }) } });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('says who is nobody', async () => {
    expect(await bed.call('GET', '/session')).toMatchObject({ status: 401, body: { message: expect.any(String) } });
    expect((await bed.call('GET', '/session', { cookie: 'smalt_session=AAAA' })).status).toBe(401);
  });

  it('by a link works once', async () => {
    const code = bed.console.createEntry(viewer);

    const [looked, first, second] = [
      await bed.raw('HEAD', `/enter?code=${code}`),
      await bed.raw('GET', `/enter?code=${code}`),
      await bed.raw('GET', `/enter?code=${code}`),
    ];

    expect([looked.status, first.status, second.status]).toEqual([204, 303, 401]);
    expect(first.headers).toMatchObject({ location: '/', 'cache-control': 'no-store' });
    expect((await bed.call('GET', '/session', { cookie: cookieOf(first) })).status).toBe(200);
    expect(bed.log.join('')).not.toContain(code);
  });

  it('by a link that was used is told in plain words to the person who opened it', async () => {
    const answer = await bed.raw('GET', '/enter?code=used', { headers: { 'sec-fetch-mode': 'navigate' } });

    expect(answer).toMatchObject({ status: 401, text: expect.stringMatching(/^this link was used.*smalt open\n$/) });
    expect(answer.headers['content-type']).toContain('text/plain');
  });

  it('behind something that ends TLS gives a cookie for TLS alone', async () => {
    const { port } = await bed.again({ origins: ['https://console.example'] });
    const headers = { host: 'console.example', origin: 'https://console.example', 'x-smalt-console': '1' };

    const answer = await bed.raw('POST', '/session', { headers, body: { token: viewer } }, port);

    expect(answer.headers['set-cookie']?.[0]).toMatch(/; Secure$/);
  });

  it('lasts across a restart, and so does signing out', async () => {
    const cookie = await bed.signIn(viewer);
    const gone = await bed.signIn(viewer);
    const ended = await bed.call('DELETE', '/session', { cookie: gone });

    const { port } = await bed.again();

    expect([ended.status, ended.headers['set-cookie']?.[0]]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await bed.raw('GET', '/session', { cookie }, port)).status).toBe(200);
    expect((await bed.raw('GET', '/session', { cookie: gone }, port)).status).toBe(401);
    expect((await bed.raw('GET', '/session', { cookie: gone })).status).toBe(401);
    expect((await stat(join(bed.directory, 'console', 'session.key'))).mode & 0o777).toBe(0o600);
  });

  it('is put off for a token that fails too often, and not for one that is good', async () => {
    const { port, url } = await bed.again({ limits: { signInsPerMinute: 2 } });
    const headers = { origin: url, 'x-smalt-console': '1' };
    const attempt = async (token: string): Promise<number> =>
      (await bed.raw('POST', '/session', { headers, body: { token } }, port)).status;

    const good = [await attempt(viewer), await attempt(viewer), await attempt(viewer)];
    const bad = [await attempt('x'), await attempt('x'), await attempt('x')];

    expect(good).toEqual([200, 200, 200]);
    expect(bad).toEqual([401, 401, 429]);
  });
});

describe('what is passed on', () => {
  it('is done with the rights of the user', async () => {
    const body = { metadata: { name: 'colours' } };

    const refused = await bed.call('POST', CONFIG_MAPS, { cookie: viewerCookie, body });
    const created = await bed.call('POST', CONFIG_MAPS, { cookie: adminCookie, body });
    const read = await bed.call('GET', `${CONFIG_MAPS}/colours`, { cookie: viewerCookie });

    expect([refused.status, created.status, read.status]).toEqual([403, 201, 200]);
    expect(refused.body).toMatchObject({ kind: 'Status', message: expect.stringContaining('viewer') });
  });

  it('is nothing without a session', async () => {
    expect((await bed.call('GET', CONFIG_MAPS)).status).toBe(401);
  });

  it('is not done as somebody else, whatever the browser sends', async () => {
    const headers = {
      'impersonate-user': 'kubernetes-admin',
      'impersonate-group': 'system:masters',
      'x-remote-user': 'admin',
      authorization: `Bearer ${bed.adminToken}`,
    };

    const answer = await bed.call('GET', '/api/v1/namespaces/kube-system/secrets', { cookie: viewerCookie, headers });

    expect(answer.status).toBe(403);
  });

  it('comes back as data that no browser runs, and nobody keeps', async () => {
    const { headers } = await bed.call('GET', CONFIG_MAPS, { cookie: adminCookie });

    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(Object.keys(headers)).not.toContain('set-cookie');
  });

  it.each([
    '/apis/../api/v1/secrets',
    '/api/v1/namespaces/default/..%2f..%2fsecrets',
    '/api/v1/namespaces/default%2Fconfigmaps',
    '/api//v1/secrets',
    String.raw`/api\v1`,
    '/api/v1/./secrets',
    '/api/%2e%2e/version',
    '/api/v1/%00',
    'http://127.0.0.1:1/api/v1/secrets',
    '//example.org/api',
  ])('is refused for the path %s', async (path) => {
    const answer = await bed.call('GET', path, { cookie: adminCookie });

    expect(answer).toMatchObject({ status: 400, body: { field: 'path' } });
  });

  it('has one body per request: two lengths are the end of the connection', async () => {
    const smuggled = `GET /version HTTP/1.1\r\nHost: x\r\n\r\n`;
    const head = ['POST /session HTTP/1.1', `Host: 127.0.0.1:${bed.console.port}`, 'Content-Length: 4'];

    const answer = await speak([...head, 'Transfer-Encoding: chunked', '', `0\r\n\r\n${smuggled}`]);

    expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 400']);
  });

  it('has an end for bodies that are announced or turn out too long', async () => {
    const body = JSON.stringify({ metadata: { name: 'long' }, data: { a: 'x'.repeat(3_200_000) } });

    const announced = await bed.call('POST', CONFIG_MAPS, { cookie: adminCookie, body });
    const chunked = await bed.call('POST', CONFIG_MAPS, { cookie: adminCookie, body, isChunked: true });

    expect([announced.status, chunked.status]).toEqual([413, 413]);
  });

  it('is told in order when the API server is away', async () => {
    const apiServer = { ...bed.config, server: 'https://127.0.0.1:1' };
    const { port } = await bed.again({ apiServer });

    const [answer, session] = [
      await bed.raw('GET', CONFIG_MAPS, { cookie: adminCookie }, port),
      await bed.raw('GET', '/session', { cookie: adminCookie }, port),
    ];

    expect(answer).toMatchObject({ status: 503, body: { message: expect.stringContaining('the API server') } });
    expect(session.status).toBe(503);
  });

  it('is counted', async () => {
    const text = await bed.metrics.scrapeText(AbortSignal.timeout(5_000));

    expect(text).toMatch(/smalt_console_requests_total\{route="api",code="403"\} [1-9]/);
    expect((await bed.health.run('readyz', { signal: AbortSignal.timeout(5_000) })).isHealthy).toBe(true);
  });
});

describe('a page of another site', () => {
  const evil = { origin: 'http://evil.example' };

  it.each([
    { why: 'its Origin', headers: evil, field: 'Origin' },
    { why: 'no header of ours', headers: { 'x-smalt-console': '' }, field: 'x-smalt-console' },
    { why: 'another value of it', headers: { 'x-smalt-console': '2' }, field: 'x-smalt-console' },
  ])('changes nothing: $why', async ({ headers, field }) => {
    const body = { metadata: { name: 'evil' } };

    const answer = await bed.call('POST', CONFIG_MAPS, { cookie: adminCookie, body, headers });

    expect(answer).toMatchObject({ status: 403, body: { field } });
  });

  it('changes nothing without an Origin, unless the browser says that it is ours', async () => {
    const body = { metadata: { name: 'no-origin' } };
    const headers = { 'x-smalt-console': '1' };
    const own = { ...headers, 'sec-fetch-site': 'same-origin' };

    const without = await bed.raw('POST', CONFIG_MAPS, { cookie: adminCookie, body, headers });
    const said = await bed.raw('POST', CONFIG_MAPS, { cookie: adminCookie, body, headers: own });

    expect([without.status, said.status]).toEqual([403, 201]);
  });

  it('reads nothing', async () => {
    const site = { 'sec-fetch-site': 'cross-site' };
    const script = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'script' };

    const answers = [
      await bed.raw('GET', CONFIG_MAPS, { cookie: adminCookie, headers: site }),
      await bed.raw('GET', CONFIG_MAPS, { cookie: adminCookie, headers: script }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  });

  it.each(['evil.example', '127.0.0.1.evil.example', 'localhost:1'])('cannot call us %j', async (host) => {
    const answer = await bed.raw('GET', '/', { headers: { host } });

    expect(answer).toMatchObject({ status: 421, body: { field: 'Host' } });
  });

  it.each(['/live', '/apis/subresources.kubevirt.io/v1/namespaces/a/virtualmachineinstances/b/console'])(
    'opens no WebSocket at %s',
    async (path) => {
      const refused = await bed.open(path, adminCookie, evil).catch((error: unknown) => error);
      const anonymous = await bed.open(path, '').catch((error: unknown) => error);

      expect(refused).toMatchObject({ code: 'refused', httpStatus: 403 });
      expect(anonymous).toMatchObject({ code: 'refused', httpStatus: 401 });
    },
  );
});

describe('a WebSocket', () => {
  // Only into ours can a part of the API be put by a test.
  it.skipIf(isOnKubernetes())('is passed on with its subprotocol and all of its bytes', async () => {
    const path = '/apis/echo.example/v1/streams/one';
    const seen = echoStreams(bed);

    const stream = await bed.open(path, adminCookie, {
      'sec-websocket-protocol': 'base64url.bearer.authorization.k8s.io.eA, plain.kubevirt.io',
    });
    await stream.write(Buffer.from('hello'));
    const first = await stream[Symbol.asyncIterator]().next();
    stream.destroy();

    expect(stream.protocol).toBe('plain.kubevirt.io');
    expect(seen).toEqual([{ user: 'admin', protocols: 'plain.kubevirt.io' }]);
    expect(Buffer.from(first.value ?? []).toString()).toBe('hello');
  });

  it('is refused as the API server refuses it', async () => {
    const path = '/apis/subresources.kubevirt.io/v1/namespaces/a/virtualmachineinstances/b/console';

    const error = await bed.open(path, viewerCookie).catch((found: unknown) => found);

    expect(isWebSocketError(error, 'refused') && error.httpStatus).toBe(403);
  });
});

async function speak(lines: readonly string[]): Promise<string> {
  const socket = connect(bed.console.port, '127.0.0.1');
  socket.end(lines.join('\r\n'));
  return Buffer.concat(await socket.toArray()).toString();
}

interface SeenStream {
  readonly user: string;
  readonly protocols: string | undefined;
}

function echoStreams(console: ConsoleBed): readonly SeenStream[] {
  const seen: SeenStream[] = [];
  console.server().apis.registerApi('echo.example', 'v1', {
    discovery: { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'echo.example/v1', resources: [] },
    serve: () => Promise.reject(new Error('only streams are served')),
    upgrade: async ({ request, socket, head, user }) => {
      seen.push({ user: user.name, protocols: request.headers['sec-websocket-protocol'] });
      await using stream = acceptWebSocket({ request, socket, head, protocols: ['plain.kubevirt.io'] });
      for await (const bytes of stream) await stream.write(bytes);
    },
  });
  return seen;
}
