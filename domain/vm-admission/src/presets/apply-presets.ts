import { KubernetesError, labelSelectorFrom, matchesLabels } from '@smalt/kubernetes';
import type { DomainSpec, VirtualMachineInstance, VirtualMachineInstancePreset } from '@smalt/vm-api';

import { invalid, type Cause } from '../cause.ts';
import { isSameValue } from '../is-same-value.ts';
import { presetParts, type PresetPart } from './preset-parts.ts';

const EXCLUDED = 'virtualmachineinstancepresets.admission.kubevirt.io/exclude';
const APPLIED_PREFIX = 'virtualmachinepreset.kubevirt.io/';

/** The presets that an instance is chosen by. A selector that makes no sense chooses none. */
export function matchingPresets(
  { metadata }: VirtualMachineInstance,
  presets: readonly VirtualMachineInstancePreset[],
): readonly VirtualMachineInstancePreset[] {
  if (metadata.annotations?.[EXCLUDED] === 'true') return [];
  return presets
    .filter(({ spec }) => chooses(spec.selector, metadata.labels))
    .toSorted((left, right) => left.metadata.name.localeCompare(right.metadata.name));
}

/**
 * An instance with what presets say and it does not. Where it says something else, it stays as it is. Each preset of which
 * something counts is noted in an annotation. Presets that contradict each other change nothing.
 */
export function applyPresets(
  instance: VirtualMachineInstance,
  presets: readonly VirtualMachineInstancePreset[],
): VirtualMachineInstance {
  if (presetConflicts(presets).length > 0) return instance;
  return presets.reduce((filled, preset) => {
    const domain = presetParts.reduce((own, part) => fill(own, preset.spec.domain, part), filled.spec.domain);
    const isApplied = presetParts.some((part) => counts(domain, preset.spec.domain, part));
    if (!isApplied) return filled;
    const annotations = {
      ...filled.metadata.annotations,
      [`${APPLIED_PREFIX}${preset.metadata.name}`]: 'kubevirt.io/v1',
    };
    return { ...filled, metadata: { ...filled.metadata, annotations }, spec: { ...filled.spec, domain } };
  }, instance);
}

/** Why presets cannot be applied together. */
export function presetConflicts(presets: readonly VirtualMachineInstancePreset[]): readonly Cause[] {
  return presets.flatMap((preset, index) =>
    presets.slice(0, index).flatMap((other) => {
      const parts = presetParts.filter((part) => contradicts(preset.spec.domain, other.spec.domain, part));
      if (parts.length === 0) return [];
      const names = parts.map(({ field }) => field).join(', ');
      const message = `VirtualMachinePresets cannot be applied due to conflicts: presets '${preset.metadata.name}' and '${other.metadata.name}' conflict: ${names}`;
      return [invalid('metadata.labels', message, 'Change the labels, or say the same in both presets.')];
    }),
  );
}

function chooses(
  selector: VirtualMachineInstancePreset['spec']['selector'],
  labels: VirtualMachineInstance['metadata']['labels'],
): boolean {
  try {
    return matchesLabels(labelSelectorFrom(selector), labels);
  } catch (error) {
    // Somebody has written it past admission; that must not keep everybody else from making instances.
    if (error instanceof KubernetesError) return false;
    throw error;
  }
}

function fill(own: DomainSpec, preset: DomainSpec | undefined, part: PresetPart): DomainSpec {
  const value = preset === undefined ? undefined : part.read(preset);
  return value === undefined || part.read(own) !== undefined ? own : part.write(own, value);
}

function counts(own: DomainSpec, preset: DomainSpec | undefined, part: PresetPart): boolean {
  const value = preset === undefined ? undefined : part.read(preset);
  return value !== undefined && isSameValue(part.read(own), value);
}

function contradicts(left: DomainSpec | undefined, right: DomainSpec | undefined, part: PresetPart): boolean {
  if (left === undefined || right === undefined) return false;
  const [one, other] = [part.read(left), part.read(right)];
  if (one === undefined || other === undefined) return false;
  return part.isMap === true ? isClash(one, other) : !isSameValue(one, other);
}

/** Two lists of amounts contradict each other only where they name the same. */
function isClash(one: object | string, other: object | string): boolean {
  const amounts = new Map(Object.entries(other));
  return Object.entries(one).some(([name, amount]) => amounts.has(name) && !isSameValue(amounts.get(name), amount));
}
