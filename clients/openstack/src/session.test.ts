import { readFile } from 'node:fs/promises';

import { Secret } from '@smalt/secret';
import { describe, expect, it } from 'vitest';

import { fakeConfig, isLogin, isVersionRequest, sendJson, sendToken, startFakeCloud } from './fake-cloud.ts';
import type { CloudAnswer, SeenRequest } from './fake-cloud.ts';
import { loginRequest } from './login.ts';
import { OpenStackClient } from './openstack-client.ts';

const admin = { name: 'admin', domain: { id: 'default' } };
const password = { kind: 'password', user: admin, password: new Secret('secret') } as const;

describe('what Keystone is sent', () => {
  it.each([
    ['auth-02-token-project', { identity: password, scope: { kind: 'project', project: admin } }],
    ['auth-03-token-unscoped', { identity: password, scope: { kind: 'none' } }],
    ['auth-05-token-system', { identity: password, scope: { kind: 'system' } }],
    [
      'auth-08-token-from-app-credential',
      {
        identity: {
          kind: 'application-credential',
          credential: { id: 'cf6bdd16f4be4f1c9261ae6ab417f094' },
          secret: new Secret('<secret>'),
        },
        scope: { kind: 'none' },
      },
    ],
  ] as const)('is as in %s', async (name, config) => {
    const text = await readFile(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8');
    const recorded = JSON.parse(text) as { request: { body: { auth: { scope?: unknown } } } };
    // An empty or "unscoped" scope and none at all mean the same.
    if (config.scope.kind === 'none') delete recorded.request.body.auth.scope;

    expect(loginRequest(config)).toEqual(recorded.request.body);
  });

  it.each([
    [
      { kind: 'application-credential', credential: { name: 'robot', user: admin }, secret: new Secret('s') },
      { kind: 'none' },
      {
        identity: {
          methods: ['application_credential'],
          application_credential: { name: 'robot', user: admin, secret: 's' },
        },
      },
    ],
    [
      { kind: 'token', token: new Secret('t') },
      { kind: 'domain', domain: { name: 'd' } },
      { identity: { methods: ['token'], token: { id: 't' } }, scope: { domain: { name: 'd' } } },
    ],
  ] as const)('says who and for what: %o for %o', (identity, scope, auth) => {
    expect(loginRequest({ identity, scope })).toEqual({ auth });
  });
});

describe('a token', () => {
  it('is got once, however many want it', async () => {
    await using cloud = await startFakeCloud(aggregates());

    await Promise.all(Array.from({ length: 50 }, () => cloud.client.compute.aggregates.list()));

    expect(cloud.logins).toHaveLength(1);
    expect(new Set(cloud.requests.map(({ headers }) => headers['x-auth-token']))).toEqual(new Set(['token-1']));
  });

  it('is replaced a minute before its end, whatever the time of day is on either side', async () => {
    // The answers are dated years away from the clock of the test, which begins at 0.
    await using cloud = await startFakeCloud(aggregates());
    await cloud.client.compute.aggregates.list();

    cloud.clock.pass(3_539_000);
    await cloud.client.compute.aggregates.list();
    cloud.clock.pass(2000);
    await cloud.client.compute.aggregates.list();

    expect(cloud.requests.map(({ headers }) => headers['x-auth-token'])).toEqual(['token-1', 'token-1', 'token-2']);
  });

  it('that a service refuses is replaced once for all, and the write is made again', async () => {
    await using cloud = await startFakeCloud(
      services((request, response) => {
        if (request.headers['x-auth-token'] === 'token-1') return sendJson(response, 401, unauthorized);
        return sendJson(response, 202, undefined);
      }),
    );

    await Promise.all(Array.from({ length: 20 }, (_, index) => cloud.client.compute.actions.stop(`s${index}`)));

    expect(cloud.logins).toHaveLength(2);
    expect(cloud.requests).toHaveLength(40);
  });

  it('is replaced once only: who is refused twice is told so', async () => {
    await using cloud = await startFakeCloud(services((_request, response) => sendJson(response, 401, unauthorized)));

    const listing = cloud.client.compute.aggregates.list();

    await expect(listing).rejects.toMatchObject({ code: 'unauthorized', httpStatus: 401 });
    expect(cloud.logins).toHaveLength(2);
  });

  it('is not asked for again at once with a password that was refused, lest the account be locked', async () => {
    await using cloud = await startFakeCloud((_request, response) => sendJson(response, 401, unauthorized));

    const codes = [await failure(cloud.client.whoAmI()), await failure(cloud.client.compute.aggregates.list())];
    cloud.clock.pass(10_001);
    codes.push(await failure(cloud.client.whoAmI()));

    expect(codes).toEqual(['unauthorized', 'unauthorized', 'unauthorized']);
    expect(cloud.logins).toHaveLength(2);
  });

  it('is asked for again when Keystone was away for a moment', async () => {
    let count = 0;
    await using cloud = await startFakeCloud((request, response) => {
      if (!isLogin(request) || ++count > 2) return 'as-usual';
      return sendJson(response, 503, {});
    });

    expect(await cloud.client.whoAmI()).toEqual({
      userId: 'u1',
      userName: 'admin',
      projectId: 'p1',
      projectName: 'admin',
      roles: ['admin'],
    });
    expect(cloud.clock.waits).toEqual([200, 400]);
  });

  it('goes on being got when the one who asked first gives up', async () => {
    const stopping = new AbortController();
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: isAllowed, resolve: allow } = Promise.withResolvers<void>();
    await using cloud = await startFakeCloud(async (request, response) => {
      ask();
      await isAllowed;
      sendToken(request, response, 'late');
    });
    const first = failure(cloud.client.whoAmI({ signal: stopping.signal }));
    const second = cloud.client.whoAmI();
    await isAsked;

    stopping.abort();
    const codeOfFirst = await first;
    allow();

    expect(codeOfFirst).toBe('aborted');
    expect(await second).toMatchObject({ userName: 'admin' });
    expect(cloud.logins).toHaveLength(1);
  });

  it.each([
    ['without its header', {}, { token: {} }, 'X-Subject-Token'],
    ['without a user', { 'x-subject-token': 't' }, { token: {} }, 'token.user is missing'],
  ])('%s is a bad answer', async (_name, headers, body, words) => {
    await using cloud = await startFakeCloud((_request, response) => sendJson(response, 201, body, headers));

    const asking = cloud.client.whoAmI();

    await expect(asking).rejects.toMatchObject({ code: 'bad-answer', message: expect.stringContaining(words) });
  });
});

