import { WellKnownName, type VirtualMachine, type VirtualMachineInstance } from '@smalt/vm-api';

import type { DefaultingContext } from './default-step.ts';

const SEED = WellKnownName.macSeedAnnotation;

type Annotations = Readonly<Record<string, string>> | undefined;

/** The annotation that makes the hardware addresses of a new guest such as nobody else can foretell, and so take first. */
export function macSeedAnnotation(context: Pick<DefaultingContext, 'randomUuid'>): Record<string, string> {
  return { [SEED]: context.randomUuid() };
}

/** A new instance with such an annotation. One of a virtual machine has that of its machine: one without keeps what it had. */
export function defaultMacSeed(instance: VirtualMachineInstance, context: DefaultingContext): VirtualMachineInstance {
  const { metadata } = instance;
  const isOfMachine = metadata.ownerReferences?.some(({ kind }) => kind === 'VirtualMachine') === true;
  if (isOfMachine || metadata.annotations?.[SEED] !== undefined) return instance;
  return {
    ...instance,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...macSeedAnnotation(context) } },
  };
}

/** An instance with the annotation that it had, or without one: the hardware addresses of a guest stay as they are. */
export function keepMacSeed(instance: VirtualMachineInstance, old: VirtualMachineInstance): VirtualMachineInstance {
  const { metadata } = instance;
  if (metadata.annotations?.[SEED] === old.metadata.annotations?.[SEED]) return instance;
  return {
    ...instance,
    metadata: { ...metadata, annotations: withSeedOf(metadata.annotations, old.metadata.annotations) },
  };
}

/** A virtual machine with the annotation that it had, where it was replaced by one that says nothing of it. */
export function keepMachineMacSeed(machine: VirtualMachine, old: VirtualMachine): VirtualMachine {
  const { template } = machine.spec;
  const { annotations } = template?.metadata ?? {};
  const kept = old.spec.template?.metadata?.annotations;
  if (template === undefined || kept?.[SEED] === undefined || annotations?.[SEED] !== undefined) return machine;
  const metadata = { ...template.metadata, annotations: withSeedOf(annotations, kept) };
  return { ...machine, spec: { ...machine.spec, template: { ...template, metadata } } };
}

function withSeedOf(annotations: Annotations, kept: Annotations): Record<string, string> {
  const { [SEED]: _written, ...others } = annotations ?? {};
  const seed = kept?.[SEED];
  return seed === undefined ? others : { ...others, [SEED]: seed };
}
