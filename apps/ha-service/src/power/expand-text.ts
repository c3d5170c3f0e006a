import type { HostPowerFacts } from './host-power-facts.ts';

const FIELD = /\{(?:(host|address)|label:([^{}]+))\}/g;
/** What may stand in for a field. It cannot begin an option of a program, nor leave its place in a URL or a path. */
const SAFE = /^[A-Za-z0-9[][A-Za-z0-9._:[\]-]*$/;

/**
 * A text of the settings with what is known of a host in its fields; undefined when something that it asks for is not
 * known, or is nothing that may stand in an address.
 */
export function expandText(text: string, facts: HostPowerFacts): string | undefined {
  let isComplete = true;
  const expanded = text.replaceAll(FIELD, (_field, word: string | undefined, label: string | undefined) => {
    const value = valueOf(word ?? 'label', label ?? '', facts);
    if (value !== undefined && SAFE.test(value)) return value;
    isComplete = false;
    return '';
  });
  return isComplete ? expanded : undefined;
}

/** What in a text looks like a field and is none. */
export function unknownFields(text: string): readonly string[] {
  return text.replaceAll(FIELD, '').match(/\{[^}]*\}?/g) ?? [];
}

/** Whether it is the same for all hosts. */
export function isSameForAll(text: string): boolean {
  return text.search(FIELD) === -1;
}

function valueOf(word: string, label: string, { name, address, labels }: HostPowerFacts): string | undefined {
  if (word === 'host') return name;
  if (word === 'address') return address;
  return Object.hasOwn(labels, label) ? labels[label] : undefined;
}
