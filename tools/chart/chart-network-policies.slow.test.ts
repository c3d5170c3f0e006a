import { existsSync } from 'node:fs';
import { appendFile, chown, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { findCluster, startCluster, type Cluster } from '@smalt/bed-kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connectFrom, listeningCommand, listenIn, type Target } from './fixtures/connections.ts';
import { haVolume } from './fixtures/ha-volume.ts';
import { kubectl } from './fixtures/kubernetes-tools.ts';
import { findHelm, renderChart } from './helm.ts';
import { podOf, renderedObjects } from './rendered-objects.ts';

const TIMEOUT_MS = 900_000;
const READY_MS = 600_000;
const IMAGES = ['smalt', 'smalt-handler', 'smalt-node-agent', 'smalt-ha-service'].map((name) =>
  resolve(import.meta.dirname, `../../.cache/images/${name}.tar`),
);
const programs = findCluster();
const helm = findHelm();
const isReady = programs !== undefined && helm !== undefined && IMAGES.every((image) => existsSync(image));
const NOBODY = 65_532;
const NAMESPACE = 'smalt-system';
const HA_AGENT_PORT = 9178;
/** A port that no part serves: something listens there all the same. */
const UNNAMED = 4444;
const DEPLOYMENTS = [
  'smalt-console',
  'smalt-ha-service',
  'smalt-hypervisor-operator',
  'virt-api',
  'virt-controller',
] as const;
/** Who is in the place of pods that end at once, or that have an image of somebody else. */
const STAND_INS = ['smalt-certificates', 'smalt-logs'] as const;
const LOGS_PORT = 2020;
const WORKLOADS = [
  ...DEPLOYMENTS.map((name) => `deployment/${name}`),
  ...['smalt-ha-agent', 'smalt-node-agent', 'virt-handler'].map((name) => `daemonset/${name}`),
];
const READERS = [
  {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } },
    podSelector: { matchLabels: { app: 'reader' } },
  },
];
/** The API server is on the first node, which is a hypervisor: what it asks of the control plane comes from another node. */
const VALUES = {
  nodes: { controlPlane: 'never' },
  haService: { store: { sqlite: { existingClaim: 'ha' } } },
  haAgent: { enabled: true },
  logs: { enabled: true },
  ...Object.fromEntries(
    ['console', 'hypervisorOperator', 'virtApi', 'virtController'].map((part) => [part, { replicas: 1 }]),
  ),
};
const KEPT_OUT = 'EHOSTUNREACH';
const OPEN = 'connected';

interface Reach {
  readonly https: string;
  readonly metrics: string;
  readonly unnamed: string;
}

