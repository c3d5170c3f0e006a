import { once } from 'node:events';
import { connect } from 'node:tls';
import { gunzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { machine, machineDefinition } from '../fixtures/machine-definition.ts';
import { startTestServer, type TestServer } from '../fixtures/test-server.ts';

const MACHINES = '/apis/bench.example.dev/v1/namespaces/default/machines';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let api: TestServer;

beforeAll(async () => {
  api = await startTestServer();
  await api.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: machineDefinition() });
  await until(async () => (await api.call('GET', MACHINES)).code === 200);
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

describe('paths outside of resources', () => {
  it.each(['/healthz', '/livez', '/readyz'])('says ok at %s to anybody', async (path) => {
    expect(await api.call('GET', path, { isAnonymous: true })).toMatchObject({ code: 200, text: 'ok' });
  });

  it('answers for one check', async () => {
    expect(await api.call('GET', '/healthz/ping')).toMatchObject({ code: 200, text: 'ok' });
  });

  it('names every check to who wants to know', async () => {
    const { text } = await api.call('GET', '/readyz?verbose');

    expect(text).toMatch(/^\[\+\]ping ok\n[^]*readyz check passed\n$/);
  });

  it('tells a version that clients know', async () => {
    const { object } = await api.call('GET', '/version');

    expect(object).toMatchObject({ major: '1', minor: '36', gitVersion: expect.stringMatching(/^v1\.36\./) });
  });

  it('counts requests', async () => {
    const { text } = await api.call('GET', '/metrics');

    expect(text).toMatch(/^apiserver_request_total\{verb="GET",.*code="200"\} [1-9]/m);
    expect(text).toMatch(/^apiserver_storage_objects\{resource="namespaces"\} 4$/m);
  });

  it.each(['/nope', '/apis/nope/v1/things', '/openapi/v9', '/healthz/nope'])(
    'answers %s with plain text and 404',
    async (path) => {
      expect(await api.call('GET', path)).toMatchObject({
        code: 404,
        text: '404 page not found\n',
        headers: { 'content-type': 'text/plain; charset=utf-8' },
      });
    },
  );

  it.each(['/api/v1/nope', '/api/v1/namespaces/default/nope', '/apis/apps/v9'])(
    'answers %s, which is inside of a group that it has, with a Status',
    async (path) => {
      expect(await api.call('GET', path)).toMatchObject({
        code: 404,
        object: { reason: 'NotFound', message: 'the server could not find the requested resource' },
      });
    },
  );

  it('publishes the keys of tokens', async () => {
    const { object } = await api.call('GET', '/openid/v1/jwks');

    expect(object).toMatchObject({ keys: [{ use: 'sig', alg: 'ES256' }] });
  });
});

describe('refusals', () => {
  it('refuses a wrong token with 401', async () => {
    const answer = await api.call('GET', CONFIG_MAPS, { headers: { authorization: 'Bearer nonsense' } });

    expect(answer).toMatchObject({
      code: 401,
      object: { kind: 'Status', reason: 'Unauthorized', message: 'Unauthorized', code: 401 },
    });
  });

  it('lets nobody in without a credential', async () => {
    const answer = await api.call('GET', CONFIG_MAPS, { isAnonymous: true });

    expect(answer).toMatchObject({
      code: 403,
      object: {
        reason: 'Forbidden',
        message:
          'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"',
      },
    });
  });

  it.each([
    {
      method: 'POST',
      path: `${CONFIG_MAPS}/x`,
      message: 'the server does not allow this method on the requested resource',
    },
    {
      method: 'POST',
      path: `${MACHINES}/x`,
      message: 'create is not supported on resources of kind "machines.bench.example.dev"',
    },
    {
      method: 'DELETE',
      path: `${MACHINES}/x/status`,
      message: 'delete is not supported on resources of kind "machines.bench.example.dev"',
    },
    { method: 'POST', path: '/apis', message: 'the server does not allow this method on the requested resource' },
  ])('answers $method $path with 405', async ({ method, path, message }) => {
    const answer = await api.call(method, path, { body: {} });

    expect(answer).toMatchObject({ code: 405, object: { reason: 'MethodNotAllowed', message } });
  });

  it('refuses a form that it does not have with 406', async () => {
    const answer = await api.call('GET', CONFIG_MAPS, { headers: { accept: 'text/html' } });

    expect(answer).toMatchObject({ code: 406, object: { reason: 'NotAcceptable' } });
  });

  it('refuses a body of an unknown type with 415', async () => {
    const answer = await api.call('POST', CONFIG_MAPS, { body: 'x', headers: { 'content-type': 'text/plain' } });

    expect(answer).toMatchObject({ code: 415, object: { reason: 'UnsupportedMediaType' } });
  });

  it('refuses a strategic merge patch of a custom kind with 415', async () => {
    const headers = { 'content-type': 'application/strategic-merge-patch+json' };

    const answer = await api.call('PATCH', `${MACHINES}/x`, { body: {}, headers });

    expect(answer.object['message']).toBe(
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    );
  });

  it('refuses an apply that says not whose it is', async () => {
    const headers = { 'content-type': 'application/apply-patch+yaml' };

    const answer = await api.call('PATCH', `${MACHINES}/x`, { body: '{}', headers });

    expect(answer.object['message']).toBe(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
  });

  it('refuses a body that is too large with 413', async () => {
    const body = JSON.stringify({ data: { a: 'x'.repeat(3 * 1024 * 1024) } });

    const answer = await api.call('POST', CONFIG_MAPS, { body });

    expect(answer).toMatchObject({
      code: 413,
      object: { reason: 'RequestEntityTooLarge', message: 'Request entity too large: limit is 3145728' },
    });
  });

  it.each(['/api/v1/%zz', '/api/v1/watch'])('answers the unreadable path %s with 400', async (path) => {
    expect(await api.call('GET', path)).toMatchObject({ code: 400, object: { reason: 'BadRequest' } });
  });
});

describe('objects', () => {
  it('gives every answer an id and forbids to keep it', async () => {
    const { headers } = await api.call('GET', CONFIG_MAPS);

    expect(headers).toMatchObject({
      'audit-id': expect.stringMatching(/^[\da-f-]{36}$/),
      'cache-control': 'no-cache, private',
    });
  });

  it('takes YAML and answers in YAML', async () => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: "1"\n';

    const answer = await api.call('POST', CONFIG_MAPS, {
      body,
      headers: { 'content-type': 'application/yaml', accept: 'application/yaml' },
    });

    expect(answer).toMatchObject({ code: 201, headers: { 'content-type': 'application/yaml' } });
    expect(answer.text).toContain('data:\n  a: "1"');
  });

  it('answers in protobuf to who prefers it, for built-in kinds only', async () => {
    const headers = { accept: 'application/vnd.kubernetes.protobuf,application/json' };
    await api.call('POST', MACHINES, { body: machine('proto') });

    const builtIn = await api.call('GET', CONFIG_MAPS, { headers });
    const custom = await api.call('GET', `${MACHINES}/proto`, { headers });

    expect(builtIn.body.subarray(0, 4).toString()).toBe('k8s\0');
    expect(custom.object).toMatchObject({ kind: 'Machine' });
  });

  it('warns of fields that are unknown or stand twice, and refuses them when it is told to', async () => {
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"odd"},"data":{"a":"1","a":"2"},"odd":1}';

    const warned = await api.call('POST', `${CONFIG_MAPS}?dryRun=All`, { body });
    const refused = await api.call('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, { body });

    expect(warned.code).toBe(201);
    expect(warned.headers['warning']).toContain('299 - "unknown field \\"odd\\""');
    expect(warned.headers['warning']).toContain('299 - "duplicate field \\"data.a\\""');
    expect(refused).toMatchObject({ code: 400, object: { message: expect.stringContaining('strict decoding error') } });
  });

  it('lays the answer out for people', async () => {
    const { text } = await api.call('GET', `${CONFIG_MAPS}?pretty=true`);

    expect(text).toMatch(/^\{\n {2}"kind": "ConfigMapList",\n/);
  });

  it('packs large lists for who can unpack them', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        api.call('POST', CONFIG_MAPS, { body: configMap(`big-${index}`, 'x'.repeat(8_000)) }),
      ),
    );

    const answer = await api.call('GET', CONFIG_MAPS, { headers: { 'accept-encoding': 'gzip' } });

    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(answer.body).toString())).toMatchObject({ kind: 'ConfigMapList' });
  });

  it('shows rows with the columns of the kind, and as much of the object as is asked for', async () => {
    await api.call('POST', MACHINES, { body: machine('row', 7) });
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

    const withMetadata = await api.call('GET', `${MACHINES}/row`, { headers });
    const without = await api.call('GET', `${MACHINES}/row?includeObject=None`, { headers });
    const wrong = await api.call('GET', `${MACHINES}/row?includeObject=Half`, { headers });

    expect(withMetadata.object).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      columnDefinitions: [
        { name: 'Name', format: 'name' },
        { name: 'CPUs' },
        { name: 'Phase' },
        { name: 'Image', priority: 1 },
        { name: 'Age' },
      ],
      rows: [
        {
          cells: ['row', 7, null, 'debian', expect.stringMatching(/^\d+s$/)],
          object: { kind: 'PartialObjectMetadata', metadata: { name: 'row' } },
        },
      ],
    });
    expect(without.object).toMatchObject({ rows: [{ object: null }] });
    expect(wrong).toMatchObject({
      code: 400,
      object: {
        message:
          "Unable to convert to Table as requested: includeObject: Invalid value: \"Half\": must be 'Metadata', 'Object', 'None', or empty",
      },
    });
  });

  it('shows only what identifies objects to who wants no more', async () => {
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

    const { object } = await api.call('GET', MACHINES, { headers: { accept } });

    expect(object).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
    expect(object['items']).toEqual(expect.arrayContaining([expect.not.objectContaining({ spec: expect.anything() })]));
  });
});

