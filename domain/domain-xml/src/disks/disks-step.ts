import type { Disk } from '@smalt/vm-api';
import { element, type XmlElement } from '@smalt/xml';

import { aliasElement } from '../device-alias.ts';
import { deviceStep, type DomainInput, type DomainStep } from '../domain-step.ts';
import type { DomainVolume } from '../domain-volume.ts';
import { DomainXmlError } from '../domain-xml-error.ts';
import { bootOrderOf } from '../shape/boot-order.ts';
import { pciAddress } from '../shape/pci-address.ts';
import { virtioModel } from '../shape/virtio-model.ts';
import { blockSize } from './block-size.ts';
import { diskDriver } from './disk-driver.ts';
import { backingStore, diskSource, type DiskSource } from './disk-source.ts';
import { planDiskTarget, type DiskTargetPlan } from './disk-target.ts';
import { findVolume } from './find-volume.ts';
import { TargetNames } from './target-names.ts';

/** Disks, CD drives and LUNs, in the order of the instance. */
export const disksStep: DomainStep = deviceStep('disks', (input) => {
  const names = new TargetNames();
  const order = bootOrderOf(input);
  return (input.instance.spec.domain.devices.disks ?? []).flatMap((disk, index) => {
    const field = `spec.domain.devices.disks[${index}]`;
    const target = planDiskTarget(disk, input, field);
    const name = names.next(target.bus);
    const volume = volumeOf(disk, target, input, field);
    if (volume === 'later') return [];
    return [diskElement({ input, disk, target, volume, field, name, bootOrder: order('disk', disk.name) })];
  });
});

interface DiskParts {
  readonly input: DomainInput;
  readonly disk: Disk;
  readonly target: DiskTargetPlan;
  readonly volume: DomainVolume | undefined;
  readonly field: string;
  readonly name: { readonly name: string; readonly index: number };
  readonly bootOrder: number | undefined;
}

function diskElement(parts: DiskParts): XmlElement {
  const { input, disk, target, volume, field, name, bootOrder } = parts;
  const source = volume && diskSource(volume, field);
  checkLun(parts, source);
  const model = target.bus === 'virtio' && input.style.hasVirtioGenerations ? virtioModel(input) : undefined;
  return element('disk', { type: source?.type ?? 'file', device: target.device, model }, [
    diskDriver(parts),
    source && element('source', source.attributes, reservations(parts)),
    backingStore(volume?.backing),
    element('target', { dev: name.name, bus: target.bus, tray: target.tray }),
    blockSize(disk, volume, field),
    target.isReadOnly || volume?.isReadOnly === true ? element('readonly') : undefined,
    disk.shareable === true ? element('shareable') : undefined,
    disk.serial === undefined ? undefined : element('serial', {}, [disk.serial]),
    bootOrder === undefined ? undefined : element('boot', { order: bootOrder }),
    aliasElement('disk', disk.name),
    address(parts),
  ]);
}

/** The volume of a disk; nothing for an empty CD drive, `later` for one that is plugged in once it is there. */
function volumeOf(
  { name }: Disk,
  { device }: DiskTargetPlan,
  { instance, context }: DomainInput,
  field: string,
): DomainVolume | undefined | 'later' {
  const found = findVolume(context, name);
  if (found) return found;
  const asked = instance.spec.volumes?.find((volume) => volume.name === name);
  if (!asked && device === 'cdrom') return undefined;
  if (asked?.persistentVolumeClaim?.hotpluggable === true || asked?.dataVolume?.hotpluggable === true) return 'later';
  const message = asked
    ? `the volume "${name}" is not on the node yet; look at the status of what it comes from`
    : `there is no volume "${name}"; add it to spec.volumes`;
  throw new DomainXmlError(asked ? 'missing-volume' : 'invalid-field', message, { field: `${field}.name` });
}

function checkLun({ target, volume, field }: DiskParts, source: DiskSource | undefined): void {
  if (target.device !== 'lun' || source?.type === 'block') return;
  const message = `a LUN needs a block device, and the volume "${volume?.name}" is a file; use disk, or a claim with volumeMode Block`;
  throw new DomainXmlError('unsupported-by-node', message, { field: `${field}.lun` });
}

function reservations({ disk, input }: DiskParts): readonly XmlElement[] {
  if (disk.lun?.reservation !== true) return [];
  const path = input.context.paths.reservationHelper;
  if (path === undefined) return [element('reservations', { managed: 'yes' })];
  return [element('reservations', { managed: 'no' }, [element('source', { type: 'unix', path, mode: 'client' })])];
}

function address({ target, field, name }: DiskParts): XmlElement | undefined {
  if (target.pciAddress !== undefined) return pciAddress(target.pciAddress, `${field}.disk.pciAddress`);
  if (target.bus !== 'scsi') return undefined;
  // All on the first controller: the one that disks are plugged into later.
  return element('address', { type: 'drive', controller: 0, bus: 0, target: 0, unit: name.index });
}
