import type { Devices, DomainSpec } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import type { DomainContext } from '../domain-context.ts';
import type { DomainStep } from '../domain-step.ts';
import type { DomainVolume } from '../domain-volume.ts';
import { anInput, anInstance } from '../fixtures/an-instance.ts';
import { printStep } from '../fixtures/print-step.ts';
import { balloonStep } from './balloon-step.ts';
import { channelsStep } from './channels-step.ts';
import { controllersStep } from './controllers-step.ts';
import { filesystemsStep } from './filesystems-step.ts';
import { freePortsStep } from './free-ports-step.ts';
import { graphicsStep } from './graphics-step.ts';
import { hostDevicesStep } from './host-devices-step.ts';
import { hostSocketStep } from './host-socket-step.ts';
import { inputsStep } from './inputs-step.ts';
import { panicStep } from './panic-step.ts';
import { randomNumbersStep } from './random-numbers-step.ts';
import { serialStep } from './serial-step.ts';
import { soundStep } from './sound-step.ts';
import { trustedPlatformModuleStep } from './trusted-platform-module-step.ts';
import { usbRedirectionStep } from './usb-redirection-step.ts';
import { watchdogStep } from './watchdog-step.ts';

const mediated = { kind: 'mediated', uuid: 'c2177883-f1bb-47f0-914d-32a22e3a8804' } as const;