describe('an address that leads nowhere', () => {
  it.each([
    ['is a bad configuration', password, 'bad-config'],
    ['means that the token has ended', { kind: 'token', token: new Secret('old') }, 'unauthorized'],
  ] as const)('%s when Keystone is looked for', async (_name, identity, code) => {
    await using cloud = await startFakeCloud((_request, response) => {
      sendJson(response, 404, { error: { code: 404, message: 'Failed to validate token' } });
    });
    await using client = new OpenStackClient({ config: { ...cloud.config, identity }, userAgent: 'test/1' });

    const finding = client.compute.hypervisors.findByHostname('node1');

    await expect(finding).rejects.toMatchObject({ code, httpStatus: 404 });
  });

  it('is no missing server: its version cannot be read', async () => {
    await using cloud = await startFakeCloud((request, response) => {
      return isLogin(request) ? 'as-usual' : sendJson(response, 404, { itemNotFound: { message: 'what?' } });
    });

    await expect(cloud.client.compute.servers.get('s1')).rejects.toMatchObject({ code: 'no-endpoint' });
  });

  it.each([
    ['<html>default backend - 404</html>', 'bad-answer'],
    ['', 'bad-answer'],
    ['{"message": "The resource could not be found.", "code": "404 Not Found", "title": "Not Found"}', 'bad-request'],
    ['{"itemNotFound": {"code": 404, "message": "Instance s1 could not be found."}}', 'not-found'],
  ])('is told from a missing server: %s', async (body, code) => {
    await using cloud = await startFakeCloud(services((_request, response) => void response.writeHead(404).end(body)));

    await expect(cloud.client.compute.servers.get('s1')).rejects.toMatchObject({ code });
  });

  it('cannot be told from a missing image', async () => {
    const body = '<html><h1>404 Not Found</h1>No image found with ID i1</html>';
    await using cloud = await startFakeCloud(services((_request, response) => void response.writeHead(404).end(body)));

    await expect(cloud.client.images.get('i1')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('versions', () => {
  it('are the newest that both sides know', async () => {
    await using cloud = await startFakeCloud(
      services((request, response) => {
        if (request.path.startsWith('/v2.1/os-hyper')) sendJson(response, 200, { hypervisors: [] });
        else sendJson(response, 200, { aggregates: [], resource_providers: [], volumes: [], images: [] });
      }),
    );
    const { compute, placement, volumes, images } = cloud.client;

    await compute.hypervisors.listDetails().all();
    await compute.aggregates.list();
    await placement.providers.list();
    await volumes.list().all();
    await images.list().all();

    expect(cloud.requests.map(({ path, headers }) => [path, headers['openstack-api-version']])).toEqual([
      ['/v2.1/os-hypervisors/detail', 'compute 2.87'],
      ['/v2.1/os-aggregates', 'compute 2.93'],
      ['/resource_providers', 'placement 1.39'],
      ['/v3/p1/volumes/detail', 'volume 3.70'],
      ['/v2/images', undefined],
    ]);
  });

  it('of a service that is too old are an error that says what it takes', async () => {
    await using cloud = await startFakeCloud(withVersions('2.60'));

    await cloud.client.compute.actions.liveMigrate('s1');
    const listing = cloud.client.compute.flavors.list().all();

    await expect(listing).rejects.toMatchObject({
      code: 'microversion',
      message: expect.stringMatching(/GET \/flavors\/detail: needs version 2.61 to 2.93 .* knows 2.1 to 2.60/),
    });
    expect(cloud.requests).toHaveLength(1);
  });

  it('decide whether a server can be left stopped', async () => {
    await using cloud = await startFakeCloud(withVersions('2.93'));

    const evacuating = cloud.client.compute.actions.evacuate('s1', { isLeftStopped: true });

    await expect(evacuating).rejects.toMatchObject({ code: 'microversion' });
    expect(cloud.requests).toEqual([]);
  });

  it('are asked for again when the service has become an older one', async () => {
    const served = { most: '2.93' };
    await using cloud = await startFakeCloud((request, response) => {
      if (isLogin(request)) return 'as-usual';
      if (isVersionRequest(request)) return sendVersions(response, served.most);
      const isServed = request.headers['openstack-api-version'] === `compute ${served.most}`;
      return isServed ? sendJson(response, 200, { aggregates: [] }) : sendJson(response, 406, { computeFault: {} });
    });
    await cloud.client.compute.aggregates.list();
    served.most = '2.90';

    expect(await cloud.client.compute.aggregates.list()).toEqual([]);
    expect(cloud.requests.map(({ headers }) => headers['openstack-api-version'])).toEqual([
      'compute 2.93',
      'compute 2.93',
      'compute 2.90',
    ]);
  });

  it('are an error where there are none', async () => {
    await using cloud = await startFakeCloud((request, response) => {
      if (!isVersionRequest(request)) return 'as-usual';
      return sendJson(response, 200, { version: { id: 'v2.0', version: '', min_version: '' } });
    });

    const listing = cloud.client.compute.aggregates.list();

    await expect(listing).rejects.toMatchObject({ code: 'microversion' });
  });
});

it('uses the address of the configuration instead of that of the catalog', async () => {
  await using elsewhere = await startFakeCloud(aggregates());
  const compute = elsewhere.config.authUrl.replace('/identity/v3', '/compute');
  await using cloud = await startFakeCloud(() => 'as-usual');
  const config = { ...fakeConfig(cloud.config.authUrl.replace('/identity/v3', '')), endpoints: { compute } };
  await using both = await startFakeCloud(() => 'as-usual', { config });

  await both.client.compute.aggregates.list();

  expect([cloud.logins.length, elsewhere.requests.map(({ path }) => path)]).toEqual([1, ['/v2.1/os-aggregates']]);
});

const unauthorized = { error: { code: 401, title: 'Unauthorized', message: 'requires authentication' } };

type ServiceAnswer = (request: SeenRequest, response: Parameters<CloudAnswer>[1]) => void;

function services(answer: ServiceAnswer): CloudAnswer {
  return (request, response) => {
    if (isLogin(request) || isVersionRequest(request)) return 'as-usual';
    return answer(request, response);
  };
}

function aggregates(): CloudAnswer {
  return services((_request, response) => sendJson(response, 200, { aggregates: [] }));
}

function withVersions(most: string): CloudAnswer {
  return (request, response) => {
    if (isLogin(request)) return 'as-usual';
    return isVersionRequest(request) ? sendVersions(response, most) : sendJson(response, 202, undefined);
  };
}

function sendVersions(response: Parameters<CloudAnswer>[1], most: string): void {
  sendJson(response, 200, { version: { id: 'v2.1', version: most, min_version: '2.1' } });
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
}
