import type {
  VirtualMachineInstanceSpec,
  VirtualMachineInstancetypeSpec,
  VirtualMachinePreferenceSpec,
} from '@smalt/vm-api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { expandTemplate, type Expansion } from '../expand-template.ts';

const MEDIUM: VirtualMachineInstancetypeSpec = { cpu: { guest: 4 }, memory: { guest: '2Gi' } };

describe('a preference', () => {
  it.each<[string, VirtualMachinePreferenceSpec, readonly [number, number, number]]>([
    ['sockets', { cpu: { preferredCPUTopology: 'sockets' } }, [8, 1, 1]],
    ['any', { cpu: { preferredCPUTopology: 'any' } }, [8, 1, 1]],
    ['cores', { cpu: { preferredCPUTopology: 'cores' } }, [1, 8, 1]],
    ['threads, by the word of before', { cpu: { preferredCPUTopology: 'preferThreads' } }, [1, 1, 8]],
    ['a spread', { cpu: { preferredCPUTopology: 'spread' } }, [4, 2, 1]],
    ['a wider spread', { cpu: { preferredCPUTopology: 'spread' }, preferSpreadSocketToCoreRatio: 4 }, [2, 4, 1]],
    [
      'a spread over threads',
      { cpu: { preferredCPUTopology: 'spread', spreadOptions: { across: 'CoresThreads' } } },
      [1, 4, 2],
    ],
    [
      'a spread over all',
      { cpu: { preferredCPUTopology: 'spread', spreadOptions: { across: 'SocketsCoresThreads', ratio: 4 } } },
      [1, 4, 2],
    ],
  ])('makes eight processors %s', (_what, preference, [sockets, cores, threads]) => {
    const instancetype = { ...MEDIUM, cpu: { guest: 8 } };

    expect(specOf(expand({}, { instancetype, preference }))?.domain.cpu).toEqual({ sockets, cores, threads });
  });

  it('refuses a number of processors that cannot be spread', () => {
    const preference = { cpu: { preferredCPUTopology: 'spread' } };

    expect(expand({}, { instancetype: { ...MEDIUM, cpu: { guest: 3 } }, preference })).toMatchObject({
      kind: 'conflict',
      causes: [{ field: 'instancetype.spec.cpu.guest', message: expect.stringContaining('3 vCPUs') }],
    });
  });

  it('fills in what disks do not say, each by what it is', () => {
    const devices = {
      preferredDiskBus: 'virtio',
      preferredCdromBus: 'scsi',
      preferredLunBus: 'scsi',
      preferredDiskCache: 'none',
      preferredDiskIO: 'native',
      preferredDiskDedicatedIoThread: true,
      preferredDiskBlockSize: { matchVolume: {} },
    };
    const disks = [
      { name: 'open' },
      { name: 'own', disk: { bus: 'sata' }, cache: 'writeback' },
      { name: 'cd', cdrom: {} },
      { name: 'lun', lun: {} },
    ];

    const spec = specOf(expand({ domain: { devices: { disks } } }, { preference: { devices } }));

    const all = { io: 'native', blockSize: { matchVolume: {} } };
    expect(spec?.domain.devices.disks).toEqual([
      { name: 'open', disk: { bus: 'virtio' }, cache: 'none', dedicatedIOThread: true, ...all },
      { name: 'own', disk: { bus: 'sata' }, cache: 'writeback', ...all },
      { name: 'cd', cdrom: { bus: 'scsi' } },
      { name: 'lun', lun: { bus: 'scsi' } },
    ]);
  });

  it('holds for disks, cards and input devices that come by themselves', () => {
    const devices = {
      preferredDiskBus: 'virtio',
      preferredInterfaceModel: 'e1000',
      preferredAutoattachInputDevice: true,
      preferredInputBus: 'virtio',
      preferredInputType: 'tablet',
    };
    const volumes = [{ name: 'root', emptyDisk: { capacity: '1Gi' } }];

    const spec = specOf(expand({ volumes }, { preference: { devices } }));

    expect(spec).toMatchObject({
      networks: [{ name: 'default', pod: {} }],
      domain: {
        devices: {
          disks: [{ name: 'root', disk: { bus: 'virtio' } }],
          interfaces: [{ name: 'default', masquerade: {}, model: 'e1000' }],
          inputs: [{ name: 'default-0', bus: 'virtio', type: 'tablet' }],
        },
      },
    });
  });

  it('connects cards of the pod network that are not connected', () => {
    const interfaces = [{ name: 'a' }, { name: 'b', bridge: {} }, { name: 'c' }];
    const networks = [
      { name: 'a', pod: {} },
      { name: 'b', pod: {} },
      { name: 'c', multus: { networkName: 'c' } },
    ];
    const preference = { devices: { preferredInterfaceMasquerade: {} } };

    const spec = specOf(expand({ networks, domain: { devices: { interfaces } } }, { preference }));

    expect(spec?.domain.devices.interfaces).toEqual([{ name: 'a', masquerade: {} }, ...interfaces.slice(1)]);
  });

  it('fills in single devices, and gives no sound card to who has none', () => {
    const devices = {
      preferredRng: {},
      preferredTPM: { persistent: true },
      preferredVideoType: 'vga',
      preferredSoundModel: 'ac97',
      preferredPanicDeviceModel: 'pvpanic',
      preferredUseVirtioTransitional: true,
      preferredDisableHotplug: true,
    };

    const spec = specOf(expand({ domain: { devices: { disableHotplug: false } } }, { preference: { devices } }));

    expect(spec?.domain.devices).toMatchObject({
      rng: {},
      tpm: { persistent: true },
      video: { type: 'vga' },
      panicDevices: [{ model: 'pvpanic' }],
      useVirtioTransitional: true,
      disableHotplug: false,
    });
    expect(spec?.domain.devices.sound).toBeUndefined();
  });

  it.each<[string, VirtualMachineInstanceSpec['domain']['firmware'], VirtualMachinePreferenceSpec['firmware'], object]>(
    [
      ['UEFI', undefined, { preferredEfi: { secureBoot: true } }, { efi: { secureBoot: true } }],
      [
        'UEFI by the fields of before',
        undefined,
        { preferredUseEfi: true, preferredUseSecureBoot: true },
        { efi: { secureBoot: true } },
      ],
      [
        'the classic one first',
        undefined,
        { preferredUseBios: true, preferredUseBiosSerial: true, preferredEfi: {} },
        { bios: { useSerial: true } },
      ],
      ['what the machine says', { bootloader: { bios: {} } }, { preferredEfi: {} }, { bios: {} }],
    ],
  )('boots by %s', (_what, firmware, preferred, bootloader) => {
    const preference: VirtualMachinePreferenceSpec = preferred === undefined ? {} : { firmware: preferred };

    const spec = specOf(
      expand({ domain: { devices: {}, ...(firmware === undefined ? {} : { firmware }) } }, { preference }),
    );

    expect(spec?.domain.firmware?.bootloader).toEqual(bootloader);
  });

  it('fills in the clock, features, the machine and the rest of the spec', () => {
    const preference: VirtualMachinePreferenceSpec = {
      clock: { preferredClockOffset: { utc: {} }, preferredTimer: { hpet: { present: false } } },
      cpu: { preferredCPUFeatures: [{ name: 'vmx' }, { name: 'pcid' }] },
      features: { preferredSmm: {}, preferredHyperv: { relaxed: {}, vapic: {} }, preferredAcpi: { enabled: false } },
      machine: { preferredMachineType: 'pc-q35-9.2' },
      preferredSubdomain: 'here',
      preferredTerminationGracePeriodSeconds: 5,
      preferredArchitecture: 'arm64',
      preferredLaunchSecurity: { sev: {} },
    };
    const domain = {
      clock: { timezone: 'Europe/Berlin' },
      cpu: { features: [{ name: 'vmx', policy: 'disable' }] },
      features: { acpi: {}, hyperv: { vapic: { enabled: false } } },
      devices: {},
    };

    expect(specOf(expand({ domain }, { preference }))).toMatchObject({
      subdomain: 'here',
      terminationGracePeriodSeconds: 5,
      architecture: 'arm64',
      domain: {
        clock: { timezone: 'Europe/Berlin', timer: { hpet: { present: false } } },
        cpu: { features: [{ name: 'vmx', policy: 'disable' }, { name: 'pcid' }] },
        features: { acpi: {}, smm: {}, hyperv: { relaxed: {}, vapic: { enabled: false } } },
        machine: { type: 'pc-q35-9.2' },
        launchSecurity: { sev: {} },
      },
    });
  });

  it('changes nothing that a machine says', () => {
    fc.assert(
      fc.property(fc.constantFrom('sata', 'virtio', 'scsi'), fc.nat(600), fc.boolean(), (bus, seconds, flag) => {
        const said = {
          terminationGracePeriodSeconds: seconds,
          domain: { devices: { blockMultiQueue: flag, disks: [{ name: 'root', disk: { bus } }] } },
        };
        const preference = {
          preferredTerminationGracePeriodSeconds: 7,
          devices: { preferredBlockMultiQueue: !flag, preferredDiskBus: 'usb' },
        };

        const spec = specOf(expand(said, { preference }));

        expect(spec).toMatchObject(said);
        expect(specOf(expand(spec ?? {}, { preference }))).toEqual(spec);
      }),
    );
  });
});

const SETTINGS = { defaultNetworkInterface: 'masquerade' } as const;

function empty(): VirtualMachineInstanceSpec {
  return { domain: { devices: {} } };
}

function expand(
  spec: Partial<VirtualMachineInstanceSpec>,
  chosen: { instancetype?: VirtualMachineInstancetypeSpec; preference?: VirtualMachinePreferenceSpec },
): Expansion {
  return expandTemplate({ spec: { ...empty(), ...spec } }, chosen, SETTINGS);
}

function specOf(expansion: Expansion): VirtualMachineInstanceSpec | undefined {
  return expansion.kind === 'expanded' ? expansion.template.spec : undefined;
}