describe('devices of an instance', () => {
  it.each<[string, DomainStep, Devices, Partial<DomainContext>, string]>([
    ['its agent', channelsStep, {}, {}, "name='org.qemu.guest_agent.0'"],
    [
      'metrics of the host',
      channelsStep,
      { downwardMetrics: {} },
      { paths: { downwardMetrics: '/m' } },
      "<source mode='bind' path='/m'/><target type='virtio' name='org.github.vhostmd.1'/>",
    ],
    ['no USB', controllersStep, {}, {}, "<controller type='usb' index='0' model='none'/>"],
    ['USB for a tablet', controllersStep, { inputs: [{ name: 't', type: 'tablet' }] }, {}, "model='qemu-xhci'"],
    ['USB for a disk', controllersStep, { disks: [{ name: 'a', disk: { bus: 'usb' } }] }, {}, "model='qemu-xhci'"],
    ['USB for a client', controllersStep, { clientPassthrough: {} }, {}, "model='qemu-xhci'"],
    ['SCSI for later', controllersStep, {}, {}, "type='scsi'"],
    [
      'SCSI for a disk',
      controllersStep,
      { disableHotplug: true, disks: [{ name: 'a', disk: { bus: 'scsi' } }] },
      {},
      "type='scsi'",
    ],
    ['a display on a socket', graphicsStep, {}, { paths: { vnc: '/v' } }, "<listen type='socket' socket='/v'/>"],
    ['a display behind libvirt', graphicsStep, {}, {}, "<listen type='none'/>"],
    ['a card for BIOS', graphicsStep, {}, {}, "<model type='vga' vram='16384' heads='1'/>"],
    ['a card by name', graphicsStep, { video: { type: 'ramfb' } }, {}, "<model type='ramfb'/>"],
    [
      'a tablet',
      inputsStep,
      { inputs: [{ name: 't', type: 'tablet', bus: 'virtio' }] },
      {},
      "type='tablet' bus='virtio'",
    ],
    ['a console', serialStep, {}, {}, "<serial type='pty'><target port='0'/></serial>"],
    [
      'a console that is kept',
      serialStep,
      {},
      { paths: { serial: '/s', serialLog: '/l' } },
      "<source mode='bind' path='/s'/><log file='/l' append='on'/>",
    ],
    ['random numbers', randomNumbersStep, { rng: {} }, {}, "<backend model='random'>/dev/urandom</backend>"],
    ['a balloon', balloonStep, {}, {}, "freePageReporting='on'><stats period='10'/>"],
    ['no balloon', balloonStep, { autoattachMemBalloon: false }, {}, "<memballoon model='none'/>"],
    [
      'a TPM',
      trustedPlatformModuleStep,
      { tpm: {} },
      {},
      "<tpm model='tpm-tis'><backend type='emulator' version='2.0'/>",
    ],
    ['a TPM that is kept', trustedPlatformModuleStep, { tpm: { persistent: true } }, {}, "persistent_state='yes'"],
    ['a watchdog', watchdogStep, { watchdog: { name: 'w', i6300esb: {} } }, {}, "model='i6300esb' action='reset'"],
    ['sound', soundStep, { sound: { name: 's' } }, {}, "<sound model='ich9'/>"],
    ['a cry for help', panicStep, { panicDevices: [{ model: 'hyperv' }, {}] }, {}, "<panic model='hyperv'/><panic/>"],
    ['a socket', hostSocketStep, { autoattachVSOCK: true }, { vsockCid: 7 }, "<cid auto='no' address='7'/>"],
    [
      'USB slots',
      usbRedirectionStep,
      { clientPassthrough: {} },
      { paths: { usbRedirection: '/u' } },
      "path='/u/usbredir3'",
    ],
    [
      'a directory',
      filesystemsStep,
      { filesystems: [{ name: 'a', virtiofs: {} }] },
      { volumes: [{ name: 'a', source: { kind: 'directory', path: '/d' }, format: 'raw', supportsDirectIo: false }] },
      "<driver type='virtiofs' queue='1024'/><source dir='/d'/><target dir='a'/><alias name='ua-filesystem-a'/>",
    ],
    [
      'a directory that is mounted read-only',
      filesystemsStep,
      { filesystems: [{ name: 'a', virtiofs: {} }] },
      { volumes: [readOnlyDirectory({ isMountedReadOnly: true })] },
      "<source dir='/d'/>",
    ],
    [
      'a directory of another process',
      filesystemsStep,
      { filesystems: [{ name: 'a', virtiofs: {} }] },
      {
        volumes: [
          { name: 'a', source: { kind: 'virtiofs-socket', path: '/d' }, format: 'raw', supportsDirectIo: false },
        ],
      },
      "<source socket='/d'/>",
    ],
    [
      'a GPU of its own',
      hostDevicesStep,
      { gpus: [{ name: 'g' }] },
      { hostDevices: [{ kind: 'pci', name: 'g', address: '0000:3c:00.0' }] },
      "type='pci' managed='no'><source><address domain='0x0000' bus='0x3c' slot='0x00' function='0x0'/></source><alias name='ua-gpu-g'/>",
    ],
    [
      'a USB device',
      hostDevicesStep,
      { hostDevices: [{ name: 'u' }] },
      { hostDevices: [{ kind: 'usb', name: 'u', bus: 1, device: 4 }] },
      "<address bus='1' device='4'/></source><alias name='ua-hostdevice-u'/>",
    ],
    [
      'one display though two GPUs could',
      hostDevicesStep,
      { gpus: [{ name: 'g' }, { name: 'h' }] },
      {
        hostDevices: [
          { ...mediated, name: 'g' },
          { ...mediated, name: 'h' },
        ],
      },
      "model='vfio-pci' display='on' ramfb='on'>",
    ],
  ])('are %s', (...[, step, devices, context, expected]) => {
    expect(printStep(step, anInput(anInstance({ devices }), context)).join('')).toContain(expected);
  });

  it.each<[string, DomainStep, Partial<DomainSpec>]>([
    ['a display', graphicsStep, { devices: { autoattachGraphicsDevice: false } }],
    ['a console', serialStep, { devices: { autoattachSerialConsole: false } }],
    ['a TPM', trustedPlatformModuleStep, { devices: { tpm: { enabled: false } } }],
    ['random numbers', randomNumbersStep, { devices: {} }],
    ['a watchdog', watchdogStep, { devices: {} }],
    ['sound', soundStep, { devices: {} }],
    ['a socket', hostSocketStep, { devices: {} }],
    ['USB slots', usbRedirectionStep, { devices: {} }],
    ['free ports', freePortsStep, { devices: { disableHotplug: true } }],
  ])('are without %s when nobody wants it', (_, step, domain) => {
    expect(printStep(step, anInput(anInstance(domain)))).toEqual([]);
  });

  it.each<[string, DomainStep, Devices, string]>([
    [
      'a GPU',
      hostDevicesStep,
      { gpus: [{ name: 'g' }] },
      'spec.domain.devices.gpus[0]: the node gave it no device for "g"',
    ],
    ['a socket', hostSocketStep, { autoattachVSOCK: true }, 'spec.domain.devices.autoattachVSOCK: it has no address'],
    [
      'USB slots',
      usbRedirectionStep,
      { clientPassthrough: {} },
      'spec.domain.devices.clientPassthrough: there is no directory',
    ],
    [
      'a directory',
      filesystemsStep,
      { filesystems: [{ name: 'a', virtiofs: {} }] },
      'filesystems[0].name: the volume "a"',
    ],
  ])('are refused when the node lacks %s', (_, step, devices, message) => {
    expect(() => printStep(step, anInput(anInstance({ devices })))).toThrow(message);
  });
});

