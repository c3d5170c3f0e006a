import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { judge } from '../../fixtures/judge.ts';
import { invalid, notSupported } from '../../cause.ts';
import { devices, withDisk, withInterface } from '../../fixtures/small-instance.ts';

const LIST = 'spec.domain.devices.disks';
const FIRST = `${LIST}[0]`;
const virtio = { disk: { bus: 'virtio' } };

describe('the rules about disks', () => {
  it.each([
    {
      rule: 'disks have different names',
      bad: {
        ...devices({ disks: [{ name: 'root' }, { name: 'root' }] }),
        volumes: [{ name: 'root', emptyDisk: { capacity: '1Gi' } }],
      },
      causes: [invalid(`${LIST}[1].name`, `${LIST}[1] and ${LIST}[0] must not have the same Name.`)],
      good: withDisk({}),
    },
    {
      rule: 'a disk is one kind of device',
      bad: withDisk({ disk: {}, lun: {} }),
      causes: [invalid(FIRST, `${FIRST} can only have a single target type defined`)],
      good: withDisk({ lun: {} }),
    },
    {
      rule: 'a PCI address is for virtio',
      bad: withDisk({ disk: { bus: 'scsi', pciAddress: '0000:05:00.0' } }),
      causes: [
        invalid(
          `${FIRST}.disk.pciAddress`,
          `disk ${FIRST}.name - setting a PCI address is only possible with bus type virtio.`,
        ),
      ],
      good: withDisk({ disk: { bus: 'virtio', pciAddress: '0000:05:00.0' } }),
    },
    {
      rule: 'a PCI address is one',
      bad: withDisk({ disk: { bus: 'virtio', pciAddress: '0000:80.10.1' } }),
      causes: [invalid(`${FIRST}.disk.pciAddress`, `disk ${FIRST}.name has malformed PCI address (0000:80.10.1).`)],
      good: withDisk({ disk: { bus: 'virtio', pciAddress: 'ABCD:ef:01.7' } }),
    },
    {
      rule: 'a boot order begins at one',
      bad: withDisk({ bootOrder: 0 }),
      causes: [invalid(`${FIRST}.bootOrder`, `${FIRST} must have a boot order > 0, if supplied`)],
      good: withDisk({ bootOrder: 1 }),
    },
    {
      rule: 'the boot order of an interface begins at one',
      bad: withInterface({ bootOrder: 0 }),
      causes: [
        invalid(
          'spec.domain.devices.interfaces[0].bootOrder',
          'spec.domain.devices.interfaces[0] must have a boot order > 0, if supplied',
        ),
      ],
      good: withInterface({ bootOrder: 1 }),
    },
    {
      rule: 'a place in the boot order is taken once',
      bad: bootingTwice(1),
      causes: [
        invalid(
          'spec.domain.devices.interfaces[0].bootOrder',
          'Boot order for spec.domain.devices.interfaces[0].bootOrder already set for a different device.',
        ),
      ],
      good: bootingTwice(2),
    },
    {
      rule: 'there is no IDE',
      bad: withDisk({ disk: { bus: 'ide' } }),
      causes: [invalid(`${FIRST}.disk.bus`, 'IDE bus is not supported')],
      good: withDisk({ disk: { bus: 'usb' } }),
    },
    {
      rule: 'a CD-ROM is not on virtio',
      bad: withDisk({ cdrom: { bus: 'virtio' } }),
      causes: [invalid(`${FIRST}.cdrom.bus`, 'Bus type virtio is invalid for CD-ROM device')],
      good: withDisk({ cdrom: { bus: 'sata' } }),
    },
    {
      rule: 'a disk on SATA can be written',
      bad: withDisk({ disk: { bus: 'sata', readonly: true } }),
      causes: [invalid(`${FIRST}.disk.bus`, 'sata hard-disks do not support read-only.')],
      good: withDisk({ disk: { bus: 'scsi', readonly: true } }),
    },
    {
      rule: 'a bus is known',
      bad: withDisk({ lun: { bus: 'nvme' } }),
      causes: [
        invalid(
          `${FIRST}.lun.bus`,
          `${FIRST} is set with an unrecognized bus nvme, must be one of: [virtio scsi sata usb]`,
        ),
      ],
      good: withDisk({ lun: { bus: 'scsi' } }),
    },
    {
      rule: 'a thread of its own is for virtio',
      bad: withDisk({ disk: { bus: 'sata' }, dedicatedIOThread: true }),
      causes: [notSupported(FIRST, 'IOThreads are not supported for disks on a sata bus')],
      good: withDisk({ ...virtio, dedicatedIOThread: true }),
    },
    {
      rule: 'a serial number has plain characters',
      bad: withDisk({ serial: 'a b' }),
      causes: [
        invalid(
          `${FIRST}.serial`,
          `${FIRST} must be made up of the following characters [A-Za-z0-9_.+-], if specified`,
        ),
      ],
      good: withDisk({ serial: 'a_b.+-1' }),
    },
    {
      rule: 'a serial number is not too long',
      bad: withDisk({ serial: 'a'.repeat(257) }),
      causes: [invalid(`${FIRST}.serial`, `${FIRST} must be less than or equal to 256 in length, if specified`)],
      good: withDisk({ serial: 'a'.repeat(256) }),
    },
    {
      rule: 'a cache mode is known',
      bad: withDisk({ cache: 'unsafe' }),
      causes: [invalid(`${FIRST}.cache`, `${FIRST}.cache has invalid value unsafe`)],
      good: withDisk({ cache: 'writeback' }),
    },
    {
      rule: 'an I/O mode is known',
      bad: withDisk({ io: 'uring' }),
      causes: [
        notSupported(`${FIRST}.io`, `Disk IO mode for ${LIST} is not supported. Supported modes are: native, threads.`),
      ],
      good: withDisk({ io: 'native' }),
    },
    {
      rule: 'an error policy is known',
      bad: withDisk({ errorPolicy: 'cry' }),
      causes: [invalid(`${FIRST}.errorPolicy`, `${FIRST}.errorPolicy has invalid value "cry"`)],
      good: withDisk({ errorPolicy: 'enospace' }),
    },
    {
      rule: 'a name can be that of a container',
      bad: withDisk({ name: 'a.b' }),
      causes: [invalid(`${FIRST}.name`, 'must not contain dots')],
      good: withDisk({ name: 'a-b' }),
    },
  ])('$rule', ({ bad, causes, good }) => {
    expect(judge(bad)).toEqual(causes);
    expect(judge(good)).toEqual([]);
  });
});

function bootingTwice(order: number): VirtualMachineInstanceSpec {
  const disk = withDisk({ bootOrder: 1 });
  const nic = withInterface({ bootOrder: order });
  return {
    ...nic,
    ...disk,
    domain: { ...disk.domain, devices: { ...nic.domain.devices, ...disk.domain.devices } },
    networks: nic.networks ?? [],
  };
}
