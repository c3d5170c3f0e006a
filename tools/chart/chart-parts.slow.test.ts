import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { CHART, findHelm, renderChart } from './helm.ts';
import { renderedObjects, type RenderedObject } from './rendered-objects.ts';

const helm = findHelm() ?? '';
const run = promisify(execFile);

/** Each part, the switch that turns it on, and what then runs. */
const PARTS = [
  ['hypervisorOperator', 'Deployment smalt-hypervisor-operator'],
  ['haService', 'Deployment smalt-ha-service'],
  ['haAgent', 'DaemonSet smalt-ha-agent'],
  ['nodeAgent', 'DaemonSet smalt-node-agent'],
  ['ovsAgent', 'DaemonSet smalt-ovs-agent'],
  ['virtApi', 'Deployment virt-api'],
  ['virtController', 'Deployment virt-controller'],
  ['virtHandler', 'DaemonSet virt-handler'],
  ['console', 'Deployment smalt-console'],
  ['libvirt.managed', 'DaemonSet smalt-libvirt'],
  ['logs', 'DaemonSet smalt-logs'],
] as const;

const WITHOUT_DEFINITIONS = 'crds.fleet=false,crds.virtualMachines=false,crds.switches=false';

/** By what the policy knows the definitions that it guards. */
const GUARDED = { 'app.kubernetes.io/part-of': 'smalt' };
const NOVA = '{kind: openstack, openstack: {secret: clouds, cloud: prod}}';

