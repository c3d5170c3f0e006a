import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { mergeValues, valueAt } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { findHelm, renderChart } from './helm.ts';
import { podOf, renderedObjects, type RenderedObject } from './rendered-objects.ts';

const helm = findHelm() ?? '';
/** Each part by its values, with the name of its pods and of its account. */
const PARTS = [
  ['certificates', 'smalt-certificates', 'smalt-certificates'],
  ['console', 'smalt-console', 'smalt-console'],
  ['haAgent', 'smalt-ha-agent', 'smalt-ha-agent'],
  ['haService', 'smalt-ha-service', 'smalt-ha-service'],
  ['hypervisorOperator', 'smalt-hypervisor-operator', 'smalt-hypervisor-operator'],
  ['libvirt.managed', 'smalt-libvirt', 'smalt-libvirt'],
  ['logs', 'smalt-logs', 'smalt-logs'],
  ['nodeAgent', 'smalt-node-agent', 'smalt-node-agent'],
  ['ovsAgent', 'smalt-ovs-agent', 'smalt-ovs-agent'],
  ['virtApi', 'virt-api', 'smalt-virt-api'],
  ['virtController', 'virt-controller', 'smalt-virt-controller'],
  ['virtHandler', 'virt-handler', 'smalt-virt-handler'],
] as const;
const WANTED = {
  serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/a' } },
  hostAliases: [{ ip: '192.0.2.7', hostnames: ['keystone.example'] }],
  dnsConfig: { nameservers: ['192.0.2.8'], options: [{ name: 'ndots', value: '1' }] },
};

describe.skipIf(helm === '')('how parts reach others (needs helm: npm run bed:kubernetes -- --build)', () => {
  it.each(PARTS)('is said for %s alone: its account, names and name servers', async (part, name, account) => {
    const objects = await objectsOf(valueAt(part, WANTED));

    const marked = objects.filter(
      ({ kind, metadata }) => kind === 'ServiceAccount' && metadata.annotations !== undefined,
    );
    expect(marked.map(({ metadata }) => [metadata.name, metadata.annotations])).toEqual([
      [account, WANTED.serviceAccount.annotations],
    ]);
    const pods = objects.flatMap((object) => {
      const pod = podOf(object);
      return pod?.hostAliases === undefined && pod?.dnsConfig === undefined ? [] : [{ object, pod }];
    });
    expect(new Set(pods.map(({ object }) => object.metadata.name.replace(/-[0-9a-f]{8}$/, '')))).toEqual(
      new Set([name]),
    );
    for (const { pod } of pods) {
      expect(pod).toMatchObject({ hostAliases: WANTED.hostAliases, dnsConfig: WANTED.dnsConfig });
    }
  });

  it.each([
    ['virtApi: {hostAliases: [{ip: a, hostnames: [b]}]}', '/virtApi/hostAliases/0/ip'],
    ['virtApi: {hostAliases: [{ip: 192.0.2.7, hostnames: []}]}', '/virtApi/hostAliases/0/hostnames'],
    ['virtApi: {dnsConfig: {servers: []}}', "additional properties 'servers' not allowed"],
    ['virtApi: {serviceAccount: {annotation: {}}}', "additional properties 'annotation' not allowed"],
    ['haService: {service: {type: ExternalName}}', '/haService/service/type'],
    ['haService: {service: {names: ["https://ha.example"]}}', '/haService/service/names/0'],
    ['virtApi: {port: 443}', '/virtApi/port'],
    ['virtApi: {metricsPort: 8443}', 'virtApi.metricsPort: it is virtApi.port already'],
  ])('is refused where an API server would refuse it, or nobody would come through: %s', async (values, message) => {
    await expect(objectsOf(parse(values))).rejects.toThrow(message);
  });
});

