import { request as httpsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';

import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';
import { startKubectlBed, type KubectlBed } from '../kubectl/kubectl-bed.ts';
import { startStandIn, type StandIn } from './fixtures/https-stand-in.ts';

const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const DISCOVERY = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: 'zoo.example.dev/v1',
  resources: [
    { name: 'lions', singularName: 'lion', namespaced: true, kind: 'Lion', verbs: ['get', 'list'] },
    { name: 'lions/roar', singularName: '', namespaced: true, kind: 'Lion', verbs: ['get'] },
  ],
};
let bed: KubectlBed;
let zoo: StandIn;
let seen: { url: string; headers: JsonObject; peer: unknown }[] = [];

beforeAll(async () => {
  bed = await startKubectlBed();
  const trust = await bed.api.call(
    'GET',
    '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication',
  );
  const clientCa = textAt(objectAt(trust.object, 'data'), 'requestheader-client-ca-file');
  zoo = await startStandIn({
    names: ['zoo.default.svc'],
    clientCa,
    handle: (request, response, body) => {
      const socket = request.socket as TLSSocket;
      seen.push({
        url: request.url ?? '',
        headers: request.headers as JsonObject,
        peer: socket.getPeerCertificate().subject.CN,
      });
      response.setHeader('content-type', 'application/json');
      if (request.url === '/apis/zoo.example.dev/v1') response.end(JSON.stringify(DISCOVERY));
      else
        response
          .writeHead(request.method === 'POST' ? 201 : 200)
          .end(body === '' ? '{"kind":"LionList","apiVersion":"zoo.example.dev/v1","items":[]}' : body);
    },
  });
  zoo.server.on('upgrade', (request, socket) => {
    seen.push({ url: request.url ?? '', headers: request.headers as JsonObject, peer: '' });
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  await post('/api/v1/namespaces/default/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'zoo' },
    spec: { clusterIP: 'None', ports: [{ port: 443 }] },
  });
  await post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'zoo-1', labels: { 'kubernetes.io/service-name': 'zoo' } },
    addressType: 'IPv4',
    ports: [{ name: '', port: zoo.port, protocol: 'TCP' }],
    endpoints: [{ addresses: ['127.0.0.1'] }],
  });
  await post(
    API_SERVICES,
    apiService('zoo', { service: { namespace: 'default', name: 'zoo' }, caBundle: zoo.caBundle }),
  );
  await vi.waitUntil(async () => String(await available('zoo')) === 'True,Passed,all checks passed', 5_000);
});

afterAll(async () => {
  await zoo[Symbol.asyncDispose]();
  await bed[Symbol.asyncDispose]();
});

it('shows the kinds of another server among its own', async () => {
  const resources = await bed.output(['api-resources', '--api-group=zoo.example.dev', '--no-headers']);

  expect(resources.trim().split(/\s+/)).toEqual(['lions', 'zoo.example.dev/v1', 'true', 'Lion']);
});

