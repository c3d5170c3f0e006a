import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { invalid, required, validateObjectMeta, type FieldError, type Schema } from '@smalt/resource';
import { checkDns1035Label, checkPathSegmentName } from '@smalt/kubernetes';

import { metadataTypeProblem } from './check-metadata-types.ts';
import { compileVisit, type Visit } from './compile-visit.ts';
import { childPath } from './field-path.ts';

/** Checks what embedded resources have in common with all objects; nothing when a schema has none. */
export function compileEmbeddedCheck(schema: Schema): Visit | undefined {
  return compileVisit(schema, (part) => {
    return part['x-kubernetes-embedded-resource'] === true ? checkEmbedded : undefined;
  });
}

/** Checks the apiVersion, the kind and the metadata of an object that stands inside another. */
export function checkEmbedded(value: JsonValue, path: string, errors: FieldError[]): void {
  if (!isJsonObject(value)) return;
  for (const name of ['apiVersion', 'kind']) {
    const field = childPath(path, name);
    if (Object.hasOwn(value, name)) errors.push(...checkName(name, value[name] ?? null, field));
    else errors.push(required(field));
  }
  if (Object.hasOwn(value, 'metadata')) {
    errors.push(...checkMetadata(value['metadata'] ?? null, childPath(path, 'metadata')));
  }
}

function checkName(name: string, value: JsonValue, field: string): FieldError[] {
  if (typeof value !== 'string') return [invalid(field, value, 'must be a string')];
  if (value === '') return [invalid(field, value, 'must not be empty')];
  if (name === 'apiVersion') {
    const isGroupVersion = value.split('/').length <= 2;
    return isGroupVersion ? [] : [invalid(field, value, `unexpected GroupVersion string: ${value}`)];
  }
  const problems = checkDns1035Label(value.toLowerCase());
  if (problems.length === 0) return [];
  return [invalid(field, value, `may have mixed case, but should otherwise match: ${problems.join(',')}`)];
}

function checkMetadata(value: JsonValue, field: string): FieldError[] {
  const problem = metadataTypeProblem(value);
  if (problem !== undefined) return [invalid(field, value, problem)];
  const metadata: JsonObject = isJsonObject(value) ? value : {};
  const { name, namespace } = metadata;
  // An embedded object needs no name; any will do to have the rest checked.
  const named = typeof name === 'string' && name !== '' ? metadata : { ...metadata, name: 'fakename' };
  const isNamespaced = typeof namespace === 'string' && namespace !== '';
  return validateObjectMeta(named, { isNamespaced, nameRule: checkPathSegmentName }, field);
}
