import { isGuestWord, KERNEL_WORDS, type GuestImage, type GuestWord } from '@smalt/guest-image';
import { element, printXml } from '@smalt/xml';
import type { XmlElement } from '@smalt/xml';

import { BedError } from '../error.ts';

export interface GuestDisk {
  readonly path: string;
  readonly format?: 'raw' | 'qcow2' | undefined;
  /** vda, vdb and so on by default. */
  readonly target?: string | undefined;
  readonly isShareable?: boolean | undefined;
}

export interface GuestDomainOptions {
  readonly name: string;
  readonly uuid?: string | undefined;
  readonly image: GuestImage;
  readonly memoryMiB?: number | undefined;
  /** Up to where memory can be plugged in while the guest runs; none can by default. */
  readonly maxMemoryMiB?: number | undefined;
  readonly vcpus?: number | undefined;
  readonly words?: readonly GuestWord[] | undefined;
  readonly disks?: readonly GuestDisk[] | undefined;
  /** The serial console: a pty for `virsh console`, or the path of a file that takes what the guest prints. */
  readonly console?: 'pty' | { readonly file: string } | undefined;
  readonly onCrash?: 'destroy' | 'restart' | 'preserve' | undefined;
  /** More devices, such as a watchdog or a panic device. */
  readonly devices?: readonly XmlElement[] | undefined;
}

/** The XML of a domain that boots the test guest, emulated: machine and CPU are those that boot fastest. */
export function guestDomainXml(options: GuestDomainOptions): string {
  const words = options.words ?? [];
  const unknown = words.find((word: string): boolean => !isGuestWord(word));
  if (unknown !== undefined) throw new BedError('invalid-option', `words: the guest does not know ${unknown}`);
  const { image } = options;
  const boot = [
    element('kernel', {}, [image.kernelPath]),
    element('initrd', {}, [image.initramfsPath]),
    element('cmdline', {}, [[KERNEL_WORDS, ...words].join(' ')]),
  ];
  return domainXml({ ...options, memoryMiB: options.memoryMiB ?? 128, boot, devices: guestDevices(options) });
}

/** The XML of the cheapest real domain there is: a BIOS that finds nothing to boot. */
export function biosDomainXml(options: Pick<GuestDomainOptions, 'name' | 'uuid' | 'memoryMiB'>): string {
  const devices = [element('memballoon', { model: 'none' })];
  return domainXml({ ...options, memoryMiB: options.memoryMiB ?? 16, boot: [], devices });
}

interface DomainParts extends Pick<GuestDomainOptions, 'name' | 'uuid' | 'vcpus' | 'onCrash' | 'maxMemoryMiB'> {
  readonly memoryMiB: number;
  readonly boot: readonly XmlElement[];
  readonly devices: readonly XmlElement[];
}

function domainXml(parts: DomainParts): string {
  const { name, uuid, onCrash, memoryMiB, maxMemoryMiB, boot, devices } = parts;
  const vcpus = parts.vcpus ?? 1;
  const unit = 'MiB';
  // Memory is plugged into a NUMA cell, so there has to be one.
  const cell = element('cell', { id: 0, cpus: `0-${vcpus - 1}`, memory: memoryMiB, unit });
  const domain = element('domain', { type: 'qemu' }, [
    element('name', {}, [name]),
    uuid === undefined ? undefined : element('uuid', {}, [uuid]),
    maxMemoryMiB === undefined ? undefined : element('maxMemory', { slots: 8, unit }, [String(maxMemoryMiB)]),
    element('memory', { unit }, [String(memoryMiB)]),
    element('vcpu', {}, [String(vcpus)]),
    element('os', {}, [element('type', { arch: 'x86_64', machine: 'pc' }, ['hvm']), ...boot]),
    element('features', {}, [element('acpi'), element('apic')]),
    element('cpu', { mode: 'custom', match: 'exact' }, [
      element('model', { fallback: 'forbid' }, ['qemu64']),
      maxMemoryMiB === undefined ? undefined : element('numa', {}, [cell]),
    ]),
    element('on_reboot', {}, ['restart']),
    element('on_crash', {}, [onCrash ?? 'restart']),
    element('devices', {}, [
      element('emulator', {}, ['/usr/bin/qemu-system-x86_64']),
      element('controller', { type: 'usb', model: 'none' }),
      ...devices,
    ]),
  ]);
  return printXml(domain);
}

function guestDevices(options: GuestDomainOptions): readonly XmlElement[] {
  return [
    ...(options.disks ?? []).map(diskElement),
    serialElement(options.console ?? 'pty'),
    element('channel', { type: 'unix' }, [element('target', { type: 'virtio', name: 'org.qemu.guest_agent.0' })]),
    element('memballoon', { model: 'virtio' }),
    ...(options.devices ?? []),
  ];
}

function serialElement(console: 'pty' | { readonly file: string }): XmlElement {
  const target = element('target', { port: 0 });
  if (console === 'pty') return element('serial', { type: 'pty' }, [target]);
  return element('serial', { type: 'file' }, [element('source', { path: console.file, append: 'on' }), target]);
}

function diskElement(disk: GuestDisk, index: number): XmlElement {
  return element('disk', { type: 'file', device: 'disk' }, [
    // Without the page cache between, hosts that share the file migrate safely.
    element('driver', { name: 'qemu', type: disk.format ?? 'raw', cache: 'none' }),
    element('source', { file: disk.path }),
    element('target', { dev: disk.target ?? `vd${String.fromCharCode(97 + index)}`, bus: 'virtio' }),
    disk.isShareable === true ? element('shareable') : undefined,
  ]);
}
