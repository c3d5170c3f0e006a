import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { ChartAccounts, startTestApiServer } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';

const FILES = resolve(import.meta.dirname, '../deploy/helm/smalt/files/virt-api');
const GROUP = '/apis/admissionregistration.k8s.io/v1';
const PATHS = {
  MutatingWebhookConfiguration: `${GROUP}/mutatingwebhookconfigurations`,
  ValidatingWebhookConfiguration: `${GROUP}/validatingwebhookconfigurations`,
  APIService: '/apis/apiregistration.k8s.io/v1/apiservices',
} as const;
const MUTATOR = `${PATHS.MutatingWebhookConfiguration}/virt-api-mutator`;
const VALIDATOR = `${PATHS.ValidatingWebhookConfiguration}/virt-api-validator`;
const SUBRESOURCES = `${PATHS.APIService}/v1.subresources.kubevirt.io`;
const OTHER_SUBRESOURCES = `${PATHS.APIService}/v1alpha3.subresources.kubevirt.io`;
const CLIENT = '/webhooks/0/clientConfig';
const SECRETS = '/api/v1/namespaces/smalt-system/secrets';
const NODE_SECRETS = '/api/v1/namespaces/smalt-libvirt/secrets';
/** By the policy, or before it by a plugin that some clusters have: OwnerReferencesPermissionEnforcement. */
const REFUSAL = /virt-api may change nothing of|cannot set an ownerRef on a resource you can't delete/v;
const EVERYTHING = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };
const DO_IT = new URLSearchParams();
const DRY_RUN = new URLSearchParams({ dryRun: 'All' });

const owned = new AsyncDisposableStack();
let admin: KubeClient;
let virtApi: KubeClient;
let certificates: KubeClient;

beforeAll(async () => {
  const signal = AbortSignal.timeout(110_000);
  const { kubeconfig } = owned.use(await startTestApiServer());
  const config = await loadKubeConfig({ path: kubeconfig, environment: {} });
  admin = owned.use(new KubeClient({ config, userAgent: 'admin/1' }));
  const accounts = new ChartAccounts({ admin, kubeconfig });
  const files = ['virt-api', 'virt-api-policies', 'certificates-policies'];
  await accounts.install({ files, rendered: ['smalt-certificates', 'smalt-certificates-nodes'] }, signal);
  for (const object of await objectsOfChart()) await post(admin, PATHS[object.kind], object);
  const thief = async (name: string) =>
    owned.use(new KubeClient({ config: await accounts.config({ name }), userAgent: 'thief/1', maxAttempts: 1 }));
  virtApi = await thief('smalt-virt-api');
  certificates = await thief('smalt-certificates');
  // Kubernetes goes by new policies a moment after they were taken.
  const probes = [
    () => change(virtApi, MUTATOR, [{ op: 'replace', path: '/webhooks/0/timeoutSeconds', value: 9 }]),
    () => outcome(post(virtApi, SECRETS, tokenSecret('probe'), DRY_RUN)),
    () => outcome(post(certificates, SECRETS, tokenSecret('probe'), DRY_RUN)),
  ];
  for (const ask of probes) await vi.waitUntil(async () => (await ask()) !== 'done', { timeout: 30_000 });
}, 120_000);

afterAll(() => owned.disposeAsync());

describe('with the token of virt-api', () => {
  it.each([
    { what: 'its webhooks that fill in', path: MUTATOR, at: `${CLIENT}/caBundle` },
    { what: 'its webhooks that refuse', path: VALIDATOR, at: '/webhooks/3/clientConfig/caBundle' },
    { what: 'its part of the API', path: SUBRESOURCES, at: '/spec/caBundle' },
    { what: 'the older version of that', path: OTHER_SUBRESOURCES, at: '/spec/caBundle' },
  ])('one says whom to believe: $what', async ({ path, at }) => {
    const { authority } = admin.config.tls;
    const text = authority?.kind === 'text' ? authority.text : '';
    const bundle = (times: number): string => Buffer.from(text.repeat(times)).toString('base64');

    expect(await change(virtApi, path, [add(at, bundle(1))], DO_IT)).toBe('done');
    expect(await change(virtApi, path, [add(at, bundle(2))], DO_IT)).toBe('done');
  });

  it.each([
    { what: 'that it is asked about everything', path: MUTATOR, op: add('/webhooks/0/rules/-', EVERYTHING) },
    { what: 'that it is asked about other things', path: MUTATOR, op: set('/webhooks/0/rules', [EVERYTHING]) },
    { what: 'that another is asked', path: MUTATOR, op: set(`${CLIENT}/service/name`, 'evil') },
    { what: 'that one elsewhere is asked', path: MUTATOR, op: set(CLIENT, { url: 'https://evil.example/' }) },
    { what: 'at another path', path: MUTATOR, op: set(`${CLIENT}/service/path`, '/evil') },
    { what: 'about pods of some namespaces', path: MUTATOR, op: add('/webhooks/0/namespaceSelector', selector()) },
    { what: 'when it likes', path: VALIDATOR, op: set('/webhooks/0/matchConditions/0/expression', 'false') },
    { what: 'on no condition', path: VALIDATOR, op: { op: 'remove', path: '/webhooks/0/matchConditions' } },
    { what: 'that it need not answer', path: VALIDATOR, op: set('/webhooks/2/failurePolicy', 'Ignore') },
    { what: 'one more webhook', path: MUTATOR, op: add('/webhooks/-', webhook('evil.kubevirt.io')) },
    { what: 'one webhook less', path: VALIDATOR, op: { op: 'remove', path: '/webhooks/2' } },
    { what: 'no webhooks', path: VALIDATOR, op: { op: 'remove', path: '/webhooks' } },
    { what: 'another webhook', path: VALIDATOR, op: set('/webhooks/2', webhook('evil.kubevirt.io')) },
    { what: 'whose it is, with which it would go', path: VALIDATOR, op: add('/metadata/ownerReferences', [owner()]) },
    { what: 'what it is labelled as', path: VALIDATOR, op: set('/metadata/labels', { other: 'yes' }) },
    { what: 'a note at it', path: MUTATOR, op: add('/metadata/annotations', { other: 'yes' }) },
    { what: 'that it stays for ever', path: MUTATOR, op: add('/metadata/finalizers', ['evil.example/stay']) },
    { what: 'who serves its part of the API', path: SUBRESOURCES, op: set('/spec/service/name', 'evil') },
    { what: 'in which namespace that is', path: OTHER_SUBRESOURCES, op: set('/spec/service/namespace', 'default') },
    { what: 'that anybody is believed', path: SUBRESOURCES, op: set('/spec', carelessSpec()) },
    { what: 'that it goes before others', path: SUBRESOURCES, op: set('/spec/groupPriorityMinimum', 20_000) },
  ])('one cannot say $what', async ({ path, op }) => {
    expect(await change(virtApi, path, [op])).toMatch(REFUSAL);
    // Else the server would have refused it for its own reasons.
    expect(await change(admin, path, [op])).toBe('done');
  });

  it('one makes the Secret of its certificate, and gets no token by that', async () => {
    const name = 'smalt-virt-api-certificate';
    const refused = expect.stringContaining('virt-api may write one Secret, smalt-virt-api-certificate');

    const tries = [
      await outcome(post(virtApi, SECRETS, tokenSecret(name))),
      await outcome(post(virtApi, SECRETS, certificateSecret('another'))),
      await outcome(post(virtApi, SECRETS, certificateSecret(name))),
    ];

    expect(tries).toEqual([refused, refused, 'done']);
  });
});

