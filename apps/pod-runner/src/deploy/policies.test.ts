import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { startTestApiServer } from '@smalt/bed-kubernetes';
import { compileExpression, DYN } from '@smalt/cel';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { runnerAccount } from '../fixtures/runner-account.ts';

const POLICIES = resolve(import.meta.dirname, '../../../../deploy/helm/smalt/files/rbac/pod-runner-policies.yaml');
const CORE = '/api/v1';
const NAMESPACED = `${CORE}/namespaces/default`;
const owned = new AsyncDisposableStack();
let admin: KubeClient;
/** The runner of n1. */
let runner: KubeClient;

beforeAll(async () => {
  const { kubeconfig } = owned.use(await startTestApiServer());
  const config = await loadKubeConfig({ path: kubeconfig, environment: {} });
  admin = owned.use(new KubeClient({ config, userAgent: 'admin/1' }));
  runner = owned.use(new KubeClient({ config: await runnerAccount(admin), userAgent: 'runner/1', maxAttempts: 1 }));
  await post(admin, `${CORE}/nodes`, { metadata: { name: 'n2' } });
  await post(admin, `${NAMESPACED}/serviceaccounts`, { metadata: { name: 'probe' } });
  // Kubernetes goes by new policies a moment after they were taken. This one is the last of them.
  const ask = (): Promise<string> =>
    post(runner, `${NAMESPACED}/serviceaccounts/probe/token`, { spec: { audiences: [] } });
  await vi.waitUntil(async () => (await ask()).includes('tokens made for pods alone'), { timeout: 20_000 });
}, 120_000);

afterAll(() => owned.disposeAsync());

describe('the runner of a node', () => {
  it('writes its own Node and Lease, and no other', async () => {
    const labels = { metadata: { labels: { a: 'b' } } };
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
    const refused = expect.stringContaining('the pod runner of n1 may not write n2');

    const own = [await merge(`${CORE}/nodes/n1`, labels), await post(runner, leases, { metadata: { name: 'n1' } })];
    const others = [
      await merge(`${CORE}/nodes/n2`, labels),
      await merge(`${CORE}/nodes/n2/status`, { status: { phase: 'Running' } }),
      await post(runner, leases, { metadata: { name: 'n2' } }),
    ];

    expect(own).toEqual(['done', 'done']);
    expect(others).toEqual([refused, refused, refused]);
  });

  it('ends and judges the pods of its node alone', async () => {
    for (const node of ['n1', 'n2']) await createPod(`pod-${node}`, node);
    const ended = { status: { phase: 'Failed' } };
    const refused = expect.stringContaining('the pod runner of n1 may not write the pod pod-n2 of another node');

    const others = [await merge(`${NAMESPACED}/pods/pod-n2/status`, ended), await remove(`${NAMESPACED}/pods/pod-n2`)];
    const own = [await merge(`${NAMESPACED}/pods/pod-n1/status`, ended), await remove(`${NAMESPACED}/pods/pod-n1`)];

    expect(others).toEqual([refused, refused]);
    expect(own).toEqual(['done', 'done']);
  });

  it('makes and removes volumes of its node alone, each for one claim', async () => {
    const volumes = `${CORE}/persistentvolumes`;
    await post(admin, volumes, volume('of-n2', 'n2', 'u2'));
    const elsewhere = expect.stringContaining('the pod runner of n1 may write volumes of its own node alone');

    const others = [
      await remove(`${volumes}/of-n2`),
      await post(runner, volumes, volume('pvc-u3', 'n2', 'u3')),
      await post(runner, volumes, volume('any-name', 'n1', 'u3')),
    ];
    const own = [await post(runner, volumes, volume('pvc-u1', 'n1', 'u1')), await remove(`${volumes}/pvc-u1`)];

    expect(others).toEqual([elsewhere, elsewhere, expect.stringContaining('after the claim in spec.claimRef')]);
    expect(own).toEqual(['done', 'done']);
  });

  it('has tokens made for pods alone', async () => {
    await post(admin, `${NAMESPACED}/serviceaccounts`, { metadata: { name: 'shop' } });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'till' };
    const spec = { serviceAccountName: 'shop', nodeName: 'n1', containers: [{ name: 'compute', image: 'x' }] };
    await post(admin, `${NAMESPACED}/pods`, { metadata: { name: 'till' }, spec });
    const path = `${NAMESPACED}/serviceaccounts/shop/token`;

    const tokens = [
      await post(runner, path, { spec: { audiences: [] } }),
      await post(runner, path, { spec: { audiences: [], boundObjectRef } }),
    ];

    expect(tokens).toEqual([expect.stringContaining('a pod runner has tokens made for pods alone'), 'done']);
  });

  it('leads no claim to the volume of another', async () => {
    const resources = { requests: { storage: '1Gi' } };
    const body = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources } };
    await post(admin, `${NAMESPACED}/persistentvolumeclaims`, body);

    const led = await merge(`${NAMESPACED}/persistentvolumeclaims/data`, { spec: { volumeName: 'of-the-bank' } });

    expect(led).toContain('a pod runner leads a claim to the volume pvc-UID that was made for it, and to no other');
  });
});

