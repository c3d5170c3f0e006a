import { isJsonObject, type JsonValue } from '@smalt/json';

import { EMPTY_SET, type FieldSet } from './field-set.ts';
import { FieldSetBuilder } from './field-set-builder.ts';
import { ManagedFieldsError } from './managed-fields-error.ts';
import { parsePathElement, type PathElement, SELF } from './path-element.ts';

/** Reads FieldsV1 that came from outside and makes it canonical. */
export function parseFieldSet(value: JsonValue | undefined): FieldSet {
  if (value === undefined || value === null) return EMPTY_SET;
  const builder = new FieldSetBuilder();
  readNode(value, [], builder);
  return builder.build();
}

/** Adds what is below a node, and says whether it was anything. */
function readNode(value: JsonValue, path: PathElement[], builder: FieldSetBuilder): void {
  if (value !== null && !isJsonObject(value)) {
    throw new ManagedFieldsError('failed', `expected an object in FieldsV1 below ${path.join('/')}`);
  }
  let isMember = true;
  let isSelf = false;
  for (const [text, child] of Object.entries(value ?? {})) {
    const element = text === SELF ? undefined : parsePathElement(text);
    isSelf ||= text === SELF;
    if (element === undefined) continue;
    isMember = false;
    path.push(element);
    readNode(child, path, builder);
    path.pop();
  }
  if ((isMember || isSelf) && path.length > 0) builder.insert(path);
}
