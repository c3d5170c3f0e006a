import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { installDefinitions, startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { evictionKind, hypervisorKind, readFleetDefinitions } from '@smalt/fleet-api';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import type { Condition, KindReference, KubernetesObject } from '@smalt/kubernetes';
import { readOvsDefinitions } from '@smalt/ovs-api';
import { readVmDefinitions } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);

interface Definition extends KubernetesObject {
  readonly spec: { readonly names: { readonly plural: string } };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

const definitionKind: KindReference<Definition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  isNamespaced: false,
};

const owned = new AsyncDisposableStack();
let server: TestApiServer;
let admin: KubeClient;
let definitions: readonly Readonly<Record<string, unknown>>[];

beforeAll(async () => {
  const signal = AbortSignal.timeout(230_000);
  server = owned.use(await startTestApiServer({ isCluster: true, signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  admin = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  definitions = [...(await readFleetDefinitions()), ...(await readVmDefinitions()), ...(await readOvsDefinitions())];
  await installDefinitions(admin, definitions, signal);
}, 240_000);

afterAll(() => owned.disposeAsync());

describe('every kind of ours', { timeout: 90_000 }, () => {
  it('is served, has its names, and a schema that the server calls structural', async () => {
    const { items } = await admin.resource(definitionKind).list();

    const told = items.map(({ metadata, status }) => [metadata.name, ...statesOf(status?.conditions ?? [])]);

    expect(told).toHaveLength(definitions.length);
    // A schema that is not structural is told by a condition of its own.
    expect(told.filter(([, ...states]) => states.join() !== 'Established=True,NamesAccepted=True')).toEqual([]);
  });

  it('is the same when it is applied once more, so that an upgrade writes only what has changed', async () => {
    const resource = admin.resource(definitionKind);
    const before = await versions();

    for (const definition of definitions) await resource.apply(nameOf(definition), definition, { force: true });

    expect(await versions()).toEqual(before);
  });

  it('can be explained by kubectl', async () => {
    const kubectl = ['explain', `--kubeconfig=${server.kubeconfig}`];

    const { stdout } = await run('kubectl', [...kubectl, 'hypervisors.spec.maintenance']);

    expect(stdout).toMatch(/KIND: +Hypervisor/);
  });
});

describe('the rules of a kind', () => {
  it('refuse what they forbid, in the words of the definition', async () => {
    const hypervisors = admin.resource(hypervisorKind);
    await hypervisors.create({ metadata: { name: 'h1' }, spec: SPEC });

    const patched = hypervisors.patch('h1', 'merge', { spec: { maintenance: 'manual' } });
    await expect(patched).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining("maintenanceReason must be non-empty when maintenance is 'manual'"),
    });
    await hypervisors.patch('h1', 'merge', { spec: { maintenance: 'termination' } });
    const changed = hypervisors.patch('h1', 'merge', { spec: { reboot: true } });
    await expect(changed).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining("spec is immutable when maintenance is 'termination'"),
    });
    const saved = await hypervisors.patch('h1', 'merge', { spec: { maintenance: 'ha' } });

    expect(saved.spec?.maintenance).toBe('ha');
  });

  it('keep what may never change', async () => {
    const evictions = admin.resource(evictionKind);
    await evictions.create({ metadata: { name: 'e1' }, spec: { hypervisor: 'h1', reason: 'a test' } });

    const changed = evictions.patch('e1', 'merge', { spec: { hypervisor: 'h2' } });

    await expect(changed).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('spec.hypervisor: Invalid value: "h2": Value is immutable'),
    });
  });
});

describe('server-side apply', () => {
  it('lets each manager have its own fields of one status, and names who is in the way', async () => {
    const hypervisors = admin.resource(hypervisorKind);
    await hypervisors.create({ metadata: { name: 'shared' }, spec: SPEC });

    await hypervisors.applyStatus('shared', { numInstances: 1 }, { fieldManager: 'agent' });
    await hypervisors.applyStatus('shared', { evicted: true }, { fieldManager: 'operator' });
    const disturbed = hypervisors.applyStatus('shared', { numInstances: 2 }, { fieldManager: 'operator' });
    await expect(disturbed).rejects.toMatchObject({
      code: 'apply-conflict',
      message: expect.stringContaining('conflict with "agent"'),
    });
    await hypervisors.applyStatus('shared', {}, { fieldManager: 'operator' });

    const { status } = await hypervisors.get('shared');
    expect(status).toMatchObject({ numInstances: 1 });
    expect(status?.evicted).toBeUndefined();
  });
});

const SPEC = {
  aggregates: [],
  allowedProjects: [],
  createCertManagerCertificate: false,
  customTraits: [],
  evacuateOnReboot: false,
  highAvailability: false,
  installCertificate: false,
  lifecycleEnabled: false,
  reboot: false,
  skipTests: true,
};

/** How often each definition was changed. */
async function versions(): Promise<readonly string[]> {
  const { items } = await admin.resource(definitionKind).list();
  return items.map(({ metadata }) => `${metadata.name} ${metadata.generation}`).toSorted();
}

function statesOf(conditions: readonly Condition[]): readonly string[] {
  return conditions.map(({ type, status }) => `${type}=${status}`).toSorted();
}

function nameOf({ metadata }: Readonly<Record<string, unknown>>): string {
  return String(Object(metadata).name);
}
