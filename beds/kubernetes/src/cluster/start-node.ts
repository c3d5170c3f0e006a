import type { ClusterPrograms } from '../kubernetes-programs.ts';
import type { RunningApiServer } from '../running-api-server.ts';
import type { BootedNode } from './boot-nodes.ts';
import { ClusterNode } from './cluster-node.ts';
import { snapshotterFor, writeNodeSettings, type NodeAccess } from './lay-out-node.ts';

export interface NodeStart {
  readonly programs: ClusterPrograms;
  readonly server: RunningApiServer;
  readonly keys: NodeAccess['keys'];
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** OCI archives of images that it has from the beginning. */
  readonly images: readonly string[];
}

/** Starts the daemons of a node and resolves when it is ready for pods. */
export async function startNode(booted: BootedNode, start: NodeStart, signal: AbortSignal): Promise<ClusterNode> {
  const { name, number, address, machine } = booted;
  const { programs, server, keys, featureGates, images } = start;
  const { networkPlugins, runc } = programs;
  const snapshotter = await snapshotterFor(machine.root);
  const settings = { name, number, address, snapshotter, networkPlugins, runc, featureGates };
  await writeNodeSettings(machine.root, settings, { url: server.url, authority: server.authority, keys });
  const node = new ClusterNode(machine, settings);
  await node.startContainerd(signal);
  for (const image of images) await node.importImage(image, signal);
  await Promise.all([node.startKubelet(server, signal), node.startProxy(signal)]);
  return node;
}
