import type { Disk, DomainSpec, VirtualMachineInstanceSpec } from '@smalt/vm-api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { DomainContext } from '../domain-context.ts';
import type { DomainVolume } from '../domain-volume.ts';
import { isFaultOfInstance } from '../domain-xml-error.ts';
import { anInput, anInstance } from '../fixtures/an-instance.ts';
import { printStep } from '../fixtures/print-step.ts';
import { disksStep } from './disks-step.ts';
import { planIoThreads } from './plan-io-threads.ts';
import { lettersOf, TargetNames } from './target-names.ts';

describe('a disk', () => {
  it('says where its bytes are, how they are read and by which name it is known', () => {
    const backing = { source: { kind: 'file', path: '/base' }, format: 'raw' } as const;
    const overlay = { ...volume('root'), format: 'qcow2', backing: { ...backing, backing } } as const;

    expect(print({ name: 'root', disk: { bus: 'virtio' } }, overlay)).toBe(
      "<disk type='file' device='disk' model='virtio-non-transitional'>" +
        "<driver name='qemu' type='qcow2' cache='none' error_policy='stop' discard='unmap'/><source file='/root'/>" +
        "<backingStore type='file'><format type='raw'/><source file='/base'/><backingStore type='file'>" +
        "<format type='raw'/><source file='/base'/><backingStore/></backingStore></backingStore>" +
        "<target dev='vda' bus='virtio'/><alias name='ua-disk-root'/></disk>",
    );
  });

  it.each([
    [{}, {}, "cache='none'"],
    [{}, { supportsDirectIo: false }, "cache='writethrough'"],
    [{ cache: 'writeback' }, {}, "cache='writeback'"],
    [{}, { isPreallocated: true }, "io='native'"],
    [{}, { source: { kind: 'block', path: '/dev/x' } }, "io='native'"],
    [{ io: 'threads' }, { isPreallocated: true }, "io='threads'"],
    [{ io: 'native' }, {}, "io='native'"],
    [{ errorPolicy: 'report' }, {}, "error_policy='report'"],
    [{ shareable: true }, {}, '<shareable/>'],
    [{ serial: "a'b" }, {}, '<serial>a&apos;b</serial>'],
    [{ bootOrder: 2 }, {}, "<boot order='2'/>"],
    [{}, { isReadOnly: true }, '<readonly/>'],
    [{ disk: { readonly: true } }, {}, '<readonly/>'],
    [{ disk: {} }, {}, "<target dev='sda' bus='sata'/>"],
    [{ disk: { bus: 'scsi' } }, {}, "<address type='drive' controller='0' bus='0' target='0' unit='0'/>"],
    [{ disk: { bus: 'virtio', pciAddress: '0000:00:10.0' } }, {}, "slot='0x10'"],
    [{ cdrom: {} }, {}, "device='cdrom'"],
    [{ cdrom: { bus: 'sata', tray: 'open' } }, {}, "<target dev='sda' bus='sata' tray='open'/><readonly/>"],
    [{ lun: { bus: 'scsi' } }, { source: { kind: 'block', path: '/dev/x' } }, "device='lun'"],
    [
      { lun: { bus: 'scsi', reservation: true } },
      { source: { kind: 'block', path: '/dev/x' } },
      "<source dev='/dev/x'><reservations managed='yes'/></source>",
    ],
    [
      { blockSize: { custom: { logical: 512, physical: 4096, discardGranularity: 8192 } } },
      {},
      "<blockio logical_block_size='512' physical_block_size='4096' discard_granularity='8192'/>",
    ],
    [
      { blockSize: { matchVolume: {} } },
      { blockSize: { logical: 4096, physical: 4096 } },
      "<blockio logical_block_size='4096' physical_block_size='4096'/>",
    ],
  ] as const)('%o on %o has %s', (disk, parts, expected) => {
    expect(print({ name: 'a', ...disk }, { ...volume('a'), ...parts })).toContain(expected);
  });

  it.each([
    [{}, { isPreallocated: true }, 'discard'],
    [{ cdrom: {} }, {}, 'discard'],
    [{ cdrom: { readonly: false } }, {}, '<readonly/>'],
    [{ blockSize: { matchVolume: { enabled: false } } }, {}, 'blockio'],
    [{ dedicatedIOThread: true, disk: { bus: 'sata' } }, {}, 'iothread'],
  ] as const)('%o on %o does not have %s', (disk, parts, unwanted) => {
    expect(print({ name: 'a', ...disk }, { ...volume('a'), ...parts })).not.toContain(unwanted);
  });

  it.each([
    [{ disk: { bus: 'ide' } }, {}, 'invalid-field', 'spec.domain.devices.disks[0].disk.bus: there is no bus "ide"'],
    [{ cache: 'none' }, { supportsDirectIo: false }, 'unsupported-by-node', 'disks[0].cache: the volume "a" lies on'],
    [{ io: 'native' }, { supportsDirectIo: false }, 'unsupported-by-node', 'disks[0].io: native I/O needs'],
    [{ lun: {} }, {}, 'unsupported-by-node', 'disks[0].lun: a LUN needs a block device'],
    [
      {},
      { source: { kind: 'directory', path: '/d' } },
      'unsupported-by-node',
      'name it in spec.domain.devices.filesystems',
    ],
    [{ blockSize: { matchVolume: {} } }, {}, 'unsupported-by-node', 'disks[0].blockSize.matchVolume: the block size'],
    [{ disk: { pciAddress: 'x' } }, {}, 'invalid-field', 'disks[0].disk.pciAddress: "x" is no PCI address'],
  ] as const)('%o on %o is refused', (disk, parts, code, message) => {
    expect(() => print({ name: 'a', ...disk }, { ...volume('a'), ...parts })).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });
});

