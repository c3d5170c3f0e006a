import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { InstanceNetworks } from '../network/network-plugin.ts';
import type { InstanceVolumes } from '../storage/volume-plugin.ts';
import type { InstanceDirectories } from '../sync/end/instance-directories.ts';

export interface RemainsDeps {
  readonly directories: Pick<InstanceDirectories, 'pathOf' | 'remove'>;
  readonly volumes: Pick<InstanceVolumes, 'release'>;
  readonly networks: Pick<InstanceNetworks, 'disconnect'>;
}

/** Takes back all that an instance has on this node, where its guest surely is not. */
export async function clearRemains(
  { directories, volumes, networks }: RemainsDeps,
  instance: VirtualMachineInstance,
  signal: AbortSignal,
): Promise<void> {
  await networks.disconnect(instance, signal);
  await volumes.release({ instance, directory: directories.pathOf(instance) }, signal);
  await directories.remove(instance.metadata.uid ?? '');
}
