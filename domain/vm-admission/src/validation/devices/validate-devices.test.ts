import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { judge } from '../../fixtures/judge.ts';
import { invalid, notSupported } from '../../cause.ts';
import { devices, domain, withDisk, withVolume } from '../../fixtures/small-instance.ts';

const DEVICES = 'spec.domain.devices';

describe('the rules about devices', () => {
  it.each([
    {
      rule: 'a policy for threads is known',
      bad: domain({ ioThreadsPolicy: 'many' }),
      causes: [invalid('spec.domain.ioThreadsPolicy', 'Invalid IOThreadsPolicy (many)')],
      good: domain({ ioThreadsPolicy: 'auto' }),
    },
    {
      rule: 'a pool of threads has a size',
      bad: domain({ ioThreadsPolicy: 'supplementalPool', ioThreads: { supplementalPoolThreadCount: 0 } }),
      causes: [
        invalid(
          'spec.domain.ioThreads.count',
          'the number of iothreads needs to be set and positive for the dedicated policy',
        ),
      ],
      good: domain({ ioThreadsPolicy: 'supplementalPool', ioThreads: { supplementalPoolThreadCount: 1 } }),
    },
    {
      rule: 'an input device is on virtio or USB',
      bad: devices({ inputs: [{ name: 'pen', type: 'tablet', bus: 'ps2' }] }),
      causes: [invalid(`${DEVICES}.inputs[0].bus`, 'Input device can have only virtio or usb bus.')],
      good: devices({ inputs: [{ name: 'pen', type: 'tablet', bus: 'virtio' }] }),
    },
    {
      rule: 'an input device is a tablet',
      bad: devices({ inputs: [{ name: 'keys', type: 'keyboard' }] }),
      causes: [invalid(`${DEVICES}.inputs[0].type`, 'Input device can have only tablet type.')],
      good: devices({ inputs: [{ name: 'pen', type: 'tablet' }] }),
    },
    {
      rule: 'a sound card is of a known model and has a name',
      bad: devices({ sound: { name: '', model: 'sb16' } }),
      causes: [
        invalid('spec.Sound', "Sound device type is not supported. Options: 'ich9' or 'ac97'"),
        invalid('spec.Sound', 'Sound device requires a name field.'),
      ],
      good: devices({ sound: { name: 'sound', model: 'ac97' } }),
    },
    {
      rule: 'a video card needs graphics',
      bad: devices({ video: { type: 'vga' }, autoattachGraphicsDevice: false }),
      causes: [
        invalid('spec.video', 'Video configuration is not allowed when autoattachGraphicsDevice is set to false'),
      ],
      good: devices({ video: { type: 'vga' } }),
    },
    {
      rule: 'a panic device is of a known model',
      bad: devices({ panicDevices: [{ model: 'loud' }] }),
      causes: [invalid(`${DEVICES}.panicDevices[0].model`, 'invalid PanicDeviceModel(loud)')],
      good: devices({ panicDevices: [{ model: 'pvpanic' }, {}] }),
    },
    {
      rule: 'there are no panic devices on s390x',
      bad: { ...devices({ panicDevices: [{}] }), architecture: 's390x' },
      causes: [invalid(`${DEVICES}.panicDevices`, 'custom panic devices are not supported on s390x architecture')],
      good: { ...devices({ panicDevices: [] }), architecture: 's390x' },
    },
    {
      rule: 'one device shows the first screen',
      bad: devices({ gpus: [gpu('a', {}), gpu('b', { ramFB: { enabled: true } })] }),
      causes: [invalid('spec.GPUs', 'configuring multiple displays with ramfb is not valid ')],
      good: devices({ gpus: [gpu('a', {}), gpu('b', { ramFB: { enabled: false } }), gpu('c', { enabled: false })] }),
    },
  ])('$rule', ({ bad, causes, good }) => {
    expect(judge(bad)).toEqual(causes);
    expect(judge(good)).toEqual([]);
  });

  it.each([
    { architecture: 'amd64', good: ['vga', 'cirrus', 'virtio', 'ramfb', 'bochs'], bad: 'qxl' },
    { architecture: 'arm64', good: ['virtio', 'ramfb'], bad: 'vga' },
    { architecture: 's390x', good: ['virtio'], bad: 'ramfb' },
  ])('video cards of $architecture', ({ architecture, good, bad }) => {
    const causesOf = (type: string) => judge({ ...devices({ video: { type } }), architecture });

    expect(good.flatMap(causesOf)).toEqual([]);
    expect(causesOf(bad)).toEqual([
      notSupported(`${DEVICES}.video.type`, `video model '${bad}' is not supported on ${architecture} architecture`),
    ]);
  });

  it.each([
    { architecture: 'amd64', good: { i6300esb: {} }, message: 'amd64 only supports I6300ESB watchdog device' },
    { architecture: 's390x', good: { diag288: {} }, message: 's390x only supports Diag288 watchdog device' },
  ])('watchdogs of $architecture', ({ architecture, good, message }) => {
    const causesOf = (models: object) => judge({ ...devices({ watchdog: { name: 'dog', ...models } }), architecture });

    expect(causesOf(good)).toEqual([]);
    expect(causesOf({})).toEqual([notSupported(`${DEVICES}.watchdog`, message)]);
    expect(causesOf({ i6300esb: {}, diag288: {} })).toEqual([notSupported(`${DEVICES}.watchdog`, message)]);
  });

  it('refuses all that arm64 does not have', () => {
    const parts: VirtualMachineInstanceSpec = {
      ...withDisk({ cdrom: { bus: 'sata' } }),
      architecture: 'arm64',
    };
    const { domain: machine } = parts;
    const bad = {
      ...parts,
      domain: {
        ...machine,
        firmware: { bootloader: { bios: {} } },
        cpu: { model: 'host-model' },
        devices: { ...machine.devices, watchdog: { name: 'dog' }, sound: { name: 'sound' } },
      },
    };

    expect(judge(bad)).toEqual([
      notSupported(
        'spec.domain.firmware.bootloader.bios',
        'Arm64 does not support bios boot, please change to uefi boot',
      ),
      notSupported('spec.domain.cpu.model', 'currently, host-passthrough is the only model supported on Arm64'),
      notSupported(`${DEVICES}.disks[0].cdrom.bus`, 'Arm64 not support this disk bus type, please use virtio or scsi'),
      notSupported(`${DEVICES}.watchdog`, 'Arm64 not support Watchdog device'),
      notSupported(`${DEVICES}.sound`, 'Arm64 not support sound device'),
    ]);
    expect(
      judge({
        ...withDisk({ disk: { bus: 'scsi' } }),
        architecture: 'arm64',
      }),
    ).toEqual([]);
  });
});