describe.skipIf(!isReady)(
  'the chart where NetworkPolicies hold (needs npm run bed:kubernetes -- --build and npm run images)',
  { timeout: TIMEOUT_MS },
  () => {
    const owned = new AsyncDisposableStack();
    let cluster: Cluster;

    beforeAll(async () => {
      if (programs === undefined) return;
      const options = { nodes: 2, images: IMAGES, isDurable: false, networkPolicies: true };
      cluster = owned.use(await startCluster(programs, AbortSignal.timeout(READY_MS), options));
      const [first, second] = cluster.nodes;
      if (second === undefined) throw new TypeError('a cluster with one node');
      await mkdir(join(second.root, 'var/lib/ha'), { recursive: true });
      await chown(join(second.root, 'var/lib/ha'), NOBODY, NOBODY);
      // libvirt looks for the group that it was built with, which not every machine has.
      await appendFile(join(first.root, 'etc/group'), 'libvirt-qemu:x:64055:\n');
      await first.start('libvirtd', ['libvirtd']);
      const labels = ['node-role.kubernetes.io/hypervisor=', 'nova.openstack.cloud.sap/virt-driver=kvm'];
      await run('label', 'node', first.name, ...labels);
      await run('create', 'namespace', NAMESPACE);
      for (const object of haVolume(NAMESPACE)) await apply(object);
      await install({ metricsFrom: READERS });
    }, TIMEOUT_MS);
    afterAll(() => owned.disposeAsync(), TIMEOUT_MS);

    it('becomes ready, part by part, with its control plane on another node than the API server', async () => {
      const late = await Promise.all(
        WORKLOADS.map((name) =>
          run('rollout', 'status', name, '-n', NAMESPACE, `--timeout=${READY_MS / 1_000}s`).then(
            () => [],
            () => [name],
          ),
        ),
      );

      expect({ late: late.flat(), words: late.flat().length > 0 ? await told() : '' }).toEqual({ late: [], words: '' });
      const places = await Promise.all(DEPLOYMENTS.map((name) => ofPod(name, '{.items[*].spec.nodeName}')));
      expect(places).toEqual(DEPLOYMENTS.map(() => 'node2'));
    });

    it('has its webhooks answered, and its subresources served', async () => {
      await run('create', 'namespace', 'shop');
      const refused = apply({
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachine',
        metadata: { name: 'web', namespace: 'shop' },
        spec: { runStrategy: 'Sometimes', template: { spec: { domain: { devices: {} } } } },
      });

      await expect(refused).rejects.toThrow('spec.runStrategy');
      expect(await run('get', '--raw', '/apis/subresources.kubevirt.io/v1/healthz')).toContain('ok');
    });

    it('lets agents, which are on the network of nodes, reach the HA service', async () => {
      const { address } = cluster.nodes[0];
      const metrics = async (): Promise<string> =>
        await (await fetch(`http://${address}:${HA_AGENT_PORT}/metrics`)).text();

      await expect.poll(metrics, { timeout: READY_MS }).toMatch(/^smalt_ha_agent_records_delivered_total [1-9]/mv);
    });

    it('keeps strangers of either node from metrics and from what no part serves', async () => {
      await startPods();
      for (const name of DEPLOYMENTS) owned.use(await listenIn(partPlace(name), UNNAMED));

      const reached = tableOf({ https: OPEN, metrics: KEPT_OUT, unnamed: KEPT_OUT });

      // The rules follow a pod some moments after it has its address.
      await expect.poll(() => reachedBy('elsewhere', 'stranger1'), { timeout: READY_MS }).toEqual(reached);
      expect(await reachedBy('elsewhere', 'stranger2')).toEqual(reached);
      expect(await reachedBy('monitoring', 'stranger')).toEqual(reached);
    });

    it('lets those read metrics whom the values name, and do nothing beyond', async () => {
      const reached = tableOf({ https: OPEN, metrics: OPEN, unnamed: KEPT_OUT });

      await expect.poll(() => reachedBy('monitoring', 'reader'), { timeout: READY_MS }).toEqual(reached);
    });

    it('lets the console reach the API server and the HA service by their names, and nothing else', async () => {
      expect(await reachedByConsole()).toEqual({
        apiServer: OPEN,
        haService: OPEN,
        haMetrics: KEPT_OUT,
        controller: KEPT_OUT,
        stranger: KEPT_OUT,
        kubelet: KEPT_OUT,
      });
      // Others may go where they like.
      const targets = { stranger: await strangerTarget() };
      expect(await connectFrom(partPlace('virt-controller'), targets)).toEqual({ stranger: OPEN });
    });

    it('opens metrics to everybody where the values name nobody, and still nothing that no part serves', async () => {
      await install({});

      const reached = tableOf({ https: OPEN, metrics: OPEN, unnamed: KEPT_OUT });
      await expect.poll(() => reachedBy('elsewhere', 'stranger1'), { timeout: READY_MS }).toEqual(reached);
    });

    it('keeps nobody from anything without its policies', async () => {
      await run('delete', 'networkpolicies', '--all', '-n', NAMESPACE);

      const reached = tableOf({ https: OPEN, metrics: OPEN, unnamed: OPEN });
      await expect.poll(() => reachedBy('elsewhere', 'stranger1'), { timeout: READY_MS }).toEqual(reached);
      expect(await reachedBy('elsewhere', 'stranger2')).toEqual(reached);
      expect(new Set(Object.values(await reachedByConsole()))).toEqual(new Set([OPEN]));
    });

    /** All but the collector of logs, of which there is only the policy: its image is somebody else's. */
    async function install(networkPolicies: object): Promise<void> {
      const rendered = await renderChart(helm ?? '', { values: { ...VALUES, networkPolicies } });
      const objects = rendered
        .split(/^---$/m)
        .filter((text) => !/^kind: DaemonSet$[^]*^ {2}name: smalt-logs$/m.test(text));
      await kubectl(cluster.kubeconfig, ['apply', '--server-side', '-f', '-'], objects.join('---'));
    }

    async function startPods(): Promise<void> {
      const rendered = renderedObjects(await renderChart(helm ?? '', { values: VALUES }));
      const image =
        rendered.flatMap((object) => podOf(object)?.containers ?? []).find(({ name }) => name === 'virt-api')?.image ??
        '';
      for (const name of ['elsewhere', 'monitoring']) await run('create', 'namespace', name);
      for (const name of STAND_INS) await apply(standIn(name, image));
      await apply(idlePod('elsewhere/stranger1', 'node1', image));
      await apply(idlePod('elsewhere/stranger2', 'node2', image));
      await apply(idlePod('monitoring/stranger', 'node1', image));
      await apply(idlePod('monitoring/reader', 'node1', image));
      for (const namespace of [NAMESPACE, 'elsewhere', 'monitoring']) {
        const selector = ['-l', 'app.kubernetes.io/managed-by=test', '-n', namespace];
        await run('wait', '--for=condition=Ready', 'pod', ...selector, '--timeout=120s');
      }
    }

    /** What comes of connections to all ports of all parts. */
    async function reachedBy(namespace: string, name: string): Promise<Readonly<Record<string, string>>> {
      const parts = await Promise.all([...DEPLOYMENTS, ...STAND_INS].map((part) => targetsOf(part)));
      const place = { kubeconfig: cluster.kubeconfig, namespace, name };
      return await connectFrom(place, Object.fromEntries(parts.flat()));
    }

    async function targetsOf(part: string): Promise<readonly (readonly [string, Target])[]> {
      const host = await ofPod(part, '{.items[0].status.podIP}');
      const ports = await ofPod(
        part,
        '{range .items[0].spec.containers[0].ports[*]}{.name} {.containerPort}{"\\n"}{end}',
      );
      const named = ports
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(' '));
      const all = [...named, ['unnamed', String(UNNAMED)]];
      return all.map(([port = '', number = '']) => [`${part} ${port}`, { host, port: Number(number) }] as const);
    }

    async function reachedByConsole(): Promise<Readonly<Record<string, string>>> {
      return await connectFrom(partPlace('smalt-console'), {
        apiServer: { host: 'kubernetes.default.svc', port: 443 },
        haService: { host: `smalt-ha-service.${NAMESPACE}.svc`, port: 8443 },
        haMetrics: { host: await ofPod('smalt-ha-service', '{.items[0].status.podIP}'), port: 8080 },
        controller: { host: await ofPod('virt-controller', '{.items[0].status.podIP}'), port: 9181 },
        stranger: await strangerTarget(),
        kubelet: { host: cluster.nodes[0].address, port: 10_250 },
      });
    }

    async function strangerTarget(): Promise<Target> {
      return {
        host: await run('get', 'pod', 'stranger1', '-n', 'elsewhere', '-o', 'jsonpath={.status.podIP}'),
        port: UNNAMED,
      };
    }

    function partPlace(name: string): {
      readonly kubeconfig: string;
      readonly namespace: string;
      readonly name: string;
    } {
      return { kubeconfig: cluster.kubeconfig, namespace: NAMESPACE, name: `deployment/${name}` };
    }

    async function ofPod(part: string, path: string): Promise<string> {
      const selector = ['-l', `app.kubernetes.io/name=${part}`, '--field-selector=status.phase=Running'];
      return await run('get', 'pods', '-n', NAMESPACE, ...selector, '-o', `jsonpath=${path}`);
    }

    async function apply(object: object): Promise<void> {
      await kubectl(cluster.kubeconfig, ['apply', '-f', '-'], JSON.stringify(object));
    }

    async function run(...words: readonly string[]): Promise<string> {
      return await kubectl(cluster.kubeconfig, words);
    }

    /** What the cluster and the pods say, for whoever looks why. */
    async function told(): Promise<string> {
      const pods = await run('get', 'pods', '-A', '-o', 'wide');
      const log = ['logs', '-n', NAMESPACE, '-l', 'app.kubernetes.io/part-of=smalt', '--prefix', '--tail=15'];
      return `${pods}\n${await run(...log).catch(String)}`;
    }
  },
);

