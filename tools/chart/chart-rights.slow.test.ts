import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { mergeValues } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { CHART, findHelm, renderChart } from './helm.ts';
import { podOf, renderedObjects, type RenderedObject } from './rendered-objects.ts';

const helm = findHelm() ?? '';
const BY_ISSUER = 'libvirt: {certificates: {source: cert-manager, issuer: {name: authority}}}';

describe.skipIf(helm === '')('the rights of the chart (needs helm: npm run bed:kubernetes -- --build)', () => {
  it.each([
    'hypervisorOperator: {gardener: true}',
    'hypervisorOperator: {agentNamespaces: [nova, kube-system]}',
    'nodeAgent: {register: true}',
    'haService: {ironcore: true}',
    'certificates: {source: cert-manager, issuer: {name: authority}}',
    'nodes: {controlPlane: never}',
  ])('of the whole cluster are none the fewer with %s', async (values) => {
    const before = clusterRights(await objectsOf(''));

    const after = clusterRights(await objectsOf(values));

    expect(before).toContain('smalt-hypervisor-operator: smalt-hypervisor-operator');
    expect(after).toEqual(expect.arrayContaining([...before]));
  });

  it.each(['', 'hypervisorOperator: {gardener: true, agentNamespaces: [nova, elsewhere]}', BY_ISSUER])(
    'are those of its plain files, which npm run prove:privilege judges, with %s',
    async (values) => {
      const written = await rightsOfFiles();

      const rendered = (await objectsOf(values)).filter((object) => written.has(rightsKey(object)));

      const others = rendered.filter((object) => !written.get(rightsKey(object))?.includes(rightsText(object)));
      expect(rendered.length).toBeGreaterThan(30);
      expect(others.map(rightsKey)).toEqual([]);
    },
  );

  it('are made of its file for the namespaces of the values', async () => {
    const values = `{hypervisorOperator: {agentNamespaces: [nova, elsewhere]}, ${BY_ISSUER}}`;

    const roles = rolesOf(await objectsOf(values, 'monsoon3')).filter((role) => role.includes('-operator'));

    expect(new Set(roles)).toEqual(
      new Set([
        'monsoon3 smalt-hypervisor-operator',
        'default smalt-hypervisor-operator-events',
        'nova smalt-hypervisor-operator-agents',
        'elsewhere smalt-hypervisor-operator-agents',
        'smalt-libvirt smalt-hypervisor-operator-certificates',
      ]),
    );
  });

  it('follow the namespaces that the settings of the operator name', async () => {
    const config = `{agentNamespaces: [agents], leaseNamespace: leases, certificate: {when: always, namespace: keys},
      nodeLifecycle: {when: always, namespace: drains}, virtualMachines: {smokeTest: {namespace: tests}}}`;

    const objects = await objectsOf(`hypervisorOperator: {agentNamespaces: [nova], config: ${config}}`);

    const roles = new Set(rolesOf(objects).filter((role) => /-operator|vm-compute/.test(role)));
    expect(roles).toEqual(
      new Set([
        'leases smalt-hypervisor-operator-lease',
        'default smalt-hypervisor-operator-events',
        'agents smalt-hypervisor-operator-agents',
        'keys smalt-hypervisor-operator-certificates',
        'drains smalt-hypervisor-operator-drains',
        'tests smalt-vm-compute',
      ]),
    );
    expect(writtenLeases(objects)).toEqual(['4c28796a.cloud.sap', 'smalt-ha-service', 'virt-controller']);
    // Whoever names a namespace has it.
    const made = objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name);
    expect(made).toEqual(['smalt-libvirt']);
  });

  it('are where Migrations and OVSNodes live, and nowhere else', async () => {
    const values = '{nodeAgent: {namespace: moves}, ovsAgent: {namespace: ovn-system}}';
    const [usual, chosen] = await Promise.all([objectsOf(''), objectsOf(values)]);

    const [before, after] = [usual, chosen].map((objects) => rolesOf(objects).filter(isOfAgent));
    expect(new Set(before)).toEqual(
      new Set([
        'smalt-system smalt-node-agent',
        'default smalt-node-agent-events',
        'smalt-libvirt smalt-node-agent-certificates',
        'smalt-system smalt-ovs-agent',
        'kube-system smalt-ovs-agent-client-authority',
      ]),
    );
    expect(new Set(after)).toEqual(
      new Set([
        'moves smalt-node-agent',
        'default smalt-node-agent-events',
        'smalt-libvirt smalt-node-agent-certificates',
        'ovn-system smalt-ovs-agent',
        'kube-system smalt-ovs-agent-client-authority',
      ]),
    );
    const bound = chosen.filter(
      ({ kind, metadata }) => kind === 'RoleBinding' && /-(node|ovs)-agent$/.test(metadata.name),
    );
    expect(bound.map(({ metadata, subjects }) => [metadata.namespace, subjects])).toEqual([
      ['moves', [{ kind: 'ServiceAccount', name: 'smalt-node-agent', namespace: 'smalt-system' }]],
      ['ovn-system', [{ kind: 'ServiceAccount', name: 'smalt-ovs-agent', namespace: 'smalt-system' }]],
    ]);
    const accounts = chosen.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.namespace);
    expect(new Set(accounts)).toEqual(new Set(['smalt-system']));
    expect(namespacesSaid(chosen)).toEqual({ 'smalt-node-agent': 'moves', 'smalt-ovs-agent': 'ovn-system' });
  });

  it('are in kube-system for the drains of Gardener alone', async () => {
    const [without, withIt] = await Promise.all(
      [false, true].map(async (gardener) => rolesOf(await objectsOf(`hypervisorOperator: {gardener: ${gardener}}`))),
    );

    expect(without).not.toContain('kube-system smalt-hypervisor-operator-drains');
    expect(withIt).toContain('kube-system smalt-hypervisor-operator-drains');
  });

  it.each(
    ['default', 'kube-system', 'nova', 'elsewhere', 'prod-ovn-system', 'ovn-smalt-system'].flatMap((namespace) =>
      ['hypervisorOperator: {gardener: true}', BY_ISSUER].map((values) => [namespace, values] as const),
    ),
  )('have names of their own in %s, with %s', async (namespace, values) => {
    const objects = await objectsOf(values, namespace);

    const keys = objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    expect(keys).toContain(`ServiceAccount ${namespace}/smalt-hypervisor-operator`);
    expect(keys).toContain(`Role ${namespace}/smalt-hypervisor-operator`);
  });

  it('let each account whose pods ask the API server do something there', async () => {
    const objects = await objectsOf('hypervisorOperator: {gardener: true}');
    const bound = new Set(objects.flatMap(({ subjects }) => subjects?.map(({ name }) => name) ?? []));

    const asking = objects.flatMap((object) => {
      const pod = podOf(object);
      return pod?.automountServiceAccountToken === true ? [pod.serviceAccountName] : [];
    });

    expect(asking.length).toBeGreaterThan(5);
    expect(asking.filter((name) => !bound.has(name))).toEqual([]);
  });

  it.each([
    ['', ['4c28796a.cloud.sap', 'smalt-ha-service', 'virt-controller']],
    // The name of lease-name.test.ts.
    [
      'hypervisorOperator: {config: {labelSelector: topology.kubernetes.io/zone=a}}',
      [
        'fb1ae1fcaf570a90ab5b62b676cbd6225cdbf6802e2a44702ee21c569e9dcee8.cloud.sap',
        'smalt-ha-service',
        'virt-controller',
      ],
    ],
    ['haService: {config: {kubernetes: {leaseName: other}}}', ['4c28796a.cloud.sap', 'other', 'virt-controller']],
  ])('let each part of the control plane write the Lease that it leads by alone: %j', async (values, names) => {
    expect(writtenLeases(await objectsOf(values))).toEqual(names);
  });

  it.each([
    ['virtController', true],
    ['haService', true],
    ['virtHandler', true],
    ['console', false],
  ])('have nobody else prove that a node is off where %s runs alone: %j', async (part, isGuarded) => {
    const values = { ...NO_DEFINITIONS, ...everyPart('off'), [part]: { enabled: true } };

    const objects = renderedObjects(await renderChart(helm, { namespace: 'elsewhere', values }));

    const guards = objects.filter(({ metadata }) => metadata.name === 'smalt-fence-proofs');
    const kinds = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'];
    expect(guards.map(({ kind }) => kind)).toEqual(isGuarded ? kinds : []);
    expect(JSON.stringify(guards).includes('elsewhere:smalt-ha-service')).toBe(isGuarded);
  });

  it('are not given for a Lease whose name the chart cannot know', async () => {
    const values = 'hypervisorOperator: {extraArgs: [--label-selector=rack]}';

    await expect(objectsOf(values)).rejects.toThrow('say labelSelector in hypervisorOperator.config');
  });

  it('let virt-api make Secrets only where it makes its own certificate', async () => {
    const own = await objectsOf('');
    const other = await objectsOf('certificates: {source: cert-manager, issuer: {name: authority}}');

    expect(makersOfSecrets(own)).toEqual([
      'smalt-certificates',
      'smalt-certificates-nodes',
      'smalt-virt-api-certificate',
    ]);
    expect(makersOfSecrets(other)).toEqual(['smalt-certificates', 'smalt-certificates-nodes']);
    expect(rolesOf(other)).not.toContain('smalt-system smalt-virt-api-certificate');
  });
});

