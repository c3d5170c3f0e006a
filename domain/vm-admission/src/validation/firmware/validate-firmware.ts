import type { DomainSpec, KernelBoot, Volume } from '@smalt/vm-api';

import { invalid, required, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';
import { validatePath } from './validate-path.ts';

/** A guest is started by EFI or by BIOS, not by both. */
export function validateBootloader({ path, spec }: SpecScope): readonly Cause[] {
  const { efi, bios } = spec.domain.firmware?.bootloader ?? {};
  if (efi === undefined || bios === undefined) return [];
  const field = `${path}.domain.firmware.bootloader`;
  return [invalid(field, `${field} has both EFI and BIOS configured, but they are mutually exclusive.`)];
}

/** Secure boot needs system management mode, which guards the variables of the firmware. */
export function validateSecureBoot({ path, spec }: SpecScope): readonly Cause[] {
  const { firmware, features, launchSecurity } = spec.domain;
  const efi = firmware?.bootloader?.efi;
  // TDX starts from firmware without variables, so there is nothing to guard.
  if (efi === undefined || efi.secureBoot === false || launchSecurity?.tdx !== undefined) return [];
  if (hasSystemManagementMode(features)) return [];
  const field = `${path}.domain`;
  return [
    invalid(
      field,
      `${field} has EFI SecureBoot enabled. SecureBoot requires SMM, which is currently disabled.`,
      `Set ${field}.features.smm.enabled to true, or ${field}.firmware.bootloader.efi.secureBoot to false.`,
    ),
  ];
}

/** Whether system management mode is on. */
export function hasSystemManagementMode(features: DomainSpec['features']): boolean {
  return features?.smm !== undefined && features.smm.enabled !== false;
}

/** Tables for the guest come from Secrets that are there as volumes. The path is the one that clients know. */
export function validateAcpiTables({ path, spec }: SpecScope): readonly Cause[] {
  const acpi = spec.domain.firmware?.acpi;
  if (acpi === undefined) return [];
  const field = `${path}.acpi`;
  const { slicNameRef = '', msdmNameRef = '' } = acpi;
  if (slicNameRef === '' && msdmNameRef === '') {
    return [invalid(field, 'ACPI was set but no SLIC nor MSDM volume reference was set')];
  }
  const volumes = spec.volumes ?? [];
  return [
    ...validateTable(field, 'slicNameRef', slicNameRef, volumes),
    ...validateTable(field, 'msdmNameRef', msdmNameRef, volumes),
  ];
}

function validateTable(field: string, name: string, reference: string, volumes: readonly Volume[]): readonly Cause[] {
  const volume = volumes.find((candidate) => candidate.name === reference);
  if (reference === '' || volume?.secret !== undefined) return [];
  const advice = `domain.firmware.acpi.${name} must name a volume of type secret.`;
  if (volume === undefined) return [invalid(`${field}.${name}`, `${field} does not have a matching Volume.`, advice)];
  return [invalid(`${field}.${name}`, `${field} refers to Volume of unsupported type.`, advice)];
}

/** A kernel from outside comes in an image, at paths that stay inside it. */
export function validateKernelBoot({ path, spec }: SpecScope): readonly Cause[] {
  const boot = spec.domain.firmware?.kernelBoot;
  const field = `${path}.domain.firmware.kernelBoot`;
  if (boot === undefined) return [];
  if (boot.container !== undefined) return validateContainer(boot.container, `${field}.container`);
  if (boot.kernelArgs === undefined || boot.kernelArgs === '') return [];
  return [invalid(`${field}.kernelArgs`, 'kernel arguments cannot be provided without an external kernel')];
}

function validateContainer(container: NonNullable<KernelBoot['container']>, field: string): readonly Cause[] {
  const { image, kernelPath = '', initrdPath = '' } = container;
  const atLeastOne = `${field} must be defined with at least one of the following: kernelPath, initrdPath`;
  return [
    ...(image === '' ? [required(`${field}.image`, `${field} must be defined with an image`)] : []),
    ...(kernelPath === '' && initrdPath === '' ? [required(field, atLeastOne)] : []),
    ...(kernelPath === '' ? [] : validatePath(`${field}.kernelPath`, kernelPath)),
    ...(initrdPath === '' ? [] : validatePath(`${field}.initrdPath`, initrdPath)),
  ];
}
