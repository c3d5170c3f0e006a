import type { JsonObject, JsonValue } from '@smalt/json';
import { goQuote } from '@smalt/resource';

import { objectAt, textAt, textsAt } from '../identity/object-fields.ts';
import type { DefinitionCondition } from './definition-conditions.ts';

/** The names that other definitions of the same group hold already. */
export interface ClaimedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

export interface AcceptedNames {
  readonly names: JsonObject;
  readonly condition: DefinitionCondition;
}

interface Clash {
  readonly reason: string;
  readonly message: string;
}

/** The names that definitions of a group have been granted. */
export function claimedNames(definitions: Iterable<JsonObject>): ClaimedNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const crd of definitions) {
    const names = objectAt(objectAt(crd, 'status'), 'acceptedNames');
    for (const name of [textAt(names, 'plural'), textAt(names, 'singular'), ...textsAt(names, 'shortNames')]) {
      if (name !== '') resources.add(name);
    }
    for (const kind of [textAt(names, 'kind'), textAt(names, 'listKind')]) if (kind !== '') kinds.add(kind);
  }
  return { resources, kinds };
}

/** Grants a definition the names it asks for, as far as nobody else has them; the rest stay what they were. */
export function acceptNames(crd: JsonObject, claimed: ClaimedNames): AcceptedNames {
  const wanted = objectAt(objectAt(crd, 'spec'), 'names');
  const held = objectAt(objectAt(crd, 'status'), 'acceptedNames');
  const names: Record<string, JsonValue> = { ...held };
  const clashes: Clash[] = [];
  const take = (field: string, used: ReadonlySet<string>, reason: string): void => {
    const name = textAt(wanted, field);
    if (name === textAt(held, field) || !used.has(name)) names[field] = name;
    else clashes.push({ reason, message: inUse(name) });
  };
  take('plural', claimed.resources, 'PluralConflict');
  take('singular', claimed.resources, 'SingularConflict');
  const taken = takenShortNames(wanted, held, claimed.resources);
  if (taken.length === 0) setList(names, 'shortNames', textsAt(wanted, 'shortNames'));
  else clashes.push({ reason: 'ShortNamesConflict', message: aggregate(taken.map(inUse)) });
  take('kind', claimed.kinds, 'KindConflict');
  take('listKind', claimed.kinds, 'ListKindConflict');
  setList(names, 'categories', textsAt(wanted, 'categories'));
  return { names, condition: conditionOf(clashes.at(-1)) };
}

function takenShortNames(wanted: JsonObject, held: JsonObject, used: ReadonlySet<string>): readonly string[] {
  const own = textsAt(held, 'shortNames');
  return textsAt(wanted, 'shortNames').filter((name) => !own.includes(name) && used.has(name));
}

function setList(names: Record<string, JsonValue>, field: string, values: readonly string[]): void {
  if (values.length === 0) delete names[field];
  else names[field] = values;
}

function inUse(name: string): string {
  return `${goQuote(name)} is already in use`;
}

function aggregate(messages: readonly string[]): string {
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
}

function conditionOf(clash: Clash | undefined): DefinitionCondition {
  const type = 'NamesAccepted';
  if (clash !== undefined) return { type, status: 'False', ...clash };
  return { type, status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
}
