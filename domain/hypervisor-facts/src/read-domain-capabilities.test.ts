import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { readDomainCapabilities } from './read-domain-capabilities.ts';

describe('readDomainCapabilities', () => {
  it('tells what Cloud Hypervisor can give', () => {
    expect(readDomainCapabilities(fixture('domain-capabilities-ch'))).toEqual({
      arch: 'x86_64',
      hypervisorType: 'ch',
      supportedCpuModes: ['mode/host-passthrough'],
      supportedDevices: ['video', 'video/none'],
      supportedFeatures: [],
    });
  });

  it('tells what QEMU can give, in the order of the document and nothing twice', () => {
    const { supportedDevices, ...others } = readDomainCapabilities(fixture('domain-capabilities-qemu'));

    expect(others).toEqual({
      arch: 'x86_64',
      hypervisorType: 'kvm',
      supportedCpuModes: [
        'mode/host-passthrough',
        'mode/host-passthrough/on',
        'mode/host-passthrough/off',
        'mode/maximum',
        'mode/maximum/on',
        'mode/maximum/off',
        'mode/host-model',
        'mode/custom',
      ],
      supportedFeatures: ['vmcoreinfo', 'genid', 'backingStoreInput', 'backup', 'hyperv'],
    });
    expect(supportedDevices.slice(0, 14)).toEqual([
      'disk',
      'disk/disk',
      'disk/cdrom',
      'disk/floppy',
      'disk/lun',
      'disk/ide',
      'disk/fdc',
      'disk/scsi',
      'disk/virtio',
      'disk/usb',
      'disk/sata',
      'disk/virtio-transitional',
      'disk/virtio-non-transitional',
      'graphics',
    ]);
    expect(supportedDevices).toEqual([...new Set(supportedDevices)]);
  });

  it('leaves out what is not supported, whatever it lists', () => {
    const off = `<x supported='no'><enum name='e'><value>v</value></enum></x><y/>`;
    const xml = `<domainCapabilities><cpu><mode name='m'/></cpu><devices>${off}</devices><features>${off}</features></domainCapabilities>`;

    expect(readDomainCapabilities(xml)).toEqual({
      arch: 'unknown',
      hypervisorType: 'unknown',
      supportedCpuModes: [],
      supportedDevices: [],
      supportedFeatures: [],
    });
  });

  it.each(['', '<domainCapabilities>', '<capabilities/>'])('learns nothing from "%s"', (xml) => {
    const read = (): unknown => readDomainCapabilities(xml);

    expect(read).toThrow(expect.objectContaining({ code: 'unreadable-domain-capabilities' }));
  });
});

function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}.xml`, import.meta.url), 'utf8');
}
