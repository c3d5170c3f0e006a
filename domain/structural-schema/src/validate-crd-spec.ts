import { isSameJson, type JsonObject, type JsonValue } from '@smalt/json';
import { goJson, goStructJson, invalid, notSupported, required, type FieldError } from '@smalt/resource';
import { checkDns1035Label, checkDns1123Subdomain } from '@smalt/kubernetes';

import { objectAt, objectsAt, textAt } from './read-object.ts';
import { validateConversion } from './validate-crd-conversion.ts';
import { requireCrdNames, validateCrdNames } from './validate-crd-names.ts';
import {
  validateColumns,
  validateSchema,
  validateSelectableFields,
  validateSubresources,
} from './validate-crd-version.ts';

type VersionField = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields';
type CheckVersion = (version: JsonObject, path: string) => FieldError[];

/** All that is wrong with what a CustomResourceDefinition asks for. */
export function validateCrdSpec(spec: JsonObject, oldSpec: JsonObject | undefined): FieldError[] {
  const versions = objectsAt(spec, 'versions');
  const names = objectAt(spec, 'names');
  const checks: readonly (readonly [VersionField, string, CheckVersion])[] = [
    ['schema', 'validation', (version, path) => validateSchema(version, path, hasSameSchema(version, oldSpec))],
    ['subresources', 'subresources', validateSubresources],
    ['additionalPrinterColumns', 'additionalPrinterColumns', validateColumns],
    ['selectableFields', 'selectableFields', validateSelectableFields],
  ];
  // What is the same in all versions is seen as one, and its errors are told once: so does Kubernetes.
  const shared = checks.filter(([name]) => isSameInAll(versions, name));
  const own = checks.filter(([name]) => !isSameInAll(versions, name));
  return [
    ...validateGroup(textAt(spec, 'group')),
    ...validateScope(textAt(spec, 'scope')),
    ...requireSchemas(versions),
    ...versions.flatMap((version, index) => validateVersion(version, `spec.versions[${index}]`, own)),
    ...validateVersionSet(versions),
    ...requireCrdNames(names, 'spec.names'),
    ...validateCrdNames(names, 'spec.names'),
    ...shared.flatMap(([, name, check]) => (versions[0] === undefined ? [] : check(versions[0], `spec.${name}`))),
    ...validateConversion(spec, oldSpec),
  ];
}

function isSameInAll(versions: readonly JsonObject[], name: VersionField): boolean {
  const first: JsonValue | undefined = versions[0]?.[name];
  return versions.every((version) => isSameJson(version[name], first));
}

function hasSameSchema(version: JsonObject, oldSpec: JsonObject | undefined): boolean {
  if (oldSpec === undefined) return false;
  const old = objectsAt(oldSpec, 'versions').find((candidate) => candidate['name'] === version['name']);
  return old !== undefined && isSameJson(old['schema'], version['schema']);
}

function validateGroup(group: string): FieldError[] {
  if (group === '') return [required('spec.group')];
  const problems = checkDns1123Subdomain(group);
  if (problems.length > 0) return [invalid('spec.group', group, problems.join(','))];
  return group.includes('.') ? [] : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function validateScope(scope: string): FieldError[] {
  if (scope === '') return [required('spec.scope')];
  const supported = ['Cluster', 'Namespaced'];
  return supported.includes(scope) ? [] : [notSupported('spec.scope', scope, supported)];
}

function requireSchemas(versions: readonly JsonObject[]): FieldError[] {
  return versions.flatMap((version, index) => {
    const hasSchema = objectAt(version, 'schema')['openAPIV3Schema'] !== undefined;
    return hasSchema ? [] : [required(`spec.versions[${index}].schema.openAPIV3Schema`)];
  });
}

function validateVersion(
  version: JsonObject,
  path: string,
  checks: readonly (readonly [VersionField, string, CheckVersion])[],
): FieldError[] {
  const name = textAt(version, 'name');
  const problems = checkDns1035Label(name);
  return [
    ...(problems.length === 0 ? [] : [invalid(`${path}.name`, name, problems.join(','))]),
    ...validateDeprecation(version, `${path}.deprecationWarning`),
    ...checks.flatMap(([field, , check]) => check(version, `${path}.${field}`)),
  ];
}

function validateDeprecation(version: JsonObject, field: string): FieldError[] {
  const warning = version['deprecationWarning'];
  if (typeof warning !== 'string') return [];
  return deprecationProblems(warning, version['deprecated'] === true).map((problem) => ({
    ...invalid(field, warning, problem),
    shownValue: goJson(warning),
  }));
}

function deprecationProblems(warning: string, isDeprecated: boolean): readonly string[] {
  if (!isDeprecated) return ['can only be set for deprecated versions'];
  const problems: string[] = [];
  if (Buffer.byteLength(warning) > 256) problems.push('must be <= 256 characters long');
  if (warning === '') problems.push('must not be an empty string');
  const position = warning.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u);
  if (position >= 0) {
    const index = Buffer.byteLength(warning.slice(0, position));
    problems.push(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
  }
  return problems;
}

function validateVersionSet(versions: readonly JsonObject[]): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set(versions.map((version) => version['name']));
  if (names.size < versions.length) {
    errors.push(invalidVersions(versions, 'must contain unique version names'));
  }
  if (versions.filter((version) => version['storage'] === true).length !== 1) {
    errors.push(invalidVersions(versions, 'must have exactly one version marked as storage version'));
  }
  // The first version is also the one that the oldest form of a definition has, and is checked there once more.
  const [first] = versions;
  const problems = first === undefined ? [] : checkDns1035Label(textAt(first, 'name'));
  if (problems.length > 0) errors.push(invalid('spec.version', first?.['name'], problems.join(',')));
  return errors;
}

// Kubernetes shows the versions as it holds them: with names of its own, and without what is the same in all.
function invalidVersions(versions: readonly JsonObject[], detail: string): FieldError {
  const shown = versions.map((version) => ({
    Name: textAt(version, 'name'),
    Served: version['served'] === true,
    Storage: version['storage'] === true,
    Deprecated: version['deprecated'] === true,
    DeprecationWarning: version['deprecationWarning'] ?? null,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  }));
  return { ...invalid('spec.versions', versions, detail), shownValue: goStructJson(shown) };
}
