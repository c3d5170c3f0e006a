import { hypervisorOf } from '@smalt/hypervisors';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import type { LauncherSettings } from '@smalt/vm-lifecycle';

import type { VirtControllerSettings } from '../settings/virt-controller-settings.ts';

/** What the pod of an instance depends on: the settings, and what its driver needs. Throws a HypervisorError. */
export function launcherSettingsOf(
  vmi: VirtualMachineInstance,
  settings: VirtControllerSettings,
  blockVolumes: ReadonlySet<string>,
): LauncherSettings {
  const { name, device, overheads, runsPrivileged, libvirt } = hypervisorOf(vmi);
  const { launcherMonitorBytes, launcherBytes, processBytes } = overheads;
  return {
    image: settings.launcherImage,
    imagePullSecrets: settings.launcherPullSecrets,
    ...(settings.launcherPullPolicy === undefined ? {} : { imagePullPolicy: settings.launcherPullPolicy }),
    driver: {
      name,
      device,
      // The libvirtd is that of the node: no pod pays for it.
      overheadBytes: launcherMonitorBytes + launcherBytes + processBytes,
      runsPrivileged,
      // Nodes tell the machine types and processor models of QEMU; other drivers have none.
      emulatesMachine: libvirt.uri.startsWith('qemu:'),
    },
    cpuAllocationRatio: settings.cpuAllocationRatio,
    memoryOvercommitPercent: settings.memoryOvercommitPercent,
    nodeSelector: settings.nodeSelector,
    blockVolumes,
  };
}