describe('load', () => {
  it('asks to try again when too much is going on', async () => {
    await using small = await startTestServer({ maxInFlight: 0 });

    const answer = await small.call('GET', CONFIG_MAPS);

    expect(answer).toMatchObject({
      code: 429,
      text: 'Too many requests, please try again later.\n',
      headers: { 'retry-after': '1' },
    });
  });
});

function configMap(
  name: string,
  content: string,
): { apiVersion: string; kind: string; metadata: { name: string }; data: { content: string } } {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { content } };
}

describe('a connection of HTTP/1.1', () => {
  it('takes a large request while the answer to the one before it is still on its way', async () => {
    const names = ['large-1', 'large-2'];
    for (const name of names) {
      await api.call('POST', CONFIG_MAPS, { body: { metadata: { name }, data: { a: 'x'.repeat(500_000) } } });
    }
    const { server } = api;
    const socket = connect({ host: '127.0.0.1', port: server.port, ca: server.ca });
    await once(socket, 'secureConnect');
    const head = (line: string, ...more: readonly string[]): string =>
      [`${line} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${server.adminToken}`, ...more, '', ''].join(
        '\r\n',
      );
    const body = JSON.stringify({ data: { a: 'y'.repeat(500_000) } });
    const patch = ['Content-Type: application/merge-patch+json', `Content-Length: ${body.length}`, 'Connection: close'];

    // Nobody reads yet, so what is answered first fills up.
    socket.pause();
    socket.write(head(`GET ${CONFIG_MAPS}/large-1`));
    socket.write(`${head(`PATCH ${CONFIG_MAPS}/large-2`, ...patch)}${body}`);
    const answers = Buffer.concat(await socket.toArray()).toString();

    expect(answers.match(/^HTTP\/1.1 \d+ OK/gm)).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);
  });
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue()));
}