describe.skipIf(helm === '')('the parts of the chart (needs helm: npm run bed:kubernetes -- --build)', () => {
  it.each(PARTS)('can have %s alone', async (part, workload) => {
    const on = part === 'haAgent' ? withUrl(switched(part, true)) : switched(part, true);
    const objects = await objectsOf({ ...NO_DEFINITIONS, ...everyPart('off'), ...on });

    expect(workloadsOf(objects)).toEqual([workload]);
  });

  it.each(PARTS)('can do without %s', async (part, workload) => {
    const off = switched(part, false);
    // An HA agent by itself has to be told where its service is.
    const objects = await objectsOf({
      ...NO_DEFINITIONS,
      ...everyPart('on'),
      ...(part === 'haService' ? withUrl(off) : off),
    });

    const others = PARTS.map(([, one]) => one).filter((one) => one !== workload);
    expect(workloadsOf(objects)).toEqual(others.toSorted());
  });

  it('installs each definition as it is generated, and never removes one', { timeout: 180_000 }, async () => {
    const files = await readdir(join(CHART, 'files/crds'));
    const texts = await Promise.all(files.map((file) => readFile(join(CHART, 'files/crds', file), 'utf8')));
    const generated = texts.map((text): RenderedObject => parse(text));

    const found = (await objectsOf({})).filter(({ kind }) => kind === 'CustomResourceDefinition');

    expect(Object.fromEntries(found.map(({ metadata, spec }) => [metadata.name, spec]))).toEqual(
      Object.fromEntries(generated.map(({ metadata, spec }) => [metadata.name, spec])),
    );
    for (const { metadata } of found) {
      expect(metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
      expect(metadata.labels).toMatchObject({ ...GUARDED, 'app.kubernetes.io/name': 'smalt-definitions' });
    }
    for (const { metadata } of generated) expect(metadata.labels).toEqual(GUARDED);
  });

  it.each([
    ['virtApi.enabled=false', /WARNING: virtHandler is on and virtApi is off/],
    ['virtApi.enabled=false,virtHandler.enabled=false', /^(?![^]*WARNING)/],
    ['monitoring.rules.enabled=true', /WARNING: monitoring[.]rules is on and monitoring[.]serviceMonitors is off/],
    ['monitoring.rules.enabled=true,monitoring.serviceMonitors.enabled=true', /^(?![^]*WARNING)/],
    ['libvirt.transport=tcp', /WARNING: libvirt[.]transport is tcp/],
    ['nodeAgent.enabled=false', /Guests do not move between nodes yet/],
    ['virtApi.hostNetwork=true,virtApi.replicas=1', /WARNING: virtApi[.]hostNetwork is on with one replica/],
    ['virtApi.hostNetwork=true', /^(?![^]*WARNING)[^]*its 2 replicas need 2 nodes, at every upgrade too/],
    ['virtApi.hostNetwork=true,virtApi.replicas=5', /^(?![^]*WARNING)[^]*its 5 replicas need 5 nodes/],
    ['virtApi.replicas=1', /^(?![^]*WARNING)/],
    ['virtApi.enabled=true', /^(?![^]*(WARNING|do not move|replicas need))/],
  ])('tells who installs it with %s what that means', async (values, words) => {
    const place = ['smalt', CHART, '--namespace', 'smalt-system', '--dry-run=client'];
    const { stdout } = await run(helm, ['install', ...place, '--set', `${values},${WITHOUT_DEFINITIONS}`]);

    expect(stdout.split('NOTES:')[1]).toMatch(words);
  });

  it.each([
    ['image: {registri: x}', "additional properties 'registri' not allowed"],
    ['virtAPI: {enabled: true}', "additional properties 'virtAPI' not allowed"],
    ['virtApi: {replicas: none}', '/virtApi/replicas'],
    ['virtApi: {replicas: 0}', '/virtApi/replicas'],
    ['virtApi: {image: {digest: latest}}', '/virtApi/image/digest'],
    ['nodeAgent: {port: 0}', '/nodeAgent/port'],
    ['virtHandler: {nodeApiPort: 65536}', '/virtHandler/nodeApiPort'],
    ['compute: {kind: vmware}', '/compute/kind'],
    ['libvirt: {transport: ssh}', '/libvirt/transport'],
    ['nodeAgent: {resources: {limit: {}}}', "additional properties 'limit' not allowed"],
    ['nodeAgent: {securityContext: {seLinuxOption: {}}}', "additional properties 'seLinuxOption' not allowed"],
    ['console: {origins: [console.example]}', '/console/origins/0'],
    ['haService: {replicas: 2}', 'haService.replicas: SQLite is for one replica'],
    ['haService: {store: {kind: postgres}}', 'haService.store.postgres.secret: name the Secret'],
    ['compute: {kind: openstack}', 'compute.openstack.secret: name the Secret'],
    ['certificates: {source: cert-manager}', 'certificates.issuer.name: name the issuer'],
    ['libvirt: {certificates: {namespace: smalt-system}}', 'libvirt.certificates.namespace: node agents may read'],
    ['nodes: {controlPlane: perhaps}', '/nodes/controlPlane'],
    ['monitoring: {rules: {runbookUrl: docs}}', '/monitoring/rules/runbookUrl'],
    ['libvirt: {certificates: {source: cert-manager}}', 'libvirt.certificates.issuer.name: name the issuer'],
    ['{haAgent: {enabled: true}, haService: {enabled: false}}', 'haAgent.config.ha.url: say where'],
    [
      '{libvirt: {certificates: {source: cert-manager, issuer: {name: a}}}, hypervisorOperator: {enabled: false}}',
      'libvirt.certificates.source: cert-manager is asked for certificates of nodes by the operator, which is off',
    ],
    [
      `{compute: ${NOVA}, libvirt: {managed: {enabled: true}}, virtHandler: {enabled: false}}`,
      'libvirt.managed.enabled: with compute.kind openstack guests are those of Nova, and may end with the pod of the managed libvirtd',
    ],
    [`{compute: ${NOVA}, libvirt: {managed: {enabled: true}}}`, 'libvirt.managed.nodeSelector'],
    [
      `{compute: ${NOVA}, libvirt: {managed: {enabled: true, nodeSelector: {a: b}}}, virtHandler: {enabled: false}}`,
      'libvirt.managed.enabled: with compute.kind openstack',
    ],
    ['console: {ingress: {enabled: true}}', 'console.ingress.host: give the name that browsers use'],
  ])('refuses %s', async (values, message) => {
    await expect(renderChart(helm, { values: parse(values) })).rejects.toThrow(message);
  });

  it('brings a libvirtd beside Nova to those nodes alone that are said to have machines of Smalt', async () => {
    const values = `{compute: ${NOVA}, libvirt: {managed: {enabled: true, nodeSelector: {a: b}}}}`;

    const objects = await objectsOf(parse(values));

    const [daemon] = objects.filter(({ kind, metadata }) => kind === 'DaemonSet' && metadata.name === 'smalt-libvirt');
    expect(daemon?.spec).toMatchObject({ template: { spec: { nodeSelector: { a: 'b' } } } });
  });
});

async function objectsOf(values: Readonly<Record<string, unknown>>): Promise<readonly RenderedObject[]> {
  return renderedObjects(await renderChart(helm, { values }));
}

function workloadsOf(objects: readonly RenderedObject[]): readonly string[] {
  return objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'DaemonSet')
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    .toSorted();
}

function switched(part: string, enabled: boolean): Readonly<Record<string, unknown>> {
  return part === 'libvirt.managed' ? { libvirt: { managed: { enabled } } } : { [part]: { enabled } };
}

function withUrl(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...values, haAgent: { enabled: true, config: { ha: { url: 'https://ha.example' } } } };
}