describe('what is behind gates', () => {
  const hostDevice = { name: 'usb', deviceName: 'example.com/usb' };
  const claimed = { name: 'gpu', claimName: 'claim', requestName: 'one' };
  const resourceClaims = [{ name: 'claim', resourceClaimName: 'claim' }];

  it.each([
    {
      gate: 'HostDevices',
      parts: devices({ hostDevices: [hostDevice] }),
      cause: invalid('spec.HostDevices', 'Host Devices feature gate is not enabled in kubevirt-config'),
    },
    {
      gate: 'HostDisk',
      parts: withVolume({ hostDisk: { path: '/a.img', type: 'Disk' } }),
      cause: invalid('spec.volumes[0]', 'HostDisk feature gate is not enabled'),
    },
    {
      gate: 'VSOCK',
      parts: devices({ autoattachVSOCK: true }),
      cause: invalid(`${DEVICES}.autoattachVSOCK`, 'VSOCK feature gate is not enabled in kubevirt-config'),
    },
    {
      gate: 'DownwardMetrics',
      parts: devices({ downwardMetrics: {} }),
      cause: invalid(
        `${DEVICES}.downwardMetrics`,
        'downwardMetrics virtio serial is not allowed: DownwardMetrics feature gate is not enabled',
      ),
    },
    {
      gate: 'DownwardMetrics',
      parts: withVolume({ downwardMetrics: {} }),
      cause: invalid(
        'spec.volumes[0]',
        'downwardMetrics disks are not allowed: DownwardMetrics feature gate is not enabled.',
      ),
    },
    {
      gate: 'EnableVirtioFsStorageVolumes',
      parts: {
        ...devices({ filesystems: [{ name: 'data', virtiofs: {} }] }),
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      },
      cause: invalid(`${DEVICES}.filesystems`, 'virtiofs is not allowed: virtiofs feature gate is not enabled for PVC'),
    },
    {
      gate: 'ReservedOverheadMemlock',
      parts: domain({ memory: { guest: '64Mi', reservedOverhead: { memLock: 'Required' } } }),
      cause: invalid(
        'spec.domain.memory.reservedOverhead',
        'Reserved overhead memlock feature gate is not enabled in kubevirt-config',
      ),
    },
  ])('$gate is closed until it is opened: $cause.field', ({ gate, parts, cause }) => {
    expect(judge(parts)).toEqual([cause]);
    expect(judge(parts, { featureGates: [gate] })).toEqual([]);
  });

  it.each([
    {
      gate: 'RebootPolicy',
      parts: domain({ rebootPolicy: 'Terminate' }),
      cause: invalid(
        'spec.domain.rebootPolicy',
        'RebootPolicy is specified but the RebootPolicy feature gate is not enabled',
      ),
    },
    {
      gate: 'GPUsWithDRA',
      parts: { ...devices({ gpus: [claimed] }), resourceClaims },
      cause: invalid(
        `${DEVICES}.gpus`,
        'vmi.spec.domain.devices.gpus contains DRA enabled GPUs but feature gate is not enabled',
      ),
    },
  ])('$gate is open until it is closed', ({ gate, parts, cause }) => {
    expect(judge(parts)).toEqual([]);
    expect(judge(parts, { disabledFeatureGates: [gate] })).toEqual([cause]);
  });

  it('lets disks be reserved without any gate', () => {
    expect(judge(withDisk({ lun: { reservation: true } }))).toEqual([]);
  });
});

function gpu(name: string, display: { enabled?: boolean; ramFB?: { enabled: boolean } }) {
  return { name, deviceName: 'example.com/gpu', virtualGPUOptions: { display } };
}
