import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { judge } from '../../fixtures/judge.ts';
import { invalid, required } from '../../cause.ts';
import { domain, withVolume } from '../../fixtures/small-instance.ts';

const KERNEL = 'spec.domain.firmware.kernelBoot';
const HYPERV = 'spec.domain.features.hyperv';
const on = { enabled: true };
const off = { enabled: false };
const plainEfi = { bootloader: { efi: { secureBoot: false } } };

describe('the rules about machine and firmware', () => {
  it.each([
    {
      rule: 'a machine is of an allowed type',
      bad: domain({ machine: { type: 'pc-i440fx-3.1' } }),
      causes: [
        invalid(
          'spec.domain.machine.type',
          'spec.domain.machine.type is not supported: pc-i440fx-3.1 (allowed values: [q35* pc-q35*])',
        ),
      ],
      good: domain({ machine: { type: 'pc-q35-9.2' } }),
    },
    {
      rule: 'a guest starts by one firmware',
      bad: domain({ firmware: { bootloader: { efi: { secureBoot: false }, bios: {} } } }),
      causes: [
        invalid(
          'spec.domain.firmware.bootloader',
          'spec.domain.firmware.bootloader has both EFI and BIOS configured, but they are mutually exclusive.',
        ),
      ],
      good: domain({ firmware: { bootloader: { bios: {} } } }),
    },
    {
      rule: 'secure boot needs system management mode',
      bad: domain({ firmware: { bootloader: { efi: {} } } }),
      causes: [
        invalid(
          'spec.domain',
          'spec.domain has EFI SecureBoot enabled. SecureBoot requires SMM, which is currently disabled.',
        ),
      ],
      good: domain({ firmware: { bootloader: { efi: {} } }, features: { smm: {} } }),
    },
    {
      rule: 'system management mode is not switched off under secure boot',
      bad: domain({ firmware: { bootloader: { efi: { secureBoot: true } } }, features: { smm: off } }),
      causes: [
        invalid(
          'spec.domain',
          'spec.domain has EFI SecureBoot enabled. SecureBoot requires SMM, which is currently disabled.',
        ),
      ],
      good: domain({ firmware: plainEfi, features: { smm: off } }),
    },
    {
      rule: 'arguments need a kernel',
      bad: domain({ firmware: { kernelBoot: { kernelArgs: 'quiet' } } }),
      causes: [invalid(`${KERNEL}.kernelArgs`, 'kernel arguments cannot be provided without an external kernel')],
      good: domain({ firmware: { kernelBoot: {} } }),
    },
    {
      rule: 'a kernel comes in an image and has a path',
      bad: domain({ firmware: { kernelBoot: { container: { image: '' } } } }),
      causes: [
        required(`${KERNEL}.container.image`, `${KERNEL}.container must be defined with an image`),
        required(
          `${KERNEL}.container`,
          `${KERNEL}.container must be defined with at least one of the following: kernelPath, initrdPath`,
        ),
      ],
      good: domain({ firmware: { kernelBoot: { container: { image: 'kernel', initrdPath: '/boot/initrd' } } } }),
    },
    {
      rule: 'a path stays inside the image',
      bad: domain({
        firmware: { kernelBoot: { container: { image: 'kernel', kernelPath: '/boot/../etc', initrdPath: '/' } } },
      }),
      causes: [
        invalid(
          `${KERNEL}.container.kernelPath`,
          `${KERNEL}.container.kernelPath must be an absolute path to a file without relative components`,
        ),
        invalid(`${KERNEL}.container.initrdPath`, `${KERNEL}.container.initrdPath must not point to root`),
      ],
      good: domain({ firmware: { kernelBoot: { container: { image: 'kernel', kernelPath: '/boot/vmlinuz/' } } } }),
    },
    {
      rule: 'a path is absolute and plain',
      bad: domain({
        firmware: { kernelBoot: { container: { image: 'kernel', kernelPath: 'boot', initrdPath: '/a//b' } } },
      }),
      causes: [
        invalid(
          `${KERNEL}.container.kernelPath`,
          `${KERNEL}.container.kernelPath must be an absolute path to a file without relative components`,
        ),
        invalid(
          `${KERNEL}.container.initrdPath`,
          `${KERNEL}.container.initrdPath must be an absolute path to a file without relative components`,
        ),
      ],
      good: domain({ firmware: { kernelBoot: { container: { image: 'kernel', kernelPath: '/..data' } } } }),
    },
    {
      rule: 'tables are named',
      bad: domain({ firmware: { acpi: {} } }),
      causes: [invalid('spec.acpi', 'ACPI was set but no SLIC nor MSDM volume reference was set')],
      good: withTable('data', { secret: { secretName: 'slic' } }),
    },
    {
      rule: 'a table is in a volume',
      bad: withTable('other', { secret: { secretName: 'slic' } }),
      causes: [invalid('spec.acpi.slicNameRef', 'spec.acpi does not have a matching Volume.')],
      good: domain({}),
    },
    {
      rule: 'a table is in a Secret',
      bad: withTable('data', { configMap: { name: 'slic' } }),
      causes: [invalid('spec.acpi.slicNameRef', 'spec.acpi refers to Volume of unsupported type.')],
      good: domain({}),
    },
    {
      rule: 'what a Hyper-V feature needs is not switched off',
      bad: domain({ features: { hyperv: { synictimer: on, synic: on, vpindex: off } } }),
      causes: [invalid(`${HYPERV}.synic`, `'${HYPERV}.synic' requires '${HYPERV}.vpindex', which was disabled.`)],
      good: domain({ features: { hyperv: { synictimer: on, synic: on, vpindex: on } } }),
    },
    {
      rule: 'all that needs the index of processors is told',
      bad: domain({ features: { hyperv: { ipi: on, tlbflush: on, synictimer: on } } }),
      causes: [
        invalid(`${HYPERV}.ipi`, `'${HYPERV}.ipi' requires '${HYPERV}.vpindex', which was disabled.`),
        invalid(`${HYPERV}.tlbflush`, `'${HYPERV}.tlbflush' requires '${HYPERV}.vpindex', which was disabled.`),
        invalid(`${HYPERV}.synictimer`, `'${HYPERV}.synictimer' requires '${HYPERV}.synic', which was disabled.`),
      ],
      good: domain({ features: { hyperv: { ipi: off, tlbflush: off } } }),
    },
    {
      rule: 'nested Hyper-V needs the feature of the processor',
      bad: domain({ features: { hyperv: { evmcs: on, vapic: on } } }),
      causes: [required('spec.domain.cpu.features', 'vmx cpu feature is required when evmcs is set')],
      good: domain({
        features: { hyperv: { evmcs: on, vapic: on } },
        cpu: { features: [{ name: 'vmx', policy: 'require' }] },
      }),
    },
    {
      rule: 'nested Hyper-V requires the feature of the processor',
      bad: domain({
        features: { hyperv: { evmcs: on, vapic: on } },
        cpu: { features: [{ name: 'vmx', policy: 'optional' }] },
      }),
      causes: [invalid('spec.domain.cpu.features[0].policy', 'vmx cpu feature has to be set to require policy')],
      good: domain({ features: { hyperv: { evmcs: off } } }),
    },
    {
      rule: 'Hyper-V features are listed or taken from the host',
      bad: domain({ features: { hyperv: { relaxed: on }, hypervPassthrough: on } }),
      causes: [
        invalid(
          HYPERV,
          'Cannot explicitly set hyperV features if HypervPassthrough is being used. Please use either HyperV or HypervPassthrough.',
        ),
      ],
      good: domain({ features: { hypervPassthrough: on } }),
    },
  ])('$rule', ({ bad, causes, good }) => {
    expect(judge(bad)).toEqual(causes);
    expect(judge(good)).toEqual([]);
  });
});

function withTable(slicNameRef: string, volume: Parameters<typeof withVolume>[0]): VirtualMachineInstanceSpec {
  const parts = withVolume(volume);
  return { ...parts, domain: { ...parts.domain, firmware: { acpi: { slicNameRef } } } };
}
