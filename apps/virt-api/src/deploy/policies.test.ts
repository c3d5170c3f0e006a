import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { startTestApiServer } from '@smalt/bed-kubernetes';
import { isJsonObject } from '@smalt/json';
import { KubeClient, loadKubeConfig, type KubeConfig } from '@smalt/kube';
import { fieldOf } from '@smalt/kubernetes-callers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const DEPLOY = resolve(import.meta.dirname, '../../../../deploy');
const FILES = [
  'virt-api',
  'virt-api-policies',
  'virt-handler',
  'virt-handler-policies',
  'fence-proofs',
  'launcher-pods',
];
const NAMESPACE = 'smalt-system';
const PODS = '/api/v1/namespaces/default/pods';
const PLURALS: Readonly<Record<string, string>> = {
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
};
const DO_IT = new URLSearchParams();
const DRY_RUN = new URLSearchParams({ dryRun: 'All' });
const owned = new AsyncDisposableStack();
let config: KubeConfig;
let admin: KubeClient;

beforeAll(async () => {
  const { kubeconfig } = owned.use(await startTestApiServer());
  config = await loadKubeConfig({ path: kubeconfig, environment: {} });
  admin = owned.use(new KubeClient({ config, userAgent: 'admin/1' }));
  await create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  for (const file of FILES.map((one) => `helm/smalt/files/rbac/${one}`)) {
    for (const document of await documentsOf(file)) await create(document);
  }
  for (const name of ['n1', 'n2']) await create({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
  for (const name of ['smalt-virt-controller', 'smalt-ha-service', 'smalt-hypervisor-operator', 'mallory']) {
    await createAdministrator(name);
  }
  await untilPoliciesCount();
}, 120_000);

afterAll(() => owned.disposeAsync());

describe('a handler', () => {
  it('writes its own Node and Lease, and is refused what is about another', async () => {
    await using handler = await clientOf('smalt-virt-handler', 'n1');
    const labels = { metadata: { labels: { 'kubevirt.io/schedulable': 'true' } } };
    const devices = { status: { capacity: { 'devices.kubevirt.io/kvm': '1' } } };

    const own = [
      await patch(handler, 'n1', labels),
      await patch(handler, 'n1/status', devices),
      await lease(handler, 'n1'),
    ];
    const others = [
      await patch(handler, 'n2', labels),
      await patch(handler, 'n2/status', devices),
      await lease(handler, 'n2'),
    ];

    expect(own).toEqual(['done', 'done', 'done']);
    expect(others).toEqual([
      expect.stringContaining('the virt-handler of n1 may not write n2'),
      expect.stringContaining('the virt-handler of n1 may not write n2'),
      expect.stringContaining('the virt-handler of n1 may not write smalt-virt-handler-n2'),
    ]);
  });

  it('whose token says no node writes none, and is told what to do', async () => {
    await using handler = await clientOf('smalt-virt-handler');

    expect(await patch(handler, 'n1', {})).toContain('run it as a pod, or give it a token that is bound to its Node');
  });
});

describe('the proof that a node was off', () => {
  it.each(['fenced-at', 'fenced-boot', 'fenced-heartbeat'])(
    'is %s, and written by those alone who fence',
    async (name) => {
      await using handler = await clientOf('smalt-virt-handler', 'n1');
      await using mallory = await clientOf('mallory');
      await using service = await clientOf('smalt-ha-service');
      await using operator = await clientOf('smalt-hypervisor-operator');
      const proof = (value: string | null) => ({ metadata: { annotations: { [`smalt.dev/${name}`]: value } } });
      const refused = expect.stringContaining('only the HA service and the hypervisor operator say');
      // Two policies hold it, in no order.
      const held = expect.stringMatching(
        /only the HA service and the hypervisor operator say|may not change the annotations/v,
      );

      const early = [await patch(handler, 'n1', proof('x')), await patch(mallory, 'n1', proof('x'))];
      const written = await patch(service, 'n1', proof('x'));
      const late = [await patch(handler, 'n1', proof('y')), await patch(mallory, 'n1/status', proof(null))];
      const beside = await patch(handler, 'n1', { metadata: { annotations: { 'kubevirt.io/heartbeat': name } } });
      const removed = await patch(operator, 'n1', proof(null));

      expect([early, late]).toEqual([
        [held, refused],
        [held, refused],
      ]);
      expect([written, beside, removed]).toEqual(['done', 'done', 'done']);
    },
  );
});

describe('launcher pods', () => {
  const labels = { 'kubevirt.io/created-by': 'u1' };
  const ownerReferences = [
    { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'vm', uid: 'u1', controller: true },
  ];

  it('are made by the controller alone, whatever else somebody may do', async () => {
    await using controller = await clientOf('smalt-virt-controller');
    await using mallory = await clientOf('mallory');
    const refused = expect.stringContaining('only virt-controller makes pods the launchers of virtual machines');

    const made = await pod(controller, { name: 'real', labels, ownerReferences });
    const others = [
      await pod(mallory, { name: 'labelled', labels }),
      await pod(mallory, { name: 'owned', ownerReferences }),
      await pod(mallory, { name: 'harmless' }),
      await change(mallory, 'harmless', { metadata: { labels } }),
      await change(mallory, 'harmless/status', { metadata: { labels } }),
      await change(mallory, 'harmless', { metadata: { ownerReferences } }),
      await change(mallory, 'real', { metadata: { labels: { 'kubevirt.io/created-by': null } } }),
    ];
    const allowed = [
      await change(mallory, 'real', { metadata: { labels: { team: 'a' } } }),
      await change(mallory, 'real', { metadata: { ownerReferences: null } }),
    ];

    expect(made).toBe('done');
    expect(others).toEqual([refused, refused, 'done', refused, refused, refused, refused]);
    expect(allowed).toEqual(['done', 'done']);
  });
});

describe('tokens of virt-api', () => {
  const life = { expirationSeconds: 600 };
  const forOne = { audiences: ['virt-handler.smalt.io/n1'] };
  const forApi = { audiences: ['https://kubernetes.default.svc'] };
  const audience = expect.stringContaining('virt-api has tokens made for one handler at a time');
  const time = expect.stringContaining('virt-api has tokens made for ten minutes');

  it.each([
    { what: 'for the handler of a node', spec: { ...forOne, ...life }, said: 'done' },
    {
      what: 'for all handlers of the version before',
      spec: { audiences: ['smalt-virt-handler'], ...life },
      said: 'done',
    },
    { what: 'for whoever is meant by nobody', spec: { audiences: [], ...life }, said: audience },
    { what: 'for the API server', spec: { ...forApi, ...life }, said: audience },
    {
      what: 'for it and a handler',
      spec: { audiences: [...forOne.audiences, ...forApi.audiences], ...life },
      said: audience,
    },
    { what: 'for a handler, and for ever', spec: { ...forOne, expirationSeconds: 2 ** 32 }, said: time },
    { what: 'for a handler, and for an hour as nobody says how long', spec: forOne, said: time },
  ])('are given to itself $what: $said', async ({ spec, said }) => {
    await using api = await clientOf('smalt-virt-api');

    expect(await token(api, spec)).toEqual(said);
  });

  it('are of itself alone', async () => {
    await using api = await clientOf('smalt-virt-api');

    expect(await token(api, { ...forOne, ...life }, 'smalt-virt-controller')).toContain('forbidden');
  });
});

it('gives the handler of each node a token of its own audience, which that one asks for', async () => {
  const objects = await documentsOf('smalt');
  const named = (kind: string, name: string): unknown =>
    objects.find((object) => object.kind === kind && object.metadata.name === name);

  const given = settingsOf(named('ConfigMap', 'virt-api'), 'handlers', 'audience');
  const asked = settingsOf(named('ConfigMap', 'virt-handler'), 'nodeApi', 'audience');
  const former = settingsOf(named('ConfigMap', 'virt-handler'), 'nodeApi', 'formerAudience');

  const audience = 'virt-handler.smalt.io/{node}';
  expect([given, asked, former]).toEqual([audience, audience, 'smalt-virt-handler']);
  expect(named('Role', 'smalt-virt-api-tokens')).toMatchObject({
    rules: [{ resources: ['serviceaccounts/token'], resourceNames: ['smalt-virt-api'], verbs: ['create'] }],
  });
});

interface Created extends JsonLike {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

async function documentsOf(file: string): Promise<readonly Created[]> {
  return parseAllDocuments(await readFile(`${DEPLOY}/${file}.yaml`, 'utf8')).map((each) => Object(each.toJS()));
}

/** A setting of the program whose ConfigMap this is. */
function settingsOf(configMap: unknown, section: string, name: string): unknown {
  const settings: unknown = parse(String(fieldOf(fieldOf(configMap, 'data'), 'config.yaml')));
  return fieldOf(fieldOf(settings, section), name);
}

async function create(object: Created): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  const path = `${root}${place}/${PLURALS[kind] ?? `${kind.toLowerCase()}s`}`;
  await admin.request({ method: 'POST', path, body: JSON.stringify(object) });
}

type JsonLike = Readonly<Record<string, unknown>>;

/** An account that may do everything, but for what policies say. */
async function createAdministrator(name: string): Promise<void> {
  await create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: NAMESPACE } });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  const subjects = [{ kind: 'ServiceAccount', name, namespace: NAMESPACE }];
  const kind = 'ClusterRoleBinding';
  await create({ apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name }, roleRef, subjects });
}

