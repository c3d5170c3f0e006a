import { KubernetesError, labelSelectorFrom, matchesLabels } from '@smalt/kubernetes';
import type { VirtualMachine, VirtualMachinePool } from '@smalt/vm-api';

import type { AdmissionContext } from '../admission-context.ts';
import { invalid, type Cause } from '../cause.ts';
import { isSameValue } from '../is-same-value.ts';
import { EMPTY_SPEC } from './empty-spec.ts';
import { validateVirtualMachine } from './virtual-machine/validate-virtual-machine.ts';

const TEMPLATE = 'spec.virtualMachineTemplate';

/** Every reason why a pool cannot be written: its machines, whether it would count them, and how it changes their number. */
export function validatePool(
  pool: VirtualMachinePool,
  old: VirtualMachinePool | undefined,
  context: AdmissionContext,
): readonly Cause[] {
  const { spec } = pool;
  return [
    ...validateVirtualMachine(machineOf(pool), undefined, context).map(belowTemplate),
    ...validateSelector(pool),
    ...validateMostUnavailable(spec.maxUnavailable),
    ...validateStrategy('updateStrategy', spec.updateStrategy),
    ...validateStrategy('scaleInStrategy', spec.scaleInStrategy),
    ...(old === undefined || isSameValue(spec.selector, old.spec.selector)
      ? []
      : [invalid('spec.selector', 'selector is immutable after creation.', 'Make another pool.')]),
  ];
}

/** A machine as the pool would make it. */
function machineOf({ metadata, spec }: VirtualMachinePool): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: metadata.name, ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }) },
    spec: spec.virtualMachineTemplate.spec ?? { template: { spec: EMPTY_SPEC } },
  };
}

/** What is told of a machine, told of the template that it is made from. */
function belowTemplate({ field, message, ...cause }: Cause): Cause {
  return { ...cause, field: moved(field), message: moved(message) };
}

function moved(text: string): string {
  const fields = /\bspec\.(?=(?:template|dataVolumeTemplates|running|runStrategy)\b)/gu;
  return text.replaceAll(fields, `${TEMPLATE}.spec.`);
}

function validateSelector({ spec }: VirtualMachinePool): readonly Cause[] {
  try {
    const isOwn = matchesLabels(labelSelectorFrom(spec.selector), spec.virtualMachineTemplate.metadata?.labels);
    const advice = `Give ${TEMPLATE}.metadata.labels all that the selector asks for.`;
    return isOwn ? [] : [invalid('spec.selector', 'selector does not match labels.', advice)];
  } catch (error) {
    if (error instanceof KubernetesError) return [invalid('spec.selector', error.message)];
    throw error;
  }
}

function validateMostUnavailable(most: number | string | undefined): readonly Cause[] {
  if (most === undefined) return [];
  const field = 'spec.maxUnavailable';
  if (typeof most === 'number') return most > 0 ? [] : [invalid(field, 'maxUnavailable must be greater than 0')];
  if (!most.endsWith('%')) return [invalid(field, 'maxUnavailable percentage must end with %')];
  const digits = most.slice(0, -1);
  if (!/^[+-]?\d+$/u.test(digits)) {
    return [invalid(field, `maxUnavailable percentage value "${digits}" is invalid: write it like 20%`)];
  }
  const percent = Number(digits);
  const isPossible = percent > 0 && percent <= 100;
  return isPossible ? [] : [invalid(field, `maxUnavailable percentage value ${percent} must be between 1 and 100`)];
}

function validateStrategy(name: string, strategy: object | undefined): readonly Cause[] {
  const given = Object.keys(strategy ?? {});
  if (given.length < 2) return [];
  const message = `only one strategy can be configured at a time: but found ${given.join(', ')} strategies`;
  return [invalid(`spec.${name}`, message, 'Leave all but one out.')];
}