it('a directory that is only to be read is refused when it could be written to by its path', () => {
  const instance = anInstance({ devices: { filesystems: [{ name: 'a', virtiofs: {} }] } });

  const print = (): unknown => printStep(filesystemsStep, anInput(instance, { volumes: [readOnlyDirectory()] }));

  expect(print).toThrow('filesystems[0].name: the volume "a" may only be read');
});

describe('devices by architecture', () => {
  it.each([
    ['amd64', []],
    ['arm64', ["<input type='tablet' bus='usb'/>", "<input type='keyboard' bus='usb'/>"]],
    ['s390x', ["<input type='keyboard' bus='virtio'/>"]],
  ])('%s has the inputs %o', (architecture, inputs) => {
    expect(printStep(inputsStep, anInput(anInstance({}, { architecture })))).toEqual(inputs);
  });

  it('a mainframe has its own watchdog and no ports', () => {
    const instance = anInstance(
      { devices: { watchdog: { name: 'w', diag288: { action: 'poweroff' } } } },
      { architecture: 's390x' },
    );

    expect(printStep(watchdogStep, anInput(instance))).toEqual(["<watchdog model='diag288' action='poweroff'/>"]);
    expect(printStep(freePortsStep, anInput(instance))).toEqual([]);
  });
});

describe('free ports', () => {
  it.each([
    ['1Gi', 0, 8],
    ['1Gi', 5, 8],
    ['1Gi', 6, 9],
    ['3Gi', 0, 16],
    ['3Gi', 12, 18],
  ])('of a guest of %s with %i devices are %i', (guest, count, ports) => {
    const input = anInput(anInstance({ memory: { guest }, devices: { rng: {} } }));
    const taken = randomNumbersStep.build(input, []);
    const devices = [...Array.from({ length: count }, () => taken).flat(), ...soundless(input)];

    const elements = freePortsStep.build(input, devices);

    expect(elements).toHaveLength(ports + 1);
  });
});

describe('a balloon', () => {
  it.each([
    [{ cpu: { dedicatedCpuPlacement: true } }],
    [{ memory: { guest: '1Gi', hugepages: { pageSize: '2Mi' } } }],
    [{ launchSecurity: { sev: {} } }],
  ])('does not hand back memory of %o', (domain) => {
    expect(printStep(balloonStep, anInput(anInstance(domain))).join('')).not.toContain('freePageReporting');
  });

  it('is none where there can be none', () => {
    const input = anInput(anInstance(), {}, { supportsMemoryBallooning: false });

    expect(printStep(balloonStep, input)).toEqual(["<memballoon model='none'/>"]);
  });
});

/** Devices that take no port. */
function soundless(input: ReturnType<typeof anInput>): ReturnType<DomainStep['build']> {
  return [...serialStep.build(input, []), ...graphicsStep.build(input, [])];
}

function readOnlyDirectory(mount: { readonly isMountedReadOnly?: true } = {}): DomainVolume {
  const source = { kind: 'directory', path: '/d', ...mount } as const;
  return { name: 'a', source, format: 'raw', supportsDirectIo: false, isReadOnly: true };
}