async function clientOf(account: string, nodeName?: string): Promise<KubeClient> {
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${account}/token`;
  const bound = nodeName === undefined ? {} : { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: nodeName } };
  const body = JSON.stringify({ spec: { expirationSeconds: 3_600, ...bound } });
  const answer = await admin.request({ method: 'POST', path, body });
  const text = String(fieldOf(isJsonObject(answer) ? answer['status'] : undefined, 'token'));
  const identity = { kind: 'token', token: { kind: 'text', text } } as const;
  return new KubeClient({ config: { ...config, identity }, userAgent: 'policies/1', maxAttempts: 1 });
}

/** Kubernetes goes by new policies a moment after they were taken: what each of them refuses is tried, and not done. */
async function untilPoliciesCount(): Promise<void> {
  await using handler = await clientOf('smalt-virt-handler', 'n1');
  await using mallory = await clientOf('mallory');
  await using api = await clientOf('smalt-virt-api');
  const fenced = { metadata: { annotations: { 'smalt.dev/fenced-at': 'x' } } };
  const launcher = { name: 'probe', labels: { 'kubevirt.io/created-by': 'u1' } };
  const refused = [
    () => patch(handler, 'n2', { metadata: { labels: { probe: 'yes' } } }, DRY_RUN),
    () => lease(handler, 'n2', DRY_RUN),
    () => patch(mallory, 'n2', fenced, DRY_RUN),
    () => pod(mallory, launcher, DRY_RUN),
    () => token(api, {}),
  ];
  for (const ask of refused) await vi.waitUntil(async () => (await ask()) !== 'done', { timeout: 20_000 });
}

async function token(client: KubeClient, spec: JsonLike, account = 'smalt-virt-api'): Promise<string> {
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${account}/token`;
  return await outcome(client.request({ method: 'POST', path, body: JSON.stringify({ spec }) }));
}

