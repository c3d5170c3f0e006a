import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { PodKeeper } from '../pods/pod-keeper.ts';
import { DEFAULT_MACHINE_DIRECTORY } from '../virt-handler-options.ts';

/** Where a kubelet keeps its state unless it was told otherwise. */
const KUBELET_DIRECTORY = '/var/lib/kubelet';

export interface CpuManagerPlaces {
  /** Who runs the pods of the node: what another has left there does not count. */
  readonly keeper: Exclude<PodKeeper, 'auto'>;
  readonly podsDirectory: string;
  readonly devicePlugins: string | undefined;
  /** Where the files of the machine are, as seen from here; those of its first process if not given. */
  readonly machineDirectory?: string | undefined;
}

/** Where a kubelet keeps its state that has its sockets for device plugins there. */
export function kubeletDirectoryOf(devicePlugins: string | undefined): string {
  return devicePlugins === undefined ? KUBELET_DIRECTORY : dirname(devicePlugins);
}

/** Whether pods of this node can have processors to themselves; undefined where a kubelet does not show it. */
export async function hasStaticCpuManager(places: CpuManagerPlaces): Promise<boolean | undefined> {
  const { keeper, podsDirectory, devicePlugins, machineDirectory = DEFAULT_MACHINE_DIRECTORY } = places;
  // A kubelet replaces the file when it writes it, so a mount of it would show an old one: it is read where the machine has it.
  const directory = keeper === 'kubelet' ? join(machineDirectory, kubeletDirectoryOf(devicePlugins)) : podsDirectory;
  const text = await readFile(join(directory, 'cpu_manager_state'), 'utf8').catch(() => undefined);
  if (text === undefined) return keeper === 'kubelet' ? undefined : false;
  return /"policyName"\s*:\s*"static"/u.test(text);
}
