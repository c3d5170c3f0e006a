import type { JsonObject } from '@smalt/json';
import { invalid, required, validateObjectMeta, validateObjectMetaUpdate, type FieldError } from '@smalt/resource';
import { checkDns1123Subdomain } from '@smalt/kubernetes';

import { validateCrdNames } from './validate-crd-names.ts';
import { validateCrdSpec } from './validate-crd-spec.ts';
import { isRequestUri } from './network-formats.ts';
import { objectAt, objectsAt, textAt, textsAt } from './read-object.ts';

const APPROVAL = 'api-approved.kubernetes.io';
const APPROVAL_LINK = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** All that is wrong with a CustomResourceDefinition that has its defaults; `old` is the one it is to replace. */
export function validateCustomResourceDefinition(crd: JsonObject, old?: JsonObject): readonly FieldError[] {
  const [spec, status] = [objectAt(crd, 'spec'), objectAt(crd, 'status')];
  return [
    ...validateMetadata(crd, old),
    ...validateCrdSpec(spec, old === undefined ? undefined : objectAt(old, 'spec')),
    ...(old === undefined ? [] : validateImmutable(spec, old)),
    ...validateCrdNames(objectAt(status, 'acceptedNames'), 'status.acceptedNames'),
    ...validateStoredVersions(textsAt(status, 'storedVersions'), objectsAt(spec, 'versions')),
    ...validateApproval(crd, old),
    ...validatePreserveUnknownFields(spec, old),
  ];
}

function validateMetadata(crd: JsonObject, old: JsonObject | undefined): FieldError[] {
  const metadata = objectAt(crd, 'metadata');
  if (old !== undefined) return validateObjectMetaUpdate(metadata, objectAt(old, 'metadata'));
  const spec = objectAt(crd, 'spec');
  const name = `${textAt(objectAt(spec, 'names'), 'plural')}.${textAt(spec, 'group')}`;
  const nameRule = (given: string): readonly string[] => {
    const problems = checkDns1123Subdomain(given);
    return given === name ? problems : [...problems, 'must be spec.names.plural+"."+spec.group'];
  };
  return validateObjectMeta(metadata, { isNamespaced: false, nameRule });
}

function validateImmutable(spec: JsonObject, old: JsonObject): FieldError[] {
  const oldSpec = objectAt(old, 'spec');
  const conditions = objectsAt(objectAt(old, 'status'), 'conditions');
  const isEstablished = conditions.some(({ type, status }) => type === 'Established' && status === 'True');
  const fields: (readonly [string, string, string])[] = [];
  const [names, oldNames] = [objectAt(spec, 'names'), objectAt(oldSpec, 'names')];
  if (isEstablished) {
    fields.push(['spec.scope', textAt(spec, 'scope'), textAt(oldSpec, 'scope')]);
    fields.push(['spec.names.kind', textAt(names, 'kind'), textAt(oldNames, 'kind')]);
  }
  fields.push(['spec.group', textAt(spec, 'group'), textAt(oldSpec, 'group')]);
  fields.push(['spec.names.plural', textAt(names, 'plural'), textAt(oldNames, 'plural')]);
  return fields
    .filter(([, value, before]) => value !== before)
    .map(([field, value]) => invalid(field, value, 'field is immutable'));
}

function validateStoredVersions(stored: readonly string[], versions: readonly JsonObject[]): FieldError[] {
  const path = 'status.storedVersions';
  if (stored.length === 0) return [invalid(path, null, 'must have at least one stored version')];
  const errors: FieldError[] = [];
  for (const version of versions) {
    const name = textAt(version, 'name');
    if (version['storage'] === true && !stored.includes(name)) {
      errors.push(invalid(path, stored, `must have the storage version ${name}`));
    }
  }
  const names = new Set(versions.map((version) => textAt(version, 'name')));
  for (const [index, name] of stored.entries()) {
    if (!names.has(name)) errors.push(invalid(`${path}[${index}]`, name, missingVersion(name)));
  }
  return errors;
}

function missingVersion(name: string): string {
  return `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
}

function validateApproval(crd: JsonObject, old: JsonObject | undefined): FieldError[] {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(textAt(objectAt(crd, 'spec'), 'group'))) return [];
  const annotation = approvalOf(crd);
  const state = approvalState(annotation);
  if (old !== undefined && approvalState(approvalOf(old)) === state) return [];
  const field = `metadata.annotations[${APPROVAL}]`;
  const start = `protected groups must have approval annotation "${APPROVAL}"`;
  switch (state) {
    case 'missing':
      return [required(field, `${start}, ${APPROVAL_LINK}`)];
    case 'invalid':
      return [
        invalid(
          field,
          annotation,
          `${start} with either a URL or a reason starting with "unapproved", ${APPROVAL_LINK}`,
        ),
      ];
    case 'approved':
    case 'bypassed':
      return [];
  }
}

function approvalOf(crd: JsonObject): string {
  return textAt(objectAt(objectAt(crd, 'metadata'), 'annotations'), APPROVAL);
}

function approvalState(annotation: string): 'missing' | 'bypassed' | 'approved' | 'invalid' {
  if (annotation === '') return 'missing';
  if (annotation.startsWith('unapproved')) return 'bypassed';
  return /^[a-zA-Z][\w+.-]*:\/\/[^/]/.test(annotation) && isRequestUri(annotation) ? 'approved' : 'invalid';
}

function validatePreserveUnknownFields(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  if (old !== undefined && objectAt(old, 'spec')['preserveUnknownFields'] === true) return [];
  if (spec['preserveUnknownFields'] !== true) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid('spec.preserveUnknownFields', true, detail)];
}