describe.skipIf(helm === '')('how parts are reached (needs helm: npm run bed:kubernetes -- --build)', () => {
  it('is within the cluster alone, unless somebody says otherwise', async () => {
    const services = (await objectsOf({})).filter(({ kind }) => kind === 'Service');

    const types = services.map(({ spec }) => Object(spec).type ?? 'ClusterIP');
    expect(services.length).toBe(3);
    expect(new Set(types)).toEqual(new Set(['ClusterIP']));
  });

  it.each([
    ['haService', 'smalt-ha-service'],
    ['console', 'smalt-console'],
  ])('is said by the Service of %s', async (part, name) => {
    const service = { type: 'LoadBalancer', annotations: { 'example.com/scheme': 'internal' } };

    const found = serviceOf(await objectsOf({ [part]: { service } }), name);

    expect(found?.metadata.annotations).toEqual(service.annotations);
    expect(found?.spec).toMatchObject({ type: 'LoadBalancer' });
  });

  it('gives the HA service a certificate for the names that it has outside, whoever makes it', async () => {
    const haService = { service: { names: ['ha.example', '192.0.2.9'] } };
    const own = await objectsOf({ haService });
    const other = await objectsOf({
      haService,
      certificates: { source: 'cert-manager', issuer: { name: 'authority' } },
    });

    const argument = own
      .flatMap((object) => podOf(object)?.containers.flatMap(({ args }) => args ?? []) ?? [])
      .find((one) => one.startsWith('--certificates=smalt-ha-service-tls='));
    const inCluster = ['smalt-ha-service', 'smalt-ha-service.smalt-system', 'smalt-ha-service.smalt-system.svc'];
    expect(argument?.split('=')[2]?.split('+')).toEqual([...inCluster, 'ha.example', '192.0.2.9']);
    const certificate = other.find(
      ({ kind, metadata }) => kind === 'Certificate' && metadata.name === 'smalt-ha-service-tls',
    );
    expect(certificate?.spec).toMatchObject({
      dnsNames: [...inCluster, 'ha.example'],
      ipAddresses: ['192.0.2.9'],
    });
  });

  it('is by the address of a node, where API servers do not reach the pods of virt-api', async () => {
    const objects = await objectsOf({ virtApi: { hostNetwork: true, port: 20_443, metricsPort: 20_182 } });

    const deployment = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'virt-api');
    const pod = deployment === undefined ? undefined : podOf(deployment);
    expect(pod).toMatchObject({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' });
    const [container] = pod?.containers ?? [];
    expect(container?.args).toEqual(
      expect.arrayContaining(['--listen=$(HOST_IP):20182', '--serve-listen=$(HOST_IP):20443']),
    );
    expect(container?.ports).toEqual([
      { name: 'https', containerPort: 20_443 },
      { name: 'metrics', containerPort: 20_182 },
    ]);
    // With a port of each node that can be had once, a pod more than there are nodes would wait for ever.
    expect(deployment?.spec).toMatchObject({ strategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } } });
    expect(serviceOf(objects, 'virt-api')?.spec).toMatchObject({ ports: [{ port: 443, targetPort: 'https' }] });
  });

  it('is by other ports of the pods of virt-api, where these are said alone', async () => {
    const objects = await objectsOf({ virtApi: { port: 20_443, metricsPort: 20_182 } });

    const config = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'virt-api');
    expect(parse(config?.data?.['config.yaml'] ?? '')).toMatchObject({
      listen: '[::]:20182',
      serve: { listen: '[::]:20443' },
    });
    const deployment = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'virt-api');
    expect(deployment?.spec).toMatchObject({ strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } });
    expect(deployment === undefined ? undefined : podOf(deployment)?.hostNetwork).toBeUndefined();
  });
});

function serviceOf(objects: readonly RenderedObject[], name: string): RenderedObject | undefined {
  return objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === name);
}

async function objectsOf(values: unknown): Promise<readonly RenderedObject[]> {
  const on = mergeValues(NO_DEFINITIONS, everyPart('on'));
  return renderedObjects(await renderChart(helm, { values: mergeValues(on, values) }));
}
