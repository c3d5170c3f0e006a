import { join } from 'node:path';

import { installDefinitions } from '@smalt/bed-kubernetes';
import { startOvsNode } from '@smalt/bed-ovs';
import type { JsonObject } from '@smalt/json';
import { follow } from '@smalt/kube';
import { startOvsAgent } from '@smalt/ovs-agent';
import { ovsNodeKind, readOvsDefinitions } from '@smalt/ovs-api';
import { createLogger } from '@smalt/service-runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startConsoleBed, type ConsoleBed } from '../fixtures/console-bed.ts';

const NAMESPACE = 'ovn-system';
const ROOT = `/switches/${NAMESPACE}/n1`;
const TRACE = { bridge: 'br-int', packet: { inPort: 'tap1' } };

const owned = new AsyncDisposableStack();
let bed: ConsoleBed;
let tracer: string;

beforeAll(async () => {
  bed = owned.use(await startConsoleBed());
  const signal = AbortSignal.timeout(110_000);
  await installDefinitions(bed.admin, await readOvsDefinitions(), signal);
  await create('/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  await startAgent(signal);
  await role('tracer', [
    rule('ovsnodes', 'get'),
    rule('ovsnodes/trace', 'create'),
    rule('ovsnodes/diagnostics', 'get'),
  ]);
  tracer = await bed.signIn(await bed.token('tina', 'tracer'));
});
afterAll(() => owned.disposeAsync());

it('are asked as the user, whose rights count there', async () => {
  const [traced, seen, refused] = [
    await bed.call('POST', `${ROOT}/v1/trace`, { cookie: tracer, body: TRACE }),
    await bed.call('GET', `${ROOT}/v1/topology`, { cookie: tracer }),
    await bed.call('POST', `${ROOT}/v1/captures`, { cookie: tracer, body: { port: 'tap1', seconds: 1 } }),
  ];

  expect([traced.status, seen.status, refused.status]).toEqual([200, 200, 403]);
  expect(traced.body).toMatchObject({ verdict: { kind: expect.any(String) } });
  expect(seen.body['bridges']).toMatchObject([{ name: 'br-int' }]);
  expect(refused.text).toContain('system:serviceaccount:default:tina may not create ovsnodes/capture');
});

it('send a capture as it comes', async () => {
  const cookie = await bed.signIn(bed.adminToken);

  const answer = await bed.call('POST', `${ROOT}/v1/captures`, { cookie, body: { port: 'tap1', seconds: 1 } });

  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/vnd.tcpdump.pcap',
    'content-security-policy': expect.stringContaining('sandbox'),
  });
});

it('tell the agent nothing of one who may not see the OVSNode', async () => {
  await role('blind', [rule('ovsnodes/trace', 'create')]);
  const cookie = await bed.signIn(await bed.token('ben', 'blind'));

  const answer = await bed.call('POST', `${ROOT}/v1/trace`, { cookie, body: TRACE });

  expect(answer.status).toBe(403);
  expect(answer.text).toContain('ovsnodes');
});

it.each([
  { given: 'nobody who signed in', path: `${ROOT}/v1/topology`, cookie: () => '', status: 401 },
  {
    given: 'a node that is not there',
    path: `/switches/${NAMESPACE}/n9/v1/topology`,
    cookie: () => tracer,
    status: 404,
  },
  { given: 'something else', path: `${ROOT}/metrics`, cookie: () => tracer, status: 404 },
])('answer $given with $status', async ({ path, cookie, status }) => {
  expect((await bed.call('GET', path, { cookie: cookie() })).status).toBe(status);
});

it('are not asked for pages of other sites', async () => {
  const headers = { origin: 'https://evil.example', 'x-smalt-console': '1' };

  expect((await bed.raw('POST', `${ROOT}/v1/trace`, { cookie: tracer, headers, body: TRACE })).status).toBe(403);
});

it.each([
  ['no-address', {}, 404, '--troubleshoot-listen'],
  ['plain-address', { 'smalt.dev/troubleshooting-url': 'http://127.0.0.1:1' }, 503, 'no plain https address'],
  // The console's own API server does not have a certificate of this authority.
  ['stranger', { 'smalt.dev/troubleshooting-url': 'server' }, 503, 'cannot be reached'],
])('of the OVSNode %s are not reached', async (name, annotations, status, message) => {
  const told = Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [
      key,
      value === 'server' ? new URL(bed.config.server).origin : value,
    ]),
  );
  await create(`/apis/ovs.c5c3.io/v1alpha1/namespaces/${NAMESPACE}/ovsnodes`, {
    apiVersion: 'ovs.c5c3.io/v1alpha1',
    kind: 'OVSNode',
    metadata: { name, annotations: told },
    spec: { nodeRef: { name } },
  });

  const answer = await bed.call('GET', `/switches/${NAMESPACE}/${name}/v1/topology`, { cookie: tracer });

  expect([answer.status, answer.body['message']]).toEqual([status, expect.stringContaining(message)]);
});

async function startAgent(signal: AbortSignal): Promise<void> {
  const node = owned.use(await startOvsNode({ datapath: 'netdev', name: 'n1' }));
  await node.vsctl('add-br', 'br-int', '--', 'set', 'bridge', 'br-int', 'datapath_type=netdev');
  await node.plugGuest({ device: 'tap1', address: '192.168.7.1/24' });
  const inside = ['nsenter', '--target', String(node.requireNetwork('captures').pid), '--net'];
  const troubleshooting = {
    listen: '127.0.0.1:0',
    advertise: '127.0.0.1',
    certificateFile: '',
    keyFile: '',
    authorityFile: '',
    audience: '',
    stateDirectory: join(bed.directory, 'ovs-agent'),
    tcpdump: [...inside, 'tcpdump'],
    ip: [...inside, 'ip'],
    mostCaptures: 4,
    mostCaptureSeconds: 60,
    mostCaptureBytes: 1_000_000,
    mostCalls: 16,
    requestsPerSecond: 100,
    timeoutMs: 10_000,
  };
  const logger = createLogger({ name: 'agent', level: 'silent', destination: { write: () => undefined } });
  const options = {
    nodeName: 'n1',
    kubeConfig: bed.config,
    logger,
    runDirectories: [node.runDirectory],
    troubleshooting,
  };
  owned.use(await startOvsAgent(options, new AbortController().signal));
  for await (const events of follow(bed.admin.resource(ovsNodeKind), { namespace: NAMESPACE, signal })) {
    for (const event of events) {
      const isNode = event.type === 'ADDED' || event.type === 'MODIFIED';
      if (isNode && event.object.metadata.annotations?.['smalt.dev/troubleshooting-url'] !== undefined) return;
    }
  }
}

async function create(path: string, object: JsonObject): Promise<void> {
  await bed.admin.request({ method: 'POST', path, body: JSON.stringify(object) });
}

async function role(name: string, rules: readonly JsonObject[]): Promise<void> {
  await create('/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name }, rules: [...rules] });
}

function rule(resource: string, verb: string): JsonObject {
  return { apiGroups: ['ovs.c5c3.io'], resources: [resource], verbs: [verb] };
}
