import { readFile } from 'node:fs/promises';
import { arch, networkInterfaces, release } from 'node:os';

import { architectureName, type NodeFacts } from './node-object.ts';
import { nodeQuantities, readNodeResources, type Reservation } from './node-resources.ts';

export interface NodeSettings extends Reservation {
  readonly nodeName: string;
  readonly address: string;
  readonly podsDirectory: string;
  /** What the node has, where that is not what the machine has. */
  readonly capacity: Readonly<Record<string, string>> | undefined;
}

/** Looks at the machine and makes facts of it. */
export async function readNodeFacts(settings: NodeSettings): Promise<NodeFacts> {
  const { nodeName, address, podsDirectory, capacity } = settings;
  const measured = nodeQuantities(await readNodeResources(podsDirectory), settings);
  const [machineId, bootId, osRelease] = await Promise.all([
    readWord('/etc/machine-id'),
    readWord('/proc/sys/kernel/random/boot_id'),
    readFile('/etc/os-release', 'utf8').catch(() => ''),
  ]);
  return {
    nodeName,
    address,
    architecture: architectureName(arch()),
    kernelVersion: release(),
    machineId,
    bootId,
    osImage: /^PRETTY_NAME="?([^"\n]*)/m.exec(osRelease)?.[1] ?? 'Linux',
    capacity: { ...measured.capacity, ...capacity },
    allocatable: { ...measured.allocatable, ...capacity },
  };
}

/** The first address of this machine that others can reach, else that of the loopback. */
export function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
}

async function readWord(path: string): Promise<string> {
  return (await readFile(path, 'utf8').catch(() => '')).trim();
}