it('passes requests on and says who asks, whatever the client claims', async () => {
  seen = [];

  const answer = await bed.api.call('POST', '/apis/zoo.example.dev/v1/namespaces/default/lions?dryRun=All', {
    body: { hello: 'lion' },
    headers: { 'x-remote-user': 'mallory', 'x-remote-group': 'system:masters', cookie: 'session=secret' },
  });

  expect(answer).toMatchObject({ code: 201, object: { hello: 'lion' } });
  expect(seen).toMatchObject([
    {
      url: '/apis/zoo.example.dev/v1/namespaces/default/lions?dryRun=All',
      headers: { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters, system:authenticated' },
      peer: 'front-proxy-client',
    },
  ]);
  expect(seen[0]?.headers).not.toHaveProperty('authorization');
  expect(seen[0]?.headers).not.toHaveProperty('cookie');
});

it('does not pass on a path that leads out of what was allowed', async () => {
  seen = [];

  const { code } = await bed.api.call('GET', '/apis/zoo.example.dev/v1/namespaces/a/lions/x%2F..%2F..%2Fsecrets');

  expect({ code, asked: seen.length }).toEqual({ code: 404, asked: 0 });
});

it('serves kubectl from the other server', async () => {
  expect((await bed.run(['get', 'lions'])).stderr).toContain('No resources found');
});

it('passes an upgraded connection on, byte for byte', async () => {
  const echoed = await talk('/apis/zoo.example.dev/v1/namespaces/default/lions/leo/roar', 'roar');

  expect(echoed).toBe('roar');
});

it('keeps a token that a browser hides among its protocols, and cookies, to itself', async () => {
  const token = `base64url.bearer.authorization.k8s.io.${Buffer.from(bed.api.server.adminToken).toString('base64url')}`;

  await talk('/apis/zoo.example.dev/v1/namespaces/default/lions/leo/roar', 'roar', {
    'sec-websocket-protocol': `${token}, v4.channel.k8s.io`,
    cookie: 'session=secret',
  });

  expect(seen.at(-1)?.headers['sec-websocket-protocol']).toBe('v4.channel.k8s.io');
  expect(JSON.stringify(seen.at(-1)?.headers)).not.toMatch(/bearer|secret/);
});

it('says why another server is not available, and answers 503 for it', async () => {
  await post(
    API_SERVICES,
    apiService('farm', { service: { namespace: 'default', name: 'farm' }, insecureSkipTLSVerify: true }),
  );

  await expect
    .poll(() => available('farm'), { timeout: 10_000 })
    .toEqual(['False', 'ServiceNotFound', 'service/farm in "default" is not present']);
  expect(await bed.api.call('GET', '/apis/farm.example.dev/v1/cows')).toMatchObject({
    code: 503,
    object: { reason: 'ServiceUnavailable', message: 'service unavailable' },
  });
});

it('does not speak to a server whose certificate it cannot trust', async () => {
  const caBundle = Buffer.from(bed.api.server.ca).toString('base64');
  await post(API_SERVICES, apiService('fake', { service: { namespace: 'default', name: 'zoo' }, caBundle }));

  await expect
    .poll(() => available('fake'), { timeout: 10_000 })
    .toEqual([
      'False',
      'FailedDiscoveryCheck',
      'failing or missing response from https://zoo.default.svc:443/apis/fake.example.dev/v1: tls: failed to verify certificate: x509: certificate signed by unknown authority',
    ]);
});

it('lets a component of the same process serve a group', async () => {
  const unregister = bed.api.server.apis.registerApi('local.example.dev', 'v1', {
    discovery: { resources: [{ name: 'things/start', namespaced: true, kind: 'Thing', verbs: ['update'] }] },
    serve: (user, { exchange, info }) => {
      exchange.send(200, 'application/json', JSON.stringify({ user: user.name, subresource: info.subresource }));
      return Promise.resolve();
    },
  });

  const served = await bed.api.call('PUT', '/apis/local.example.dev/v1/namespaces/default/things/a/start');
  const listed = await bed.api.call('GET', '/apis/local.example.dev/v1');
  unregister();
  const gone = await bed.api.call('GET', '/apis/local.example.dev/v1');

  expect(served.object).toEqual({ user: 'admin', subresource: 'start' });
  expect(objectsAt(listed.object, 'resources').map(({ name }) => name)).toContain('things/start');
  expect(gone.code).toBe(404);
});

async function available(name: string): Promise<unknown> {
  const { object } = await bed.api.call('GET', `${API_SERVICES}/v1.${name}.example.dev`);
  const [condition] = objectsAt(objectAt(object, 'status'), 'conditions');
  return condition === undefined ? undefined : [condition['status'], condition['reason'], condition['message']];
}

function talk(path: string, text: string, credential?: Record<string, string>): Promise<string> {
  const { server } = bed.api;
  const shown = credential ?? { authorization: `Bearer ${server.adminToken}` };
  const headers = { connection: 'Upgrade', upgrade: 'echo', ...shown };
  return new Promise((resolve, reject) => {
    const request = httpsRequest(`${server.url}${path}`, { ca: server.ca, headers, agent: false }, (response) =>
      reject(new Error(String(response.statusCode))),
    );
    request.on('upgrade', (_response, socket) => {
      socket.once('data', (chunk: Buffer) => {
        socket.destroy();
        resolve(chunk.toString());
      });
      socket.write(text);
    });
    request.on('error', reject);
    request.end();
  });
}

async function post(path: string, body: JsonObject): Promise<void> {
  const { code, text } = await bed.api.call('POST', path, { body });
  if (code !== 201) throw new Error(text);
}

function apiService(name: string, spec: JsonObject): JsonObject {
  const group = `${name}.example.dev`;
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `v1.${group}` },
    spec: { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, ...spec },
  };
}