describe('with the token of the Jobs for certificates', () => {
  it.each(['smalt-ha-service-tls', 'smalt-console-key', 'smalt-libvirt-ca'])('%s cannot hold a token', async (name) => {
    expect(await outcome(post(certificates, SECRETS, tokenSecret(name)))).toContain(
      'may write no Secret of the type kubernetes.io/service-account-token',
    );
    expect(await outcome(post(certificates, SECRETS, certificateSecret(name)))).toBe('done');
  });

  it('those of nodes cannot either, and there are no others', async () => {
    const tries = [
      await outcome(post(certificates, NODE_SECRETS, tokenSecret('tls-libvirt-n1'))),
      await outcome(post(certificates, NODE_SECRETS, certificateSecret('tls-libvirt-n1'))),
      await outcome(post(certificates, NODE_SECRETS, certificateSecret('other'))),
      await outcome(post(certificates, SECRETS, certificateSecret('other'))),
    ];

    expect(tries).toEqual([
      expect.stringContaining('may write no Secret of the type'),
      'done',
      expect.stringContaining('may not write the Secret other'),
      expect.stringContaining('may not write the Secret other'),
    ]);
  });
});

type Operation = Readonly<Record<string, unknown>>;
type Body = Readonly<Record<string, unknown>>;

function add(path: string, value: unknown): Operation {
  return { op: 'add', path, value };
}

function set(path: string, value: unknown): Operation {
  return { op: 'replace', path, value };
}

function selector(): Body {
  return { matchLabels: { other: 'yes' } };
}

function owner(): Body {
  return { apiVersion: 'v1', kind: 'Node', name: 'gone', uid: '00000000-0000-0000-0000-000000000000' };
}

function carelessSpec(): Body {
  const service = { namespace: 'smalt-system', name: 'virt-api' };
  const priorities = { groupPriorityMinimum: 1000, versionPriority: 15 };
  return { group: 'subresources.kubevirt.io', version: 'v1', ...priorities, service, insecureSkipTLSVerify: true };
}

function webhook(name: string): Body {
  const clientConfig = { url: 'https://evil.example/' };
  return { name, clientConfig, rules: [EVERYTHING], sideEffects: 'None', admissionReviewVersions: ['v1'] };
}

/** Into which Kubernetes puts the token of an account. */
function tokenSecret(name: string): Body {
  const annotations = { 'kubernetes.io/service-account.name': 'smalt-virt-api' };
  return { metadata: { name, annotations }, type: 'kubernetes.io/service-account-token' };
}

function certificateSecret(name: string): Body {
  return { metadata: { name }, type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } };
}

interface ChartObject extends Body {
  readonly kind: keyof typeof PATHS;
}

async function objectsOfChart(): Promise<readonly ChartObject[]> {
  const texts = await Promise.all(
    ['webhooks', 'api-services'].map((name) => readFile(`${FILES}/${name}.yaml`, 'utf8')),
  );
  return texts.flatMap((text) => parseAllDocuments(text).map((each): ChartObject => Object(each.toJS())));
}

async function post(client: KubeClient, path: string, body: Body, query = DO_IT): Promise<void> {
  await client.request({ method: 'POST', path, query, body: JSON.stringify(body) });
}

/** Nothing is left of it, unless it is to be done. */
async function change(
  client: KubeClient,
  path: string,
  operations: readonly Operation[],
  query = DRY_RUN,
): Promise<string> {
  const contentType = 'application/json-patch+json';
  const body = JSON.stringify(operations);
  return await outcome(client.request({ method: 'PATCH', path, query, contentType, body }));
}

/** `done`, or what the server says against it. */
async function outcome(asked: Promise<unknown>): Promise<string> {
  return await asked.then(
    () => 'done',
    (error: unknown) => String(error),
  );
}
