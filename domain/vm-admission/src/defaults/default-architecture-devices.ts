import type { Disk, VirtualMachineInstanceSpec, Watchdog } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';
import { changeDevices, changeDomain } from './change-domain.ts';

const WATCHDOG_ACTION = 'reset';

/** What differs between architectures: the bus of disks, the watchdog, and the firmware and processor of arm64. */
export function defaultArchitectureDevices(
  spec: VirtualMachineInstanceSpec,
  settings: ClusterSettings,
): VirtualMachineInstanceSpec {
  const { hypervisor = '', architecture = '' } = spec;
  const buses = settings.diskBusByHypervisor;
  const ofDriver = Object.hasOwn(buses, hypervisor) ? buses[hypervisor] : undefined;
  switch (architecture) {
    case 'arm64':
      return withDiskBus(withHostProcessor(withEfi(spec)), ofDriver ?? 'virtio');
    case 's390x':
      return withWatchdog(withDiskBus(spec, ofDriver ?? 'virtio'), 'diag288');
    default:
      // Guests of any kind find a SATA disk without further drivers.
      return withWatchdog(withDiskBus(spec, ofDriver ?? 'sata'), 'i6300esb');
  }
}

function withDiskBus(spec: VirtualMachineInstanceSpec, bus: string): VirtualMachineInstanceSpec {
  const { disks } = spec.domain.devices;
  return disks === undefined ? spec : changeDevices(spec, { disks: disks.map((disk) => diskWithBus(disk, bus)) });
}

function diskWithBus(disk: Disk, bus: string): Disk {
  return {
    ...disk,
    ...(disk.disk === undefined ? {} : { disk: withBus(disk.disk, bus) }),
    ...(disk.cdrom === undefined ? {} : { cdrom: withBus(disk.cdrom, bus) }),
    ...(disk.lun === undefined ? {} : { lun: withBus(disk.lun, bus) }),
  };
}

function withBus<Target extends { readonly bus?: string }>(target: Target, bus: string): Target {
  return target.bus === undefined || target.bus === '' ? { ...target, bus } : target;
}

function withWatchdog(spec: VirtualMachineInstanceSpec, model: 'i6300esb' | 'diag288'): VirtualMachineInstanceSpec {
  const { watchdog } = spec.domain.devices;
  if (watchdog === undefined) return spec;
  const action = watchdog[model]?.action;
  const device = { action: action === undefined || action === '' ? WATCHDOG_ACTION : action };
  const changed: Watchdog = { ...watchdog, [model]: device };
  return changeDevices(spec, { watchdog: changed });
}

function withHostProcessor(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  const { cpu } = spec.domain;
  if (cpu?.model !== undefined && cpu.model !== '') return spec;
  return changeDomain(spec, { cpu: { ...cpu, model: 'host-passthrough' } });
}

function withEfi(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  const { firmware } = spec.domain;
  const bootloader = firmware?.bootloader ?? { efi: {} };
  if (bootloader.efi === undefined) return spec;
  const efi = { secureBoot: false, ...bootloader.efi };
  return changeDomain(spec, { firmware: { ...firmware, bootloader: { ...bootloader, efi } } });
}
