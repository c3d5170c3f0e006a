import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@smalt/json';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';

import { startStandIn, type StandIn } from '../aggregation/fixtures/https-stand-in.ts';
import { startTestServer, type TestServer } from '../fixtures/test-server.ts';
import { objectAt, textAt } from '../identity/object-fields.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
let api: TestServer;
let webhook: StandIn;
let reviews: JsonObject[];
let answer: (request: JsonObject, path: string) => JsonObject | number;
const made: string[] = [];

beforeAll(async () => {
  api = await startTestServer();
  webhook = await startStandIn({
    names: ['localhost', 'hook.default.svc'],
    handle: (request, response, body) => {
      const review = parseJson(body);
      if (!isJsonObject(review)) throw new TypeError('no review');
      reviews.push(review);
      const asked = objectAt(review, 'request');
      const result = answer(asked, request.url ?? '');
      if (typeof result === 'number') return response.writeHead(result).end('out of order');
      const { kind, apiVersion } = review;
      response.end(JSON.stringify({ kind, apiVersion, response: { uid: asked['uid'], ...result } }));
    },
  });
});

afterEach(async () => {
  for (const path of made.splice(0)) await api.call('DELETE', path);
});

afterAll(async () => {
  await webhook[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

describe('validating webhooks', () => {
  it('refuse a write with their own code, reason and words', async () => {
    answer = () => ({ allowed: false, status: { code: 418, reason: 'Teapot', message: 'no tea' } });
    await configure('validating', {});

    const refused = await api.call('POST', CONFIG_MAPS, { body: configMap('a') });

    expect(refused).toMatchObject({
      code: 418,
      object: { reason: 'Teapot', message: 'admission webhook "hook.example.dev" denied the request: no tea' },
    });
  });

  it('see the whole request', async () => {
    answer = () => ({ allowed: true });
    await configure('validating', {});

    await api.call('POST', `${CONFIG_MAPS}?dryRun=All`, { body: configMap('seen') });

    expect(objectAt(reviews[0] ?? {}, 'request')).toMatchObject({
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
      name: 'seen',
      namespace: 'default',
      operation: 'CREATE',
      userInfo: { username: 'admin' },
      object: { kind: 'ConfigMap', metadata: { name: 'seen' } },
      oldObject: null,
      dryRun: true,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    });
  });

  it('warn the writer', async () => {
    answer = () => ({ allowed: true, warnings: ['careful'] });
    await configure('validating', {});

    const { headers } = await api.call('POST', `${CONFIG_MAPS}?dryRun=All`, { body: configMap('w') });

    expect(headers['warning']).toBe('299 - "careful"');
  });

  it.each([
    ['another namespace', { namespaceSelector: { matchLabels: { team: 'x' } } }],
    ['other labels', { objectSelector: { matchLabels: { app: 'x' } } }],
    ['other resources', { rules: [rule({ resources: ['secrets'] })] }],
    ['another operation', { rules: [rule({ operations: ['DELETE'] })] }],
    ['cluster scope only', { rules: [rule({ scope: 'Cluster' })] }],
    ['conditions that do not hold', { matchConditions: [{ name: 'c', expression: 'object.metadata.name == "x"' }] }],
  ])('are not asked when they want %s', async (_what, changes) => {
    answer = () => ({ allowed: false });
    await configure('validating', changes);

    const { code } = await api.call('POST', `${CONFIG_MAPS}?dryRun=All`, { body: configMap('a') });

    expect({ code, asked: reviews.length }).toEqual({ code: 201, asked: 0 });
  });

  it('stop a write when they fail, unless they say otherwise', async () => {
    answer = () => 500;
    await configure('validating', {});
    const failed = await api.call('POST', `${CONFIG_MAPS}?dryRun=All`, { body: configMap('a') });
    await api.call('DELETE', made.pop() ?? '');
    await configure('validating', { failurePolicy: 'Ignore' });

    const passed = await api.call('POST', `${CONFIG_MAPS}?dryRun=All`, { body: configMap('a') });

    expect(failed).toMatchObject({
      code: 500,
      object: {
        reason: 'InternalError',
        message:
          'Internal error occurred: failed calling webhook "hook.example.dev": failed to call webhook: an error on the server ("out of order") has prevented the request from succeeding',
      },
    });
    expect(passed.code).toBe(201);
  });

  it('stop a write when nobody listens, and the message names the address', async () => {
    await configure('validating', { clientConfig: { url: 'https://127.0.0.1:1/', caBundle: webhook.caBundle } });

    const { object } = await api.call('POST', CONFIG_MAPS, { body: configMap('a') });

    expect(object['message']).toBe(
      'Internal error occurred: failed calling webhook "hook.example.dev": failed to call webhook: Post "https://127.0.0.1:1/?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused',
    );
  });

  it('must not change the object', async () => {
    answer = () => ({ allowed: true, patchType: 'JSONPatch', patch: patchText([]) });
    await configure('validating', {});

    const { object } = await api.call('POST', CONFIG_MAPS, { body: configMap('a') });

    expect(object['message']).toContain(
      'received invalid webhook response: validating webhook may not return response.patch',
    );
  });

  it('are never asked about webhooks', async () => {
    answer = () => ({ allowed: false });
    await configure('validating', { rules: [rule({ apiGroups: ['*'], resources: ['*'] })] });

    const { code } = await api.call('DELETE', made.pop() ?? '');

    expect(code).toBe(200);
  });
});

describe('mutating webhooks', () => {
  it('change the object with a JSON patch', async () => {
    answer = () => ({
      allowed: true,
      patchType: 'JSONPatch',
      patch: patchText([{ op: 'add', path: '/data', value: { by: 'hook' } }]),
    });
    await configure('mutating', {});

    const { object } = await api.call('POST', `${CONFIG_MAPS}?dryRun=All`, { body: configMap('a') });

    expect(object).toMatchObject({ data: { by: 'hook' } });
  });

  it('are asked again when a later one changed the object and they want to know', async () => {
    answer = (_request, path) =>
      path.startsWith('/second')
        ? { allowed: true, patchType: 'JSONPatch', patch: patchText([{ op: 'add', path: '/data', value: { x: 'y' } }]) }
        : { allowed: true };
    const first = hook({ name: 'first.example.dev', reinvocationPolicy: 'IfNeeded' });
    const second = hook({ name: 'second.example.dev', clientConfig: url('/second') });
    await configureAll('mutating', [first, second]);

    await api.call('POST', `${CONFIG_MAPS}?dryRun=All`, { body: configMap('a') });

    const seen = reviews.map((review) => objectAt(objectAt(objectAt(review, 'request'), 'object'), 'data'));
    expect(seen).toEqual([{}, {}, { x: 'y' }]);
  });

  it('are asked about a dry run when they have no side effects then', async () => {
    answer = () => ({ allowed: true });
    await configure('mutating', { sideEffects: 'NoneOnDryRun' });

    const { code } = await api.call('POST', `${CONFIG_MAPS}?dryRun=All`, { body: configMap('a') });

    expect({ code, asked: reviews.length }).toEqual({ code: 201, asked: 1 });
  });

  it('are reached through the endpoints of a service', async () => {
    answer = () => ({ allowed: true });
    await api.call('POST', '/api/v1/namespaces/default/services', {
      body: {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'hook' },
        spec: { clusterIP: 'None', ports: [{ port: 443 }] },
      },
    });
    await api.call('POST', '/api/v1/namespaces/default/endpoints', {
      body: {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: 'hook' },
        subsets: [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ port: webhook.port }] }],
      },
    });
    const service = { namespace: 'default', name: 'hook', path: '/by-service' };
    await configure('mutating', { clientConfig: { service, caBundle: webhook.caBundle } });

    const { code } = await api.call('POST', `${CONFIG_MAPS}?dryRun=All`, { body: configMap('a') });

    expect({ code, asked: reviews.length }).toEqual({ code: 201, asked: 1 });
  });
});