/** What the roles and bindings of the plain files give, by kind and name; one may be there in several namespaces. */
async function rightsOfFiles(): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = join(CHART, 'files/rbac');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml'));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const objects = texts.flatMap(renderedObjects).filter(({ kind }) => /Role(?:Binding)?$/v.test(kind));
  const byKey = Map.groupBy(objects, rightsKey);
  return new Map([...byKey].map(([key, each]) => [key, each.map(rightsText)]));
}

function rightsKey({ kind, metadata }: RenderedObject): string {
  return `${kind} ${metadata.name}`;
}

/** What it gives, in one form whoever wrote it. */
function rightsText({ rules, subjects }: RenderedObject): string {
  return JSON.stringify({ rules, subjects }, sortedKeys).replaceAll('ovn-system', 'smalt-system');
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** The names of the Leases that the control plane may write; `*` is each of the namespace. Of agents their policies say which. */
function writtenLeases(objects: readonly RenderedObject[]): readonly string[] {
  const rules = objects
    .filter(({ kind, metadata }) => kind === 'Role' && !/-(agent|handler|runner)$/.test(metadata.name))
    .flatMap((role) => role.rules ?? []);
  return rules
    .filter(({ resources, verbs }) => resources?.includes('leases') === true && verbs.includes('update'))
    .flatMap(({ resourceNames }) => resourceNames ?? ['*'])
    .toSorted();
}

/** Which account has which role of the whole cluster. */
function clusterRights(objects: readonly RenderedObject[]): readonly string[] {
  return objects
    .filter(({ kind }) => kind === 'ClusterRoleBinding')
    .flatMap(({ metadata, subjects }) => subjects?.map(({ name }) => `${name}: ${metadata.name}`) ?? []);
}

function rolesOf(objects: readonly RenderedObject[]): readonly string[] {
  return objects
    .filter(({ kind }) => kind === 'Role' || kind === 'RoleBinding')
    .map(({ metadata }) => `${metadata.namespace ?? ''} ${metadata.name}`);
}

function isOfAgent(role: string): boolean {
  return /smalt-(node|ovs)-agent/.test(role);
}

/** Where the settings of an agent say that its objects live. */
function namespacesSaid(objects: readonly RenderedObject[]): unknown {
  const said = objects.flatMap(({ kind, metadata, data }) =>
    kind === 'ConfigMap' && /-(node|ovs)-agent$/.test(metadata.name)
      ? [[metadata.name, parse(data?.['config.yaml'] ?? '').namespace] as const]
      : [],
  );
  return Object.fromEntries(said);
}

function makersOfSecrets(objects: readonly RenderedObject[]): readonly string[] {
  return objects
    .filter(({ rules = [] }) =>
      rules.some(({ resources, verbs }) => resources?.includes('secrets') === true && verbs.includes('create')),
    )
    .map(({ metadata }) => metadata.name)
    .toSorted();
}

async function objectsOf(values: string, namespace = 'smalt-system'): Promise<readonly RenderedObject[]> {
  const all = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), parse(values) ?? {});
  return renderedObjects(await renderChart(helm, { namespace, values: all }));
}