describe('disks', () => {
  it('are named by their bus, in the order of the instance', () => {
    const buses = ['virtio', 'sata', 'virtio', 'scsi', 'usb'];
    const disks = buses.map((bus, index) => ({ name: `d${index}`, disk: { bus } }));

    const elements = printAll({ devices: { disks } }, { volumes: disks.map(({ name }) => volume(name)) });

    expect(elements.map((text) => /dev='(\w+)'/.exec(text)?.[1])).toEqual(['vda', 'sda', 'vdb', 'sdb', 'sdc']);
  });

  it('without a volume are empty drives, or plugged in later, or a mistake', () => {
    const spec = { volumes: [{ name: 'later', dataVolume: { name: 'x', hotpluggable: true } }, { name: 'slow' }] };
    const printOne = (disk: Disk): readonly string[] => printAll({ devices: { disks: [disk] } }, {}, spec);

    expect(printOne({ name: 'none', cdrom: {} })[0]).not.toContain('<source');
    expect(printOne({ name: 'later' })).toEqual([]);
    expect(() => printOne({ name: 'none' })).toThrow('there is no volume "none"; add it to spec.volumes');
    expect(() => printOne({ name: 'slow' })).toThrow('the volume "slow" is not on the node yet');
  });

  it('tell mistakes of the instance from those of the node', () => {
    const errors = [{ name: 'none' }, { name: 'slow' }].map((disk) =>
      caught(() => printAll({ devices: { disks: [disk] } }, {}, { volumes: [{ name: 'slow' }] })),
    );

    expect(errors.map(isFaultOfInstance)).toEqual([true, false]);
  });

  it('get a queue per processor when asked for', () => {
    const domain = {
      cpu: { cores: 4 },
      devices: { blockMultiQueue: true, disks: [{ name: 'a', disk: { bus: 'virtio' } }] },
    };

    expect(printAll(domain, { volumes: [volume('a')] })[0]).toContain("queues='4'");
  });

  it('of a shielded guest do not reach into its memory', () => {
    const domain = { launchSecurity: { sev: {} }, devices: { disks: [{ name: 'a', disk: { bus: 'virtio' } }] } };

    expect(printAll(domain, { volumes: [volume('a')] })[0]).toContain("iommu='on'");
  });
});

describe('names of disks', () => {
  it.each([
    [0, 'a'],
    [25, 'z'],
    [26, 'aa'],
    [701, 'zz'],
    [702, 'aaa'],
  ])('%i is %s', (index, letters) => {
    expect(lettersOf(index)).toBe(letters);
  });

  it('are never given out twice', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('virtio', 'sata', 'scsi', 'usb'), { maxLength: 256 }), (buses) => {
        const names = new TargetNames();

        expect(new Set(buses.map((bus) => names.next(bus).name)).size).toBe(buses.length);
      }),
    );
  });
});

describe('threads for disks', () => {
  it.each([
    ['none without a policy', {}, [virtio('a')], 0, [[]]],
    ['one for all', { ioThreadsPolicy: 'shared' }, [virtio('a'), virtio('b')], 1, [[1], [1]]],
    ['one of its own without a policy', {}, [virtio('a'), virtio('b', true)], 1, [[], [1]]],
    [
      'one of its own beside the shared',
      { ioThreadsPolicy: 'shared' },
      [virtio('a', true), virtio('b')],
      2,
      [[2], [1]],
    ],
    ['two per processor', { ioThreadsPolicy: 'auto' }, [virtio('a'), virtio('b'), virtio('c')], 2, [[1], [2], [1]]],
    [
      'a pool',
      { ioThreadsPolicy: 'supplementalPool', ioThreads: { supplementalPoolThreadCount: 2 } },
      [virtio('a')],
      2,
      [[1, 2]],
    ],
    ['none for other buses', { ioThreadsPolicy: 'shared' }, [{ name: 'a', disk: { bus: 'sata' } }], 0, [[]]],
  ])('%s', (...[, domain, disks, count, threads]) => {
    const plan = planIoThreads(anInstance({ ...domain, devices: { disks } }));

    expect([plan.count, disks.map(({ name }) => plan.threadsOf(name))]).toEqual([count, threads]);
  });

  it('of a pool are all named', () => {
    const domain = {
      ioThreadsPolicy: 'supplementalPool',
      ioThreads: { supplementalPoolThreadCount: 2 },
      devices: { disks: [virtio('a')] },
    };

    expect(printAll(domain, { volumes: [volume('a')] })[0]).toContain(
      "<iothreads><iothread id='1'/><iothread id='2'/></iothreads></driver>",
    );
  });
});

function virtio(name: string, dedicatedIOThread = false): Disk {
  return { name, disk: { bus: 'virtio' }, dedicatedIOThread };
}

function volume(name: string): DomainVolume {
  return { name, source: { kind: 'file', path: `/${name}` }, format: 'raw', supportsDirectIo: true };
}

function print(disk: Disk, on: DomainVolume): string {
  return printAll({ devices: { disks: [disk] } }, { volumes: [on] })[0] ?? '';
}

function printAll(
  domain: Partial<DomainSpec>,
  context: Partial<DomainContext>,
  spec: Partial<VirtualMachineInstanceSpec> = {},
): readonly string[] {
  return printStep(disksStep, anInput(anInstance(domain, spec), context));
}

function caught(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
