import { openBedDirectory, startNetwork, type BedNetwork } from '@smalt/bed-libvirt';
import { findProgram, type RunOptions } from '@smalt/libvirt-daemon';

import { bootNodes, type BootedNode } from './cluster/boot-nodes.ts';
import { writeClusterImages } from './cluster/cluster-images.ts';
import type { ClusterNode } from './cluster/cluster-node.ts';
import { installDns } from './cluster/install-dns.ts';
import { startNode, type NodeStart } from './cluster/start-node.ts';
import type { ControlPlanePlace } from './control-plane/control-plane-place.ts';
import type { KubernetesOptions } from './control-plane/kubernetes-options.ts';
import { startControlPlane } from './control-plane/start-control-plane.ts';
import { BedKubernetesError } from './error.ts';
import { keepAuditLog } from './keep-audit-log.ts';
import type { ClusterPrograms } from './kubernetes-programs.ts';
import { keepFirewalls } from './network-policies/keep-firewalls.ts';
import { kubernetesOf, type Kubernetes } from './start-kubernetes.ts';

const PORTS = { apiserver: 6443, etcd: 2379, etcdPeer: 2380, controllerManager: 10_257, scheduler: 10_259 } as const;
const MOST_NODES = 8;

export interface ClusterOptions extends Pick<
  KubernetesOptions,
  'audit' | 'featureGates' | 'flags' | 'controllerFlags' | 'isDurable'
> {
  /** How many; one, if not given. The control plane is on the first. */
  readonly nodes?: number | undefined;
  /** OCI archives of images that all nodes have from the beginning. */
  readonly images?: readonly string[] | undefined;
  /** Whether NetworkPolicies hold; without it they are only kept. */
  readonly networkPolicies?: boolean | undefined;
}

/** A whole Kubernetes, with nodes that run pods. */
export interface Cluster extends Kubernetes {
  readonly nodes: readonly [ClusterNode, ...ClusterNode[]];
  /** What the nodes hang on; further hosts can, too. */
  readonly network: BedNetwork;
  /** Brings an image onto every node, from an OCI archive. */
  importImage(tarPath: string, signal?: AbortSignal): Promise<void>;
  /** Runs a program on the first node to its end and gives what it printed. */
  run(command: readonly [string, ...string[]], options?: RunOptions): Promise<string>;
}

/**
 * Starts a whole cluster: the control plane, and nodes with kubelet, containerd, kube-proxy and DNS. Everything is in namespaces of its
 * own and goes with its owner, however that ends.
 */
export async function startCluster(
  programs: ClusterPrograms,
  signal: AbortSignal,
  options: ClusterOptions = {},
): Promise<Cluster> {
  const count = checkedCount(options);
  await findProgram('nft', 'nftables');
  await using owner = new AsyncDisposableStack();
  const { path: directory } = owner.use(await openBedDirectory());
  owner.defer(() => keepAuditLog(directory));
  const network = owner.use(await startNetwork());
  const ownImages = await writeClusterImages(directory, programs);
  const booted = await bootNodes({ programs, directory, network, owner }, count, signal);
  const place = placeOf(booted, directory);
  const settings = { ...options, controllers: true, scheduler: true };
  const { controlPlane, keys } = owner.use(await startControlPlane(programs, place, settings, signal));
  // Without the nodes nobody holds on to the API server, which then ends at once.
  owner.defer(async () => {
    await Promise.all(booted.map(({ machine }) => machine.kill()));
  });
  const { featureGates = {}, images = [] } = options;
  const start = { programs, server: controlPlane, keys, featureGates, images: [...ownImages, ...images] };
  const nodes = await startNodes(booted, start, signal);
  await installDns(controlPlane, signal);
  if (options.networkPolicies === true)
    owner.use(await keepFirewalls({ kubeconfig: controlPlane.kubeconfig, directory, nodes }, signal));
  const kept = owner.move();
  return {
    ...kubernetesOf(controlPlane, kept),
    get processes() {
      return controlPlane.processes;
    },
    nodes,
    network,
    importImage: async (path, each) => {
      await Promise.all(nodes.map((node) => node.importImage(path, each)));
    },
    run: (command, each) => nodes[0].run(command, each),
  };
}

async function startNodes(
  booted: readonly BootedNode[],
  start: NodeStart,
  signal: AbortSignal,
): Promise<Cluster['nodes']> {
  const [first, ...others] = await Promise.all(booted.map((each) => startNode(each, start, signal)));
  if (first === undefined) throw new TypeError('a cluster without nodes');
  return [first, ...others];
}

function checkedCount({ nodes = 1 }: ClusterOptions): number {
  if (Number.isInteger(nodes) && nodes >= 1 && nodes <= MOST_NODES) return nodes;
  throw new BedKubernetesError('invalid-option', `nodes: ${nodes} is no number of nodes from 1 to ${MOST_NODES}`);
}

/** The network of the first node: from there the API server reaches kubelets, Services and pods. */
function placeOf([first]: readonly BootedNode[], directory: string): ControlPlanePlace {
  if (first === undefined) throw new TypeError('a cluster without nodes');
  const enter = ['nsenter', '--target', String(first.machine.pid), '--net', '--'];
  return { directory, address: first.address, ports: PORTS, scheme: 'https', hasNodes: true, enter };
}
