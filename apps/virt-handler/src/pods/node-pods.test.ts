import { startTestApiServer } from '@smalt/bed-kubernetes';
import { Informers } from '@smalt/controller-runtime';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { instanceKeyOf, slimHandledPod, type HandledPod } from './handled-pod.ts';
import { NodePods } from './node-pods.ts';

const owned = new AsyncDisposableStack();
const LIMITS = { resources: { limits: { cpu: '2' } } };
const signal = AbortSignal.timeout(60_000);
let admin: KubeClient;

beforeAll(async () => {
  const server = owned.use(await startTestApiServer({ signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  admin = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
});

afterAll(() => owned.disposeAsync());

it('knows the pods of instances on its node by their uids, and tells whose they are', async () => {
  const mine = await create('mine', 'node1', 'virt-launcher');
  const elsewhere = await create('elsewhere', 'node2', 'virt-launcher');
  const other = await create('other', 'node1', 'something-else');
  const informers = new Informers(admin, { onFailure: () => undefined });
  const pods = new NodePods(informers, 'node1');
  const told: string[] = [];
  pods.onChange((key) => told.push(key));
  using running = run(informers);

  const found = await pods.find(mine, running.signal);
  const attached = await create('attached', 'node1', 'hotplug-disk');

  await expect.poll(() => pods.find(attached, signal).then((pod) => pod?.metadata.name)).toBe('attached');
  expect(found).toMatchObject({ metadata: { name: 'mine', uid: mine }, spec: { containers: [{ name: 'compute' }] } });
  expect([await pods.find(elsewhere, signal), await pods.find(other, signal)]).toEqual([undefined, undefined]);
  expect(told).toEqual(['default/vm', 'default/vm']);
});

it('keeps of a pod what its sandbox is found by', () => {
  const more = { env: [{ name: 'A' }], ready: true };
  const pod: HandledPod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'shop', uid: 'u', annotations: { a: 'secret' }, managedFields: [] },
    spec: {
      containers: [{ name: 'compute', volumeMounts: [{ name: 'd', mountPath: '/d' }], ...LIMITS, ...more }],
      volumes: [{ name: 'd', image: { reference: 'x' } }],
    },
    status: {
      qosClass: 'Burstable',
      containerStatuses: [{ name: 'compute', containerID: 'containerd://0', ...more }],
    },
  };

  const kept = slimHandledPod(pod);

  expect(JSON.stringify(kept)).not.toMatch(/secret|env|ready/);
  expect(kept.spec).toEqual({
    containers: [{ name: 'compute', volumeMounts: [{ name: 'd', mountPath: '/d' }], ...LIMITS }],
    volumes: [{ name: 'd', image: { reference: 'x' } }],
  });
  expect(instanceKeyOf(kept)).toBeUndefined();
});

async function create(name: string, nodeName: string, app: string): Promise<string> {
  const owner = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    name: 'vm',
    uid: 'u1',
    controller: true,
  };
  const pod = {
    metadata: { name, labels: { 'kubevirt.io': app }, ownerReferences: [owner] },
    spec: { nodeName, containers: [{ name: 'compute', image: 'none' }] },
  };
  const path = '/api/v1/namespaces/default/pods';
  const answer = await admin.request({ method: 'POST', path, body: JSON.stringify(pod) });
  return String(Object(Object(answer).metadata).uid);
}

function run(informers: Informers): Disposable & { readonly signal: AbortSignal } {
  const stop = new AbortController();
  const running = informers.run(stop.signal);
  return {
    signal,
    [Symbol.dispose]: () => {
      stop.abort(new Error('the test is over'));
      running.catch(() => undefined);
    },
  };
}
