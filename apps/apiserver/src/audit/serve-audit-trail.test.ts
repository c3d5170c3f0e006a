import { KubeClient, follow, isInitialEnd, loadKubeConfig } from '@smalt/kube';
import { parseFieldSelector, type KindReference, type KubernetesObject, type WatchEvent } from '@smalt/kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '../fixtures/test-server.ts';

const AUDIT = '/apis/audit.k8s.io/v1/auditevents';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

interface AuditObject extends KubernetesObject {
  readonly verb?: string;
  readonly objectRef?: { readonly name?: string };
}

const kind: KindReference<AuditObject> = {
  group: 'audit.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'auditevents',
  isNamespaced: false,
};

describe('the audit trail of a server', () => {
  let api: TestServer;
  let client: KubeClient;

  beforeAll(async () => {
    api = await startTestServer();
    client = new KubeClient({
      config: await loadKubeConfig({ path: api.server.kubeconfig, environment: {} }),
      userAgent: 'test/1',
    });
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await api[Symbol.asyncDispose]();
  });

  it('lists who did what, by fields', async () => {
    await api.call('POST', CONFIG_MAPS, { body: { metadata: { name: 'noted' } } });
    await api.call('GET', `${CONFIG_MAPS}/noted`);

    const selector = 'deed=true,objectRef.resource=configmaps,user.username!=nobody';
    const { items, metadata } = await client.resource(kind).list({ fieldSelector: parseFieldSelector(selector) });

    expect(items.map(({ verb, objectRef }) => [verb, objectRef?.name])).toEqual([['create', 'noted']]);
    expect(Number(metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(items[0]?.metadata.name));
    const one = await client.resource(kind).get(items[0]?.metadata.name ?? '');
    expect(one).toMatchObject({ verb: 'create', user: { username: 'admin' }, responseStatus: { code: 201 } });
  });

  it('is told from its beginning, then as things happen, and nothing is told twice', async () => {
    const signal = AbortSignal.timeout(20_000);
    const seen: WatchEvent<AuditObject>[] = [];
    const fieldSelector = parseFieldSelector('objectRef.name=told,verb!=watch');

    await api.call('POST', CONFIG_MAPS, { body: { metadata: { name: 'told' } } });
    for await (const events of follow(client.resource(kind), { fieldSelector, signal, onFailure: fail })) {
      seen.push(...events);
      if (events.some(isInitialEnd)) await api.call('DELETE', `${CONFIG_MAPS}/told`);
      if (seen.some((event) => verbOf(event) === 'delete')) break;
    }

    const told = seen.filter((event) => !isInitialEnd(event)).map((event) => [event.type, verbOf(event)]);
    expect(told).toEqual([
      ['ADDED', 'create'],
      ['ADDED', 'delete'],
    ]);
  });

  it.each([
    ['?fieldSelector=color=red', 400, 'fieldSelector: \\"color\\" is no field of audit events to select by: use'],
    ['?labelSelector=a=b', 400, 'have no labels'],
    ['/7', 404, 'auditevents.audit.k8s.io \\"7\\" not found'],
    ['?watch=true&resourceVersion=7', 410, 'too old resource version: 7'],
    ['?watch=true&resourceVersion=9007199254740991', 410, 'too old resource version'],
  ])('refuses %s with %i', async (query, code, words) => {
    const answer = await api.call('GET', `${AUDIT}${query}`);

    expect(answer.code).toBe(code);
    expect(answer.text).toContain(words);
  });

  it('takes no writes, and is shown to nobody without the right', async () => {
    const written = await api.call('POST', AUDIT, { body: { metadata: { name: 'x' } } });
    const refused = await api.call('GET', AUDIT, { isAnonymous: true });

    expect([written.code, refused.code]).toEqual([405, 403]);
  });

  it('is found by those who ask what there is', async () => {
    const { object } = await api.call('GET', '/apis/audit.k8s.io/v1');

    expect(object['resources']).toMatchObject([
      { name: 'auditevents', kind: 'Event', verbs: ['get', 'list', 'watch'] },
    ]);
  });
});

function verbOf({ object }: WatchEvent<AuditObject>): unknown {
  return 'verb' in object ? object.verb : undefined;
}

function fail(error: unknown): never {
  throw new Error('this must not happen', { cause: error });
}
