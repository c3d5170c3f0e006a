import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { mergeValues } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { CHART, findHelm, renderChart } from './helm.ts';
import { podOf, renderedObjects, type RenderedObject } from './rendered-objects.ts';

const helm = findHelm() ?? '';
const run = promisify(execFile);
const MOST_BYTES = 64 * 1024 * 1024;
const ON = mergeValues(NO_DEFINITIONS, everyPart('on'));
const LEFT_OUT = "value must be 'left out, for the chart gives this one itself: take a key of your own'";

/** The values of each part, by the object that has its pods. */
const PARTS = [
  ['smalt-console', 'console'],
  ['smalt-ha-agent', 'haAgent'],
  ['smalt-ha-service', 'haService'],
  ['smalt-hypervisor-operator', 'hypervisorOperator'],
  ['smalt-libvirt', 'libvirt.managed'],
  ['smalt-logs', 'logs'],
  ['smalt-node-agent', 'nodeAgent'],
  ['smalt-ovs-agent', 'ovsAgent'],
  ['virt-api', 'virtApi'],
  ['virt-controller', 'virtController'],
  ['virt-handler', 'virtHandler'],
] as const;

describe.skipIf(helm === '')('the chart (needs helm: npm run bed:kubernetes -- --build)', () => {
  it.each([
    ['labels: {app.kubernetes.io/part-of: other}', `/labels/app.kubernetes.io~1part-of': ${LEFT_OUT}`],
    ['labels: {helm.sh/chart: other}', LEFT_OUT],
    ['labels: {smalt.dev/metrics: "true"}', LEFT_OUT],
    ['labels: {kubevirt.io: virt-launcher}', LEFT_OUT],
    ['labels: {"-team": a}', "additional properties '-team' not allowed"],
    ['labels: {team: a b}', '/labels/team'],
    ['virtApi: {podLabels: {app.kubernetes.io/name: other}}', LEFT_OUT],
    ['virtApi: {podAnnotations: {checksum/config: other}}', LEFT_OUT],
    ['virtApi: {podAnnotations: {kubectl.kubernetes.io/default-container: other}}', LEFT_OUT],
    ['nodes: {selector: {"a/b/c": ""}}', "additional properties 'a/b/c' not allowed"],
    ['monitoring: {rules: {labels: {team: a b}}}', '/monitoring/rules/labels/team'],
  ])('lets nobody give labels that something goes by, or that there are none of: %s', refuses);

  it.each([
    'labels: {example.com/team: a, team: ""}',
    'virtApi: {podLabels: {sidecar.istio.io/inject: "false"}, podAnnotations: {example.com/Note: "a b"}}',
    'nodes: {selector: {smalt.dev/hypervisor: ""}}',
    // By which a Prometheus of others finds it.
    'monitoring: {serviceMonitors: {enabled: true, labels: {app.kubernetes.io/part-of: metrics}}}',
    'console: {ingress: {enabled: true, host: a.example, annotations: {cert-manager.io/cluster-issuer: a}}}',
  ])('takes other labels: %s', async (values) => {
    await expect(objectsOf(values)).resolves.not.toEqual([]);
  });

  it.each([
    ['haService: {secrets: [{name: config, secret: a}]}', 'haService.secrets: the name config is taken'],
    ['haService: {secrets: [{name: tls, secret: a}]}', 'haService.secrets: the name tls is taken'],
    ['haService: {secrets: [{name: store, secret: a}]}', 'haService.secrets: the name store is taken'],
    ['haService: {secrets: [{name: a, secret: a}, {name: a, secret: b}]}', 'haService.secrets: the name a is taken'],
    [`haService: {secrets: [{name: ${'a'.repeat(57)}, secret: a}]}`, '/haService/secrets/0/name'],
    ['haService: {secrets: [{name: a.b, secret: a}]}', '/haService/secrets/0/name'],
    ['haService: {secrets: [{name: a, secret: A_B}]}', '/haService/secrets/0/secret'],
    ['image: {pullSecrets: [{name: A_B}]}', '/image/pullSecrets/0/name'],
  ])('names what is wrong with a Secret: %s', refuses);

  it.each(PARTS)('refuses what is in the pod of %s already, by the name of the value', async (name, part) => {
    const [pod] = (await objectsOf('')).flatMap((one) => (one.metadata.name === name ? (podOf(one) ?? []) : []));
    const [container] = pod?.containers ?? [];
    const volume = pod?.volumes?.[0]?.name ?? '';
    const path = container?.volumeMounts?.[0]?.mountPath ?? '';
    expect([volume, path]).not.toContain('');

    const same = `extraVolumes: [{name: ${volume}, emptyDir: {}}]`;
    await refuses(valuesOf(part, same), `${part}.extraVolumes: the pod has a volume ${volume} already`);
    const over = `extraVolumeMounts: [{name: ${volume}, mountPath: ${path}}]`;
    await refuses(valuesOf(part, over), `${part}.extraVolumeMounts: something is mounted at ${path} already`);
    const other = 'extraVolumeMounts: [{name: other, mountPath: /other}]';
    await refuses(valuesOf(part, other), `${part}.extraVolumeMounts: there is no volume other`);
    const twice = 'extraEnv: [{name: A, value: a}, {name: A, value: b}]';
    await refuses(valuesOf(part, twice), `${part}.extraEnv: A is there already`);
  });

  it.each([
    ['nodeAgent: {port: 9178}', 'nodeAgent: the port 9178 of nodes is that of haAgent already'],
    ['ovsAgent: {port: 9443}', 'ovsAgent: the port 9443 of nodes is that of ovsAgent already'],
    ['virtHandler: {nodeApiPort: 9186}', 'virtHandler: the port 9186 of nodes is that of virtHandler already'],
    ['nodeAgent: {port: 16514}', 'nodeAgent: the port 16514 of nodes is that of libvirt.managed already'],
    [
      'virtApi: {resources: {requests: {memory: 1Gi}}}',
      'virtApi.resources.requests.memory: 1Gi is more than the limit',
    ],
    [
      'ovsAgent: {resources: {requests: {cpu: 1}}}',
      'ovsAgent.resources.requests.cpu: 1 is more than the limit of 200m',
    ],
    ['certificates: {resources: {requests: {memory: 1e9}}}', 'certificates.resources.requests.memory'],
    ['logs: {image: {tag: ""}}', 'logs.image.tag: name the tag'],
  ])('refuses what no node could run: %s', refuses);

  it.each([
    ['virtApi: {hostNetwork: true, port: 9443}', 'virtApi.port: 9443 is ovsAgent.troubleshootingPort already'],
    ['virtApi: {hostNetwork: true, port: 8186}', 'virtApi.port: 8186 is virtHandler.nodeApiPort already'],
    ['virtApi: {hostNetwork: true, metricsPort: 9177}', 'virtApi.metricsPort: 9177 is nodeAgent.port already'],
    ['virtApi: {hostNetwork: true, port: 16514}', 'virtApi.port: 16514 is the port of the managed libvirtd already'],
    [
      '{libvirt: {managed: {listenAddress: 0.0.0.0}}, virtApi: {hostNetwork: true, port: 16514}}',
      'virtApi.port: 16514 is the port of the managed libvirtd already',
    ],
    [
      '{libvirt: {transport: tcp}, virtApi: {hostNetwork: true, metricsPort: 16509}}',
      'virtApi.metricsPort: 16509 is the port of the managed libvirtd already',
    ],
    [
      '{nodes: {controlPlane: allow}, haAgent: {port: 8443, nodeSelector: {rack: a}}, virtApi: {hostNetwork: true}}',
      'virtApi.port: 8443 is haAgent.port already on nodes that virt-api may run on: give one of the two another port, set nodes.controlPlane to never, or choose',
    ],
    [
      '{nodes: {selector: {pool: a}}, virtApi: {hostNetwork: true, port: 9443, nodeSelector: {pool: a, zone: b}}}',
      'virtApi.port: 9443 is ovsAgent.troubleshootingPort already',
    ],
  ])('refuses a port of virt-api on nodes that an agent has where it may run as well: %s', refuses);

  it.each([
    'virtApi: {port: 9443, metricsPort: 9177}',
    'virtApi: {hostNetwork: true}',
    '{nodes: {controlPlane: never}, virtApi: {hostNetwork: true, port: 9443}}',
    '{nodes: {controlPlane: never}, virtApi: {hostNetwork: true, port: 9443, nodeSelector: {pool: a}}}',
    '{ovsAgent: {troubleshooting: false}, virtApi: {hostNetwork: true, port: 9443}}',
    '{nodes: {selector: {pool: a}}, virtApi: {hostNetwork: true, port: 9443, nodeSelector: {pool: b}}}',
    'virtApi: {hostNetwork: true, port: 16509}',
    '{libvirt: {certificates: {source: none}}, virtApi: {hostNetwork: true, port: 16514}}',
    '{libvirt: {managed: {enabled: false}}, virtApi: {hostNetwork: true, port: 16514}}',
  ])('takes a port that no agent has where virt-api may run, and warns of none: %s', async (values) => {
    await expect(notesOf(values)).resolves.not.toContain('already');
  });

  it.each([
    [
      '{nodes: {selector: {pool: a, gpu: ""}}, virtApi: {hostNetwork: true, port: 9443, nodeSelector: {pool: a}}}',
      'virtApi.port: 9443 is ovsAgent.troubleshootingPort already',
    ],
    [
      'virtApi: {hostNetwork: true, metricsPort: 16514, nodeSelector: {pool: a}}',
      'virtApi.metricsPort: 16514 is the port of the managed libvirtd already',
    ],
    [
      'virtApi: {hostNetwork: true, port: 9443, affinity: {nodeAffinity: {}}}',
      'virtApi.port: 9443 is ovsAgent.troubleshootingPort already',
    ],
    [
      '{libvirt: {managed: {listenAddress: $(NODE_NAME).migration.example}}, virtApi: {hostNetwork: true, port: 16514}}',
      'virtApi.port: 16514 is the port of the managed libvirtd already',
    ],
    // A part with an affinity of its own goes by that.
    [
      '{nodes: {controlPlane: never}, virtApi: {hostNetwork: true, port: 9443, affinity: {podAntiAffinity: {}}}}',
      'virtApi.port: 9443 is ovsAgent.troubleshootingPort already',
    ],
  ])(
    'only warns of such a port where virt-api has nodes of its own, or libvirtd an address: %s',
    async (values, message) => {
      await expect(notesOf(values)).resolves.toContain(`WARNING: ${message}. On a node that both come to`);
    },
  );

  it.each([
    'nodeAgent: {port: 9178, nodeSelector: {rack: a}}',
    'virtApi: {resources: {requests: {cpu: 1500m, memory: 0.5Gi}, limits: {cpu: 2}}}',
    'virtApi: {resources: {requests: {memory: 536870912}}}',
    'virtApi: {resources: {requests: {memory: 500M, ephemeral-storage: 128k}}}',
  ])('takes what they can: %s', async (values) => {
    await expect(objectsOf(values)).resolves.not.toEqual([]);
  });

  it.each([
    ['virtApi: {resources: {limits: {memory: 128K}}}', '/virtApi/resources/limits/memory'],
    ['virtApi: {resources: {limits: {memory: 512m}}}', '/virtApi/resources/limits/memory'],
    ['haService: {store: {sqlite: {size: 0Gi}}}', '/haService/store/sqlite/size'],
    ['haService: {store: {sqlite: {storageClass: "-"}}}', '/haService/store/sqlite/storageClass'],
    ['nodeAgent: {maxUnavailable: 0%}', '/nodeAgent/maxUnavailable'],
    ['nodeAgent: {maxUnavailable: 250%}', '/nodeAgent/maxUnavailable'],
    ['certificates: {schedule: ""}', '/certificates/schedule'],
    ['console: {origins: ["http://console.example"]}', '/console/origins/0'],
    ['console: {origins: ["https://console.example:443"]}', '/console/origins/0'],
    ['console: {ingress: {host: Console.example}}', '/console/ingress/host'],
    ['image: {registry: "https://registry.example"}', '/image/registry'],
    ['virtApi: {image: {tag: a b}}', '/virtApi/image/tag'],
    ['virtApi: {image: {repository: Smalt}}', '/virtApi/image/repository'],
    ['virtApi: {extraEnv: [{name: A, value: 1}]}', '/virtApi/extraEnv/0/value'],
    ['virtApi: {extraEnv: [{name: A, val: a}]}', "additional properties 'val' not allowed"],
    ['virtApi: {extraVolumes: [{name: a_b, emptyDir: {}}]}', '/virtApi/extraVolumes/0/name'],
    ['virtApi: {extraVolumes: [{name: a, emptyDir: {}, secret: {}}]}', '/virtApi/extraVolumes/0'],
    ['virtApi: {extraVolumeMounts: [{name: a, mountPath: a}]}', '/virtApi/extraVolumeMounts/0/mountPath'],
    ['virtApi: {tolerations: [{operator: exists}]}', '/virtApi/tolerations/0/operator'],
    ['virtApi: {tolerations: [{effects: NoExecute}]}', "additional properties 'effects' not allowed"],
    ['virtApi: {topologySpreadConstraints: [{maxSkew: 1}]}', '/virtApi/topologySpreadConstraints/0'],
    ['virtApi: {affinity: {nodeAffinities: {}}}', "additional properties 'nodeAffinities' not allowed"],
    ['virtApi: {priorityClassName: A}', '/virtApi/priorityClassName'],
    ['virtApi: {securityContext: {capabilities: {adds: [NET_RAW]}}}', "additional properties 'adds' not allowed"],
    ['networkPolicies: {metricsFrom: [{podSelectors: {}}]}', "additional properties 'podSelectors' not allowed"],
    [
      'networkPolicies: {metricsFrom: [{podSelector: {}, ipBlock: {cidr: 10.0.0.0/8}}]}',
      '/networkPolicies/metricsFrom/0',
    ],
    ['virtHandler: {runtimeDirectories: [/run/a, /run/a]}', '/virtHandler/runtimeDirectories'],
    ['virtHandler: {kubeletDirectory: "/var/lib/a:b"}', '/virtHandler/kubeletDirectory'],
    ['monitoring: {serviceMonitors: {interval: 0s}}', '/monitoring/serviceMonitors/interval'],
  ])('refuses what an API server would, or what could not start: %s', refuses);

  it('lets a container be privileged that is told to be, which cannot be kept from more rights', async () => {
    const [pod] = (await objectsOf('console: {securityContext: {privileged: true}}')).flatMap((one) =>
      one.metadata.name === 'smalt-console' ? (podOf(one) ?? []) : [],
    );

    const context = pod?.containers[0]?.securityContext;
    expect(context).toMatchObject({ privileged: true });
    expect(context).not.toHaveProperty('allowPrivilegeEscalation');
  });
});

function valuesOf(part: string, values: string): string {
  return part.split('.').reduceRight((inner, name) => `${name}: {${inner}}`, values);
}

function valuesOver(values: string): unknown {
  return mergeValues(ON, parse(values) ?? {});
}

async function refuses(values: string, message: string): Promise<void> {
  await expect(objectsOf(values)).rejects.toThrow(message);
}

async function objectsOf(values: string): Promise<readonly RenderedObject[]> {
  return renderedObjects(await renderChart(helm, { values: valuesOver(values) }));
}

/** What somebody reads who installs the chart. */
async function notesOf(values: string): Promise<string> {
  const place = ['smalt', CHART, '--namespace', 'smalt-system', '--dry-run=client'];
  const child = run(helm, ['install', ...place, '--values', '-'], { maxBuffer: MOST_BYTES });
  child.child.stdin?.end(JSON.stringify(valuesOver(values)));
  const notes = (await child).stdout.split('NOTES:')[1];
  expect(notes).toContain('Smalt');
  return notes ?? '';
}
