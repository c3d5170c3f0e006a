import type { VirtualMachineInstance } from '@smalt/vm-api';
import { element } from '@smalt/xml';

import { planDiskTarget } from '../disks/disk-target.ts';
import { planIoThreads } from '../disks/plan-io-threads.ts';
import { deviceStep, type DomainInput, type DomainStep } from '../domain-step.ts';
import { architectureOf } from '../shape/architecture.ts';
import { hasGraphics } from '../shape/has-graphics.ts';
import { virtioGuard, virtioModel } from '../shape/virtio-model.ts';

/** The controllers that devices hang on: USB only where it is used, SCSI also for disks that are plugged in later. */
export const controllersStep: DomainStep = deviceStep('controllers', (input) => {
  const model = virtioModel(input);
  const { iommu } = virtioGuard(input);
  const guard = iommu === undefined ? [] : [element('driver', { iommu })];
  return [
    element('controller', { type: 'usb', index: 0, model: usesUsb(input) ? 'qemu-xhci' : 'none' }),
    ...(usesScsi(input)
      ? [element('controller', { type: 'scsi', index: 0, model: scsiModel(model) }, scsiDriver(input))]
      : []),
    element('controller', { type: 'virtio-serial', index: 0, model }, guard),
  ];
});

function scsiModel(model: string): string {
  return model === 'virtio' ? 'virtio-scsi' : model;
}

function scsiDriver(input: DomainInput): readonly ReturnType<typeof element>[] {
  const { iommu } = virtioGuard(input);
  const iothread =
    input.instance.spec.domain.ioThreadsPolicy && planIoThreads(input.instance).count > 0 ? 1 : undefined;
  return iommu === undefined && iothread === undefined ? [] : [element('driver', { iothread, iommu })];
}

function usesScsi(input: DomainInput): boolean {
  const { devices } = input.instance.spec.domain;
  return devices.disableHotplug !== true || isOnBus(input, 'scsi');
}

function usesUsb(input: DomainInput): boolean {
  const { devices } = input.instance.spec.domain;
  const inputs = devices.inputs ?? [];
  const hasUsbInput = inputs.some(({ bus }) => bus !== 'virtio') || needsUsbInput(input.instance);
  return hasUsbInput || devices.clientPassthrough !== undefined || isOnBus(input, 'usb') || hasUsbDevice(input);
}

function needsUsbInput(instance: VirtualMachineInstance): boolean {
  return architectureOf(instance).name === 'arm64' && hasGraphics(instance);
}

function hasUsbDevice({ context }: DomainInput): boolean {
  return context.hostDevices.some(({ kind }) => kind === 'usb');
}

function isOnBus(input: DomainInput, bus: string): boolean {
  const disks = input.instance.spec.domain.devices.disks ?? [];
  return disks.some((disk, index) => planDiskTarget(disk, input, `spec.domain.devices.disks[${index}]`).bus === bus);
}