it('a component of the same process needs no webhook', async () => {
  api.server.admission.add({
    mutate: ({ object, resource }) =>
      resource.kind === 'Secret' && object !== undefined ? { ...object, immutable: true } : object,
  });

  const { object } = await api.call('POST', '/api/v1/namespaces/default/secrets?dryRun=All', {
    body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } },
  });

  expect(object).toMatchObject({ immutable: true });
});

async function configure(phase: 'validating' | 'mutating', changes: JsonObject): Promise<void> {
  await configureAll(phase, [hook(changes)]);
}

async function configureAll(phase: 'validating' | 'mutating', webhooks: readonly JsonObject[]): Promise<void> {
  reviews = [];
  const kind = phase === 'validating' ? 'ValidatingWebhookConfiguration' : 'MutatingWebhookConfiguration';
  const path = `${GROUP}/${kind.toLowerCase()}s`;
  const body = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'test' }, webhooks };
  const { code, object } = await api.call('POST', path, { body });
  if (code !== 201) throw new Error(textAt(object, 'message'));
  made.push(`${path}/test`);
}

function hook(changes: JsonObject): JsonObject {
  return {
    name: 'hook.example.dev',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: url('/first'),
    rules: [rule({})],
    ...changes,
  };
}

function url(path: string): JsonObject {
  return { url: `https://localhost:${webhook.port}${path}`, caBundle: webhook.caBundle };
}

function rule(changes: JsonObject): JsonObject {
  return { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], ...changes };
}

function configMap(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
}

function patchText(patch: readonly JsonValue[]): string {
  return Buffer.from(JSON.stringify(patch)).toString('base64');
}
