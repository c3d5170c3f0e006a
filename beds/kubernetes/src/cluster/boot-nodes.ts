import { basename, join } from 'node:path';

import type { BedNetwork } from '@smalt/bed-libvirt';
import type { BindMount } from '@smalt/libvirt-daemon';
import { configureLinks, forgetOrphansSoon } from '@smalt/local-hosts';

import { SERVICE_RANGE } from '../control-plane/commands.ts';
import type { ClusterPrograms } from '../kubernetes-programs.ts';
import { podRange } from './addresses.ts';
import { layOutNode } from './lay-out-node.ts';
import { NodeMachine } from './node-machine.ts';

/** A node that has power and a network, and runs nothing yet. */
export interface BootedNode {
  readonly name: string;
  /** From 1 on. */
  readonly number: number;
  readonly address: string;
  readonly machine: NodeMachine;
}

export interface BootOptions {
  readonly programs: ClusterPrograms;
  /** The bed's: what it is called is unlike that of any other bed of this machine. */
  readonly directory: string;
  readonly network: BedNetwork;
  /** What has to go is given to it. */
  readonly owner: AsyncDisposableStack;
}

/** Boots so many nodes, one after the other, whose pods reach each other. */
export async function bootNodes(
  options: BootOptions,
  count: number,
  signal: AbortSignal,
): Promise<readonly BootedNode[]> {
  const nodes: BootedNode[] = [];
  for (let number = 1; number <= count; number++) nodes.push(await bootNode(options, number, signal));
  await connectNodes(nodes);
  return nodes;
}

async function bootNode(options: BootOptions, number: number, signal: AbortSignal): Promise<BootedNode> {
  const { programs, network, owner } = options;
  const name = `node${number}`;
  const directory = join(options.directory, name);
  await layOutNode(directory);
  const seat = await network.reserve(name);
  const shown = [...shownPrograms(programs), { source: network.hostsFile, target: '/etc/hosts' }];
  const cgroup = `smalt-bed-${basename(options.directory)}-${name}`;
  const machine = owner.use(await NodeMachine.boot({ name, directory, cgroup, shown }, signal));
  await forgetOrphansSoon(machine.pid);
  await seat.plugIn(machine.pid);
  // Whoever sends to a Service from the node itself needs a way there before kube-proxy gives it another.
  await configureLinks(machine.pid, [`route add ${SERVICE_RANGE} dev eth0`]);
  return { name, number, address: seat.address, machine };
}

function shownPrograms(programs: ClusterPrograms): readonly BindMount[] {
  const { kubelet, proxy, containerd, shim, ctr } = programs;
  const names = { kubelet, 'kube-proxy': proxy, containerd, 'containerd-shim-runc-v2': shim, ctr };
  return Object.entries(names).map(([name, source]) => ({ source, target: NodeMachine.programPath(name) }));
}

/** Tells each node the way to the pods of the others. */
async function connectNodes(nodes: readonly BootedNode[]): Promise<void> {
  for (const { machine, number } of nodes) {
    const others = nodes.filter((each) => each.number !== number);
    if (others.length === 0) continue;
    await configureLinks(
      machine.pid,
      others.map((each) => `route add ${podRange(each.number)} via ${each.address}`),
    );
  }
}