/** What everybody reaches of every part, each of which serves what it serves. */
function tableOf({ https, metrics, unnamed }: Reach): Readonly<Record<string, string>> {
  const withHttps = ['smalt-console', 'smalt-ha-service', 'virt-api'];
  const withMetrics = [...DEPLOYMENTS, 'smalt-logs'];
  return Object.fromEntries([
    ...withHttps.map((part) => [`${part} https`, https]),
    ...withMetrics.map((part) => [`${part} metrics`, metrics]),
    ...[...DEPLOYMENTS, ...STAND_INS].map((part) => [`${part} unnamed`, unnamed]),
  ]);
}

function standIn(name: string, image: string): object {
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'smalt' };
  const isLogs = name === 'smalt-logs';
  const ports = isLogs ? [{ name: 'metrics', containerPort: LOGS_PORT }] : [];
  return podObject(`${NAMESPACE}/${name}`, { labels, node: 'node2', image, ports });
}

function idlePod(key: string, node: string, image: string): object {
  return podObject(key, { labels: { app: key.slice(key.indexOf('/') + 1) }, node, image, ports: [] });
}

interface PodDraft {
  readonly labels: Readonly<Record<string, string>>;
  readonly node: string;
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
}

/** A pod that listens at its ports, and at the one that nobody names. */
function podObject(key: string, { labels, node, image, ports }: PodDraft): object {
  const [namespace, name] = key.split('/');
  const command = listeningCommand([...ports.map(({ containerPort }) => containerPort), UNNAMED]);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, labels: { ...labels, 'app.kubernetes.io/managed-by': 'test' } },
    spec: {
      nodeName: node,
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'main', image, command, ports }],
    },
  };
}
