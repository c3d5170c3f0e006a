import type { Firmware, VirtualMachine, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { pciTopologyAnnotation } from './default-annotations.ts';
import { defaultArchitecture } from './default-architecture.ts';
import { changeDomain } from './change-domain.ts';
import { defaultHypervisor } from './default-hypervisor.ts';
import { defaultMachineType } from './default-machine-type.ts';
import { keepMachineMacSeed, macSeedAnnotation } from './default-mac-seed.ts';
import type { DefaultingContext } from './default-step.ts';

/** What defaulting a virtual machine works with. */
export interface VirtualMachineDefaulting extends DefaultingContext {
  readonly operation: 'create' | 'update';
  /** What it was before an update. */
  readonly old?: VirtualMachine | undefined;
  /** The architecture that the source of its disks is labelled with, where it has such a source. */
  readonly sourceArchitecture?: string;
}

const ARCHITECTURES: readonly string[] = ['amd64', 'arm64', 's390x'];

/**
 * A virtual machine with the parts filled in that must stay the same for all of its instances. One that is being
 * deleted is left alone.
 */
export function defaultVirtualMachine(machine: VirtualMachine, context: VirtualMachineDefaulting): VirtualMachine {
  const { spec: template } = machine.spec.template ?? {};
  if (machine.metadata.deletionTimestamp !== undefined || template === undefined) return machine;
  const isNew = context.operation === 'create';
  const identified = isNew ? withIdentity(template, context) : template;
  const spec = defaultMachineType(
    defaultHypervisor(
      defaultArchitecture(withSourceArchitecture(identified, context), context.settings),
      context.settings,
    ),
    context.settings,
  );
  const changed = { ...machine, spec: { ...machine.spec, template: { ...machine.spec.template, spec } } };
  if (isNew) return withAnnotations(changed, { ...pciTopologyAnnotation(spec), ...macSeedAnnotation(context) });
  return context.old === undefined ? changed : keepMachineMacSeed(changed, context.old);
}

// On an update the controller may be writing these at the same time.
function withIdentity(spec: VirtualMachineInstanceSpec, context: DefaultingContext): VirtualMachineInstanceSpec {
  const firmware: Firmware = spec.domain.firmware ?? {};
  const uuid = firmware.uuid === undefined || firmware.uuid === '' ? context.randomUuid() : firmware.uuid;
  const serial = firmware.serial === undefined || firmware.serial === '' ? context.randomUuid() : firmware.serial;
  return changeDomain(spec, { firmware: { ...firmware, uuid, serial } });
}

function withSourceArchitecture(
  spec: VirtualMachineInstanceSpec,
  { sourceArchitecture }: VirtualMachineDefaulting,
): VirtualMachineInstanceSpec {
  const isOpen = spec.architecture === undefined || spec.architecture === '';
  if (!isOpen || sourceArchitecture === undefined || !ARCHITECTURES.includes(sourceArchitecture)) return spec;
  return { ...spec, architecture: sourceArchitecture };
}

function withAnnotations(machine: VirtualMachine, added: Readonly<Record<string, string>>): VirtualMachine {
  const { template } = machine.spec;
  const annotations = { ...added, ...template.metadata?.annotations };
  const metadata = { ...template.metadata, annotations };
  return { ...machine, spec: { ...machine.spec, template: { ...template, metadata } } };
}
