import type { Disk, GPU, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { changeDevices } from './change-domain.ts';

/** What is not said to be something else is a disk; CD-ROMs are closed and cannot be written. */
export function defaultDisks(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  const { disks, gpus } = spec.domain.devices;
  return changeDevices(spec, {
    ...(disks === undefined ? {} : { disks: disks.map((disk) => withBlockSize(withTarget(disk))) }),
    ...(gpus === undefined ? {} : { gpus: gpus.map(withFrameBuffer) }),
  });
}

function withTarget(disk: Disk): Disk {
  const { cdrom } = disk;
  if (cdrom === undefined) return disk.disk === undefined && disk.lun === undefined ? { ...disk, disk: {} } : disk;
  const tray = cdrom.tray === undefined || cdrom.tray === '' ? 'closed' : cdrom.tray;
  return { ...disk, cdrom: { ...cdrom, readonly: cdrom.readonly ?? true, tray } };
}

function withBlockSize(disk: Disk): Disk {
  const matchVolume = disk.blockSize?.matchVolume;
  if (matchVolume === undefined) return disk;
  return { ...disk, blockSize: { ...disk.blockSize, matchVolume: { enabled: true, ...matchVolume } } };
}

function withFrameBuffer(gpu: GPU): GPU {
  const display = gpu.virtualGPUOptions?.display;
  if (display?.ramFB === undefined) return gpu;
  return { ...gpu, virtualGPUOptions: { display: { ...display, ramFB: { enabled: true, ...display.ramFB } } } };
}
