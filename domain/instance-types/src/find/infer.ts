import type { VirtualMachine } from '@smalt/vm-api';

import type { ChosenPart } from './matcher.ts';

type Labels = Readonly<Record<string, string>>;

/** The claim whose labels say what a volume wants, or why there is none. */
export type InferenceSource =
  | { readonly kind: 'claim'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'none'; readonly message: string; readonly isIgnorable: boolean };

/** Which claim tells what instance type or preference goes with a volume of a machine. */
export function inferenceSource({ metadata, spec }: VirtualMachine, volumeName: string): InferenceSource {
  const namespace = metadata.namespace ?? '';
  const volume = (spec.template?.spec?.volumes ?? []).find(({ name }) => name === volumeName);
  if (volume === undefined) return none(`unable to find volume ${volumeName} to infer defaults`, false);
  const { persistentVolumeClaim, dataVolume } = volume;
  if (persistentVolumeClaim?.claimName !== undefined) {
    return { kind: 'claim', namespace, name: persistentVolumeClaim.claimName };
  }
  if (dataVolume === undefined) {
    return none(`unable to infer defaults from volume ${volumeName} as type is not supported`, true);
  }
  const template = (spec.dataVolumeTemplates ?? []).find((each) => each?.metadata?.name === dataVolume.name);
  // A volume that is there already has a claim of its name.
  if (template === undefined || template === null) return { kind: 'claim', namespace, name: dataVolume.name };
  const source = template.spec?.source?.pvc;
  if (source !== undefined) return { kind: 'claim', namespace: source.namespace ?? namespace, name: source.name ?? '' };
  return none('unable to infer defaults from DataVolumeSpec as DataVolumeSource is not supported', true);
}

/** What the labels of a claim say. */
export type Inference =
  | { readonly kind: 'inferred'; readonly name: string; readonly ofKind: string | undefined }
  | { readonly kind: 'none'; readonly message: string; readonly isIgnorable: boolean };

/** Reads what the labels of a claim say about an instance type or preference. */
export function inferFromLabels(part: ChosenPart, labels: Labels | undefined): Inference {
  const label = `instancetype.kubevirt.io/default-${part}`;
  const name = labels?.[label];
  if (name === undefined) return none(`unable to find required ${label} label on the volume`, true);
  return { kind: 'inferred', name, ofKind: labels?.[`${label}-kind`] };
}

/** The machine with what was inferred in the place of the volume it was inferred from. */
export function withInference(machine: VirtualMachine, part: ChosenPart, inference: Inference): VirtualMachine {
  const matcher = machine.spec[part];
  const isForgiving = matcher?.inferFromVolumeFailurePolicy === 'Ignore';
  if (inference.kind === 'none') {
    if (!isForgiving || !inference.isIgnorable) return machine;
    const { [part]: _given, ...spec } = machine.spec;
    return { ...machine, spec };
  }
  const { name, ofKind } = inference;
  const chosen = { ...machine.spec, [part]: { name, ...(ofKind === undefined ? {} : { kind: ofKind }) } };
  return isForgiving && part === 'instancetype'
    ? withoutMemory({ ...machine, spec: chosen })
    : { ...machine, spec: chosen };
}

/** Memory beside a type that may not be found is meant for the case that it is not. */
function withoutMemory(machine: VirtualMachine): VirtualMachine {
  const { template } = machine.spec;
  if (template?.spec === undefined) return machine;
  const { memory: _memory, ...domain } = template.spec.domain;
  return { ...machine, spec: { ...machine.spec, template: { ...template, spec: { ...template.spec, domain } } } };
}

function none(message: string, isIgnorable: boolean): { readonly kind: 'none'; message: string; isIgnorable: boolean } {
  return { kind: 'none', message, isIgnorable };
}
