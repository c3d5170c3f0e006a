import type { VirtualMachineInstance } from '@smalt/vm-api';
import { element, type XmlElement } from '@smalt/xml';

import type { FirmwareImage } from '../domain-context.ts';
import { rootStep, type DomainInput, type DomainStep } from '../domain-step.ts';
import { DomainXmlError } from '../domain-xml-error.ts';
import { architectureOf, machineTypeOf } from '../shape/architecture.ts';
import { requireVolume } from '../disks/find-volume.ts';

/** The machine and what starts it. */
export const firmwareStep: DomainStep = rootStep('firmware', (input) => {
  const { instance } = input;
  const { libvirt: arch, name } = architectureOf(instance);
  const { firmware } = instance.spec.domain;
  return [
    element('os', {}, [
      element('type', { arch, machine: machineTypeOf(instance) }, ['hvm']),
      ...loader(input),
      ...kernel(input),
      ...acpiTables(input),
      firmware?.bootloader?.bios?.useSerial === true ? element('bios', { useserial: 'yes' }) : undefined,
      name === 's390x' ? undefined : element('smbios', { mode: 'sysinfo' }),
    ]),
  ];
});

/** Which firmware an instance needs; `undefined` for the one that the machine has anyway. */
export function firmwareKindOf(instance: VirtualMachineInstance): FirmwareImage['kind'] | undefined {
  const { launchSecurity, firmware } = instance.spec.domain;
  const isArm = architectureOf(instance).name === 'arm64';
  if (launchSecurity?.snp) return 'efi-snp';
  if (launchSecurity?.tdx) return 'efi-tdx';
  const efi = firmware?.bootloader?.efi ?? (isArm ? { secureBoot: false } : undefined);
  if (!efi) return undefined;
  if (launchSecurity?.sev) return 'efi-sev';
  return (efi.secureBoot ?? !isArm) ? 'efi-secure-boot' : 'efi';
}

function loader(input: DomainInput): readonly XmlElement[] {
  const kind = firmwareKindOf(input.instance);
  if (!kind) return [];
  const image = requireFirmware(input, kind);
  // Memory that is measured before it is encrypted cannot hold flash that changes.
  if (kind === 'efi-snp' || kind === 'efi-tdx') return [element('loader', { type: 'rom' }, [image.loader])];
  const secure = kind === 'efi-secure-boot' ? 'yes' : 'no';
  return [element('loader', { readonly: 'yes', secure, type: 'pflash' }, [image.loader]), ...variables(input, image)];
}

function variables({ context: { paths } }: DomainInput, image: FirmwareImage): readonly XmlElement[] {
  if (image.variables === undefined) return [];
  if (paths.variables !== undefined) return [element('nvram', { template: image.variables }, [paths.variables])];
  const message = 'no file was prepared for its variables; the context has to name one in paths.variables';
  throw new DomainXmlError('missing-firmware', message, { field: 'spec.domain.firmware.bootloader.efi' });
}

/** The firmware image of a kind. Throws `missing-firmware` when the node has none. */
export function requireFirmware({ context }: DomainInput, kind: FirmwareImage['kind']): FirmwareImage {
  const image = context.firmware.find((candidate) => candidate.kind === kind);
  if (image) return image;
  const message = `the node has no firmware of the kind ${kind}; install one there, or choose another boot loader`;
  throw new DomainXmlError('missing-firmware', message, { field: 'spec.domain.firmware.bootloader' });
}

function kernel({ instance, context }: DomainInput): readonly XmlElement[] {
  const asked = instance.spec.domain.firmware?.kernelBoot;
  if (!asked?.container) return [];
  const { kernelPath, initrdPath } = asked.container;
  const files = [
    ['kernel', kernelPath, context.kernel?.kernel],
    ['initrd', initrdPath, context.kernel?.initrd],
  ] as const;
  const elements = files.flatMap(([name, wanted, path]) => {
    if (wanted === undefined) return [];
    if (path !== undefined) return [element(name, {}, [path])];
    const message = `${wanted} was not unpacked on the node; the context has to name it in kernel.${name}`;
    throw new DomainXmlError('missing-firmware', message, { field: 'spec.domain.firmware.kernelBoot.container' });
  });
  const { kernelArgs } = asked;
  return kernelArgs === undefined ? elements : [...elements, element('cmdline', {}, [kernelArgs])];
}

function acpiTables(input: DomainInput): readonly XmlElement[] {
  const { slicNameRef, msdmNameRef } = input.instance.spec.domain.firmware?.acpi ?? {};
  const tables = [
    ['slic', slicNameRef],
    ['msdm', msdmNameRef],
  ] as const;
  const found = tables.flatMap(([type, volumeName]) => {
    if (volumeName === undefined) return [];
    const { source } = requireVolume(input.context, volumeName, `spec.domain.firmware.acpi.${type}NameRef`);
    return [element('table', { type }, [source.path])];
  });
  return found.length === 0 ? [] : [element('acpi', {}, found)];
}
