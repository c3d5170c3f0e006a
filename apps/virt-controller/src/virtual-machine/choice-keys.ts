import { referencedBy, type ChosenPart, type Referenced } from '@smalt/instance-types';
import type { VirtualMachine } from '@smalt/vm-api';

export const CHOSEN_PARTS: readonly ChosenPart[] = ['instancetype', 'preference'];

/** The key of an instance type or a preference among all of them. */
function choiceKey({ kind, name }: Referenced, namespace: string | undefined): string {
  return `${kind.plural}/${kind.isNamespaced ? `${namespace ?? ''}/` : ''}${name}`;
}

/** The keys of what a machine has chosen. */
export function choiceKeys({ metadata, spec }: VirtualMachine): readonly string[] {
  return CHOSEN_PARTS.flatMap((part) => {
    const matcher = spec[part];
    const referenced = matcher === undefined ? undefined : referencedBy(part, matcher);
    return referenced === undefined ? [] : [choiceKey(referenced, metadata.namespace)];
  });
}