async function patch(client: KubeClient, node: string, body: JsonLike, query = DO_IT): Promise<string> {
  return await merge(client, `/api/v1/nodes/${node}`, body, query);
}

async function change(client: KubeClient, name: string, body: JsonLike): Promise<string> {
  return await merge(client, `${PODS}/${name}`, body);
}

async function merge(client: KubeClient, path: string, body: JsonLike, query = DO_IT): Promise<string> {
  const contentType = 'application/merge-patch+json';
  return await outcome(client.request({ method: 'PATCH', path, query, contentType, body: JSON.stringify(body) }));
}

async function lease(client: KubeClient, node: string, query = DO_IT): Promise<string> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;
  const body = JSON.stringify({ metadata: { name: `smalt-virt-handler-${node}`, namespace: NAMESPACE } });
  return await outcome(client.request({ method: 'POST', path, query, body }));
}

async function pod(client: KubeClient, metadata: JsonLike, query = DO_IT): Promise<string> {
  const body = JSON.stringify({ metadata, spec: { containers: [{ name: 'compute', image: 'smalt' }] } });
  return await outcome(client.request({ method: 'POST', path: PODS, query, body }));
}

/** `done`, or what the server says against it. */
async function outcome(asked: Promise<unknown>): Promise<string> {
  return await asked.then(
    () => 'done',
    (error: unknown) => String(error),
  );
}
