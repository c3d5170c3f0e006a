import { readDomain } from '@smalt/domain-xml';
import { findHypervisor } from '@smalt/hypervisors';
import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';
import { element, parseXml, printXml } from '@smalt/xml';
import { describe, expect, it } from 'vitest';

import { anInstance, domainText } from '../fixtures/an-instance.ts';
import { decideChanges } from './decide-changes.ts';
import { findMemoryDevice, newMemoryDevice, resizedMemoryDevice } from './memory-device.ts';
import { pluggableDisk } from './pluggable-disk.ts';

const EXTRA = `<disk type='file' device='disk'><source file='/b'/><target dev='sda' bus='scsi'/><alias name='ua-disk-extra'/></disk>`;
const FOREIGN = `<disk type='file' device='cdrom'><target dev='sdb' bus='sata'/><alias name='sata0-0-1'/></disk>`;
const GROWS = `<maxMemory slots='1' unit='KiB'>262144</maxMemory>`;
const PLUGGED = `<memory model='virtio-mem'>
  <target><size unit='KiB'>196608</size><node>0</node><block unit='KiB'>2048</block>
  <requested unit='KiB'>32768</requested><current unit='KiB'>16384</current></target><alias name='virtiomem0'/></memory>`;
const extra = { name: 'extra', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } };
const MEBIBYTE = 1_048_576n;

describe('decideChanges', () => {
  it('plugs in what may be plugged in and is not there', () => {
    expect(decide({ volumes: [extra] }, ['extra'])).toMatchObject({ attach: ['extra'], detach: [] });
    expect(decide({ volumes: [extra] }, ['extra'], EXTRA)).toMatchObject({ attach: [], detach: [] });
  });

  it('does not plug in what can only be there from the start', () => {
    const fixed = { name: 'extra', emptyDisk: { capacity: '1Mi' } };

    expect(decide({ volumes: [fixed] }, ['extra'])).toMatchObject({ attach: [] });
  });

  it('takes out what is no longer asked for, and nothing that it does not know', () => {
    expect(decide({}, [], `${EXTRA}${FOREIGN}`)).toMatchObject({ detach: ['extra'] });
  });

  it('takes out a disk whose claim has changed, and plugs nothing in before the guest has let go of it', () => {
    const told = { persistentVolumeClaimInfo: { claimName: 'before' }, hotplugVolume: { attachPodUID: 'p' } };
    const status = { volumeStatus: [{ name: 'extra', target: 'sda', ...told }] };
    const domain = { memory: { guest: '64Mi' }, devices: { disks: [{ name: 'extra', disk: {} }] } };
    const instance = anInstance(status, { volumes: [extra], domain });

    expect(decideChanges(instance, guestOf(EXTRA))).toMatchObject({ attach: [], detach: ['extra'] });
    expect(decideChanges(instance, guestOf(''))).toMatchObject({ attach: [], detach: [] });
  });

  it.each([
    [1, undefined],
    [2, 2],
    [4, 4],
    [5, undefined],
  ])('with %i sockets sets the number of processors to %s', (sockets, processors) => {
    expect(decide({ domain: { cpu: { sockets }, memory: { guest: '64Mi' }, devices: {} } })).toMatchObject({
      processors,
    });
  });

  it.each([
    ['64Mi', '', undefined],
    ['128Mi', '', { requestedBytes: 64n * MEBIBYTE, maxBytes: 192n * MEBIBYTE }],
    ['512Mi', '', undefined],
    ['32Mi', '', undefined],
  ])('with %s of memory plugs in what is missing', (guest, devices, memory) => {
    const spec = { domain: { memory: { guest, maxGuest: '256Mi' }, devices: {} } };

    expect(decideChanges(anInstance({}, spec), guestOf(devices, GROWS)).memory).toEqual(memory);
  });

  it('leaves guests alone whose hypervisor cannot', () => {
    const guest = { ...guestOf(EXTRA, GROWS), hypervisor: findHypervisor('test') };

    expect(decideChanges(anInstance(), guest)).toEqual({
      attach: [],
      detach: [],
      processors: undefined,
      memory: undefined,
    });
  });
});

describe('the memory device', () => {
  it('is found in a domain, and told to have another size', () => {
    const device = findMemoryDevice(domainText(PLUGGED));

    expect(device).toMatchObject({
      sizeBytes: 192n * MEBIBYTE,
      requestedBytes: 32n * MEBIBYTE,
      currentBytes: 16n * MEBIBYTE,
    });
    expect(device && resizedMemoryDevice(device, 64n * MEBIBYTE)).toContain(
      `<requested unit='b'>${64n * MEBIBYTE}</requested>`,
    );
  });

  it('is made new where there is none', () => {
    expect(findMemoryDevice(domainText())).toBeUndefined();
    expect(newMemoryDevice(192n * MEBIBYTE, 64n * MEBIBYTE)).toContain(`<size unit='b'>${192n * MEBIBYTE}</size>`);
  });
});

describe('a disk to be plugged in', () => {
  it('gets a place that no other disk has', () => {
    const disk = element('disk', {}, [
      element('target', { dev: 'sda', bus: 'scsi' }),
      element('address', { type: 'drive', unit: 0 }),
    ]);
    const present = readDomain(domainText(`${EXTRA}${FOREIGN}`)).disks;

    const text = pluggableDisk(disk, present);

    expect(printXml(parseXml(text))).toContain("dev='sdc'");
    expect(text).toContain("unit='2'");
  });
});

function decide(spec: Partial<VirtualMachineInstanceSpec>, disks: readonly string[] = [], devices: string = '') {
  const { domain = { memory: { guest: '64Mi' }, devices: {} } } = spec;
  const all = { ...domain, devices: { ...domain.devices, disks: disks.map((name) => ({ name, disk: {} })) } };
  return decideChanges(anInstance({}, { ...spec, domain: all }), guestOf(devices));
}

function guestOf(devices: string, head: string = '') {
  const text = domainText(devices, head);
  return { hypervisor: findHypervisor('qemu'), report: readDomain(text), memoryDevice: findMemoryDevice(text) };
}
