import type {
  Bootloader,
  CPUFeature,
  DomainSpec,
  VirtualMachineInstanceSpec,
  VirtualMachinePreferenceSpec,
} from '@smalt/vm-api';

import { fillIn } from './fill-in.ts';

/** The spec with the processor features, clock, features, firmware and machine type that a preference wants. */
export function preferMachine(
  spec: VirtualMachineInstanceSpec,
  preference: VirtualMachinePreferenceSpec,
): VirtualMachineInstanceSpec {
  const { domain } = spec;
  const type = preference.machine?.preferredMachineType;
  return {
    ...spec,
    domain: {
      ...fillIn(domain, { launchSecurity: preference.preferredLaunchSecurity }),
      ...cpuFeatures(domain, preference),
      ...features(domain, preference),
      ...firmware(domain, preference),
      ...clock(domain, preference),
      ...(type === undefined || type === '' ? {} : { machine: fillIn(domain.machine ?? {}, { type }) }),
    },
  };
}

function cpuFeatures({ cpu }: DomainSpec, preference: VirtualMachinePreferenceSpec): Partial<DomainSpec> {
  const wanted = preference.cpu?.preferredCPUFeatures ?? [];
  const given: readonly CPUFeature[] = cpu?.features ?? [];
  const added = wanted.filter(({ name }) => !given.some((feature) => feature.name === name));
  return added.length === 0 ? {} : { cpu: { ...cpu, features: [...given, ...added] } };
}

function features({ features: given = {} }: DomainSpec, preference: VirtualMachinePreferenceSpec): Partial<DomainSpec> {
  const wanted = preference.features;
  if (wanted === undefined) return {};
  const { preferredHyperv } = wanted;
  const filled = fillIn(given, {
    acpi: wanted.preferredAcpi,
    apic: wanted.preferredApic,
    kvm: wanted.preferredKvm,
    pvspinlock: wanted.preferredPvspinlock,
    smm: wanted.preferredSmm,
  });
  const hyperv = preferredHyperv === undefined ? {} : { hyperv: fillIn(given.hyperv ?? {}, preferredHyperv) };
  return { features: { ...filled, ...hyperv } };
}

function firmware({ firmware: given }: DomainSpec, preference: VirtualMachinePreferenceSpec): Partial<DomainSpec> {
  if (preference.firmware === undefined) return {};
  return { firmware: { ...given, bootloader: bootloader(given?.bootloader ?? {}, preference.firmware) } };
}

/** One kind of firmware alone: the classic one first, then UEFI as it is preferred, then as it was before. */
function bootloader(given: Bootloader, wanted: NonNullable<VirtualMachinePreferenceSpec['firmware']>): Bootloader {
  const isOpen = given.bios === undefined && given.efi === undefined;
  const chosen: Bootloader = isOpen && wanted.preferredUseBios === true ? { ...given, bios: {} } : given;
  if (chosen.bios !== undefined) {
    const bios = fillIn(chosen.bios, { useSerial: wanted.preferredUseBiosSerial });
    return { ...chosen, bios };
  }
  if (chosen.efi === undefined && wanted.preferredEfi !== undefined) return { ...chosen, efi: wanted.preferredEfi };
  const efi = chosen.efi ?? (wanted.preferredUseEfi === true ? {} : undefined);
  if (efi === undefined) return chosen;
  return { ...chosen, efi: fillIn(efi, { secureBoot: wanted.preferredUseSecureBoot }) };
}

function clock({ clock: given = {} }: DomainSpec, preference: VirtualMachinePreferenceSpec): Partial<DomainSpec> {
  const wanted = preference.clock;
  if (wanted === undefined) return {};
  // An offset is taken whole or not at all.
  const offset = given.utc === undefined && given.timezone === undefined ? wanted.preferredClockOffset : undefined;
  return { clock: fillIn({ ...given, ...offset }, { timer: wanted.preferredTimer }) };
}