// Pods that run as accounts of the control plane are not to be had here, so the words of this one are judged by themselves as well.
it.each([
  { what: 'for a pod', namespace: 'shop', boundObjectRef: { kind: 'Pod' }, isAllowed: true },
  { what: 'for nothing', namespace: 'shop', boundObjectRef: undefined, isAllowed: false },
  { what: 'for a Node', namespace: 'shop', boundObjectRef: { kind: 'Node' }, isAllowed: false },
  { what: 'of the control plane', namespace: 'smalt-system', boundObjectRef: { kind: 'Pod' }, isAllowed: false },
  { what: 'of Kubernetes', namespace: 'kube-system', boundObjectRef: { kind: 'Pod' }, isAllowed: false },
])('lets a runner have tokens $what: $isAllowed', async ({ namespace, boundObjectRef, isAllowed }) => {
  const rules = await tokenRules();
  const object = { spec: boundObjectRef === undefined ? {} : { boundObjectRef } };

  const verdicts = rules.map((rule) =>
    compileExpression(rule, { variables: { object: DYN, request: DYN } }).evaluate({ object, request: { namespace } }),
  );

  expect(rules).toHaveLength(2);
  expect(verdicts.every((verdict) => verdict === true)).toBe(isAllowed);
});

interface Policy {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly validations?: readonly { readonly expression: string }[] };
}

async function tokenRules(): Promise<readonly string[]> {
  const documents = parseAllDocuments(await readFile(POLICIES, 'utf8')).map((each): Policy => Object(each.toJS()));
  const found = documents.find(({ metadata }) => metadata.name === 'smalt-pod-runner-tokens');
  return (found?.spec.validations ?? []).map(({ expression }) => expression);
}

async function createPod(name: string, nodeName: string): Promise<void> {
  const spec = { nodeName, containers: [{ name: 'compute', image: 'x' }] };
  await post(admin, `${NAMESPACED}/pods`, { metadata: { name }, spec });
}

function volume(name: string, node: string, uid: string): object {
  const claimRef = { namespace: 'default', name: 'data', uid };
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/v' }, claimRef };
  return { metadata: { name, labels: { 'smalt.dev/volume-node': node } }, spec };
}

async function post(client: KubeClient, path: string, body: object): Promise<string> {
  return await outcome(client.request({ method: 'POST', path, body: JSON.stringify(body) }));
}

async function merge(path: string, body: object): Promise<string> {
  const contentType = 'application/merge-patch+json';
  return await outcome(runner.request({ method: 'PATCH', path, contentType, body: JSON.stringify(body) }));
}

async function remove(path: string): Promise<string> {
  return await outcome(runner.request({ method: 'DELETE', path, body: '{}' }));
}

async function outcome(request: Promise<unknown>): Promise<string> {
  return await request.then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}
