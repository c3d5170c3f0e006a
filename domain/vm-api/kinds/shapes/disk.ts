import { flag, integer, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

import { featureState } from './features.ts';

const customBlockSize: TSchema = shape({
  name: 'CustomBlockSize',
  description: 'The block sizes of a disk.',
  fields: {
    discardGranularity: integer('The least that can be discarded, in bytes.'),
    logical: integer('The block size that the guest uses, in bytes.'),
    physical: integer('The block size that the disk claims to have, in bytes.'),
  },
});

export const blockSize: TSchema = shape({
  name: 'BlockSize',
  description: 'The block size of a disk.',
  fields: {
    custom: of(customBlockSize, 'Sizes of your own.'),
    matchVolume: of(featureState, 'The size of the volume behind it.'),
  },
});

const cdRomTarget: TSchema = shape({
  name: 'CDRomTarget',
  description: 'The guest sees a CD drive.',
  fields: {
    bus: text('`sata`, `scsi` or `virtio`.'),
    readonly: flag('Whether it can only be read; true when not set.'),
    tray: text('`open` or `closed`; closed when not set.'),
  },
});

const diskTarget: TSchema = shape({
  name: 'DiskTarget',
  description: 'The guest sees a disk.',
  fields: {
    bus: text('`virtio`, `sata`, `scsi` or `usb`.'),
    pciAddress: text('Its place on the PCI bus, such as `0000:81:01.10`.'),
    readonly: flag('Whether it can only be read.'),
  },
});

const lunTarget: TSchema = shape({
  name: 'LunTarget',
  description: 'The guest sees a LUN, to which it can send SCSI commands.',
  fields: {
    bus: text('`scsi`, `sata` or `virtio`.'),
    readonly: flag('Whether it can only be read.'),
    reservation: flag('Allow persistent reservations.'),
  },
});

export const disk: TSchema = shape({
  name: 'Disk',
  description: 'A disk of the guest: how it sees the volume of the same name.',
  required: ['name'],
  fields: {
    blockSize: of(blockSize, 'The block size.'),
    bootOrder: integer('Its place in the boot order, from 1; lower ones are tried first.'),
    cache: text('`none`, `writethrough` or `writeback`.'),
    cdrom: of(cdRomTarget, 'The guest sees a CD drive.'),
    changedBlockTracking: flag('Keep track of changed blocks, for backups.'),
    dedicatedIOThread: flag('Give it a thread of its own.'),
    disk: of(diskTarget, 'The guest sees a disk; so too when nothing is set.'),
    errorPolicy: text('What happens on an error: `stop`, `ignore`, `report` or `enospace`.'),
    io: text('`native` or `threads`.'),
    lun: of(lunTarget, 'The guest sees a LUN.'),
    name: text('The name of the volume.'),
    serial: text('The serial number that the guest sees.'),
    shareable: flag('Several virtual machines may write to it.'),
    tag: text('A tag that the guest finds in its metadata.'),
  },
});
