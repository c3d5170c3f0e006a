import type { JsonObject } from '@smalt/json';
import {
  checkConfigMapKey,
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkPathSegmentName,
  checkQualifiedName,
} from '@smalt/kubernetes';
import { describe, expect, it } from 'vitest';

import {
  formatFieldError,
  resourceVersionRequired,
  validateFieldManager,
  validateObjectMeta,
  validateObjectMetaUpdate,
  type ObjectMetaRules,
} from './index.ts';

const SUBDOMAIN = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`;
const LABEL = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`;
const QUALIFIED = `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;
const LABEL_VALUE = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`;

describe('validateObjectMeta', () => {
  it.each<{ metadata: JsonObject; errors: readonly string[] }>([
    { metadata: { name: 'a', namespace: 'b' }, errors: [] },
    { metadata: { namespace: 'b' }, errors: ['metadata.name: Required value: name or generateName is required'] },
    { metadata: { name: 'a' }, errors: ['metadata.namespace: Required value'] },
    {
      metadata: { name: 'A_', namespace: 'b.c' },
      errors: [
        `metadata.name: Invalid value: "A_": ${SUBDOMAIN}`,
        'metadata.namespace: Invalid value: "b.c": must not contain dots',
      ],
    },
    {
      metadata: { name: 'a', namespace: 'b', generateName: 'Web-' },
      errors: [`metadata.generateName: Invalid value: "Web-": ${SUBDOMAIN}`],
    },
    { metadata: { name: 'a', namespace: 'b', generateName: 'web-' }, errors: [] },
    {
      metadata: { name: 'a', namespace: 'b', generation: -1 },
      errors: ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
    },
    {
      metadata: { name: 'a', namespace: 'b', labels: { 'x/y/z': 'v', '-': '-' } },
      errors: [
        `metadata.labels: Invalid value: "x/y/z": a valid label key ${QUALIFIED.slice('name part '.length)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
        `metadata.labels: Invalid value: "-": ${QUALIFIED}`,
        `metadata.labels: Invalid value: "-": ${LABEL_VALUE}`,
      ],
    },
    {
      metadata: { name: 'a', namespace: 'b', labels: { app: 'x'.repeat(64) } },
      errors: [`metadata.labels: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`],
    },
    {
      metadata: { name: 'a', namespace: 'b', annotations: { 'Kubectl.kubernetes.io/X': 'y'.repeat(256 * 1024) } },
      errors: ['metadata.annotations: Too long: may not be more than 262144 bytes'],
    },
    {
      metadata: { name: 'a', namespace: 'b', finalizers: ['orphan', 'foregroundDeletion', ''] },
      errors: [
        'metadata.finalizers: Invalid value: "": name part must be non-empty',
        `metadata.finalizers: Invalid value: "": ${QUALIFIED}`,
        'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion",""]: finalizer orphan and foregroundDeletion cannot be both set',
      ],
    },
    {
      metadata: { name: 'a', namespace: 'b', ownerReferences: [{ apiVersion: 'apps/' }] },
      errors: [
        'metadata.ownerReferences.apiVersion: Invalid value: "apps/": version must not be empty',
        'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
        'metadata.ownerReferences.name: Invalid value: "": must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
      ],
    },
    {
      metadata: { name: 'a', namespace: 'b', ownerReferences: [owner('p'), owner('q')] },
      errors: [
        'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u","controller":true},{"apiVersion":"v1","kind":"Pod","name":"q","uid":"u","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Pod/p and Pod/q',
      ],
    },
    {
      metadata: {
        name: 'a',
        namespace: 'b',
        managedFields: [{ operation: 'Patch', fieldsType: 'X', manager: 'a\u0001' }],
      },
      errors: [
        'metadata.managedFields[0].operation: Invalid value: "Patch": must be `Apply` or `Update`',
        'metadata.managedFields[0].fieldsType: Invalid value: "X": must be `FieldsV1`',
        String.raw`metadata.managedFields[0].manager: Invalid value: "a\x01": invalid character U+0001 (at position 1)`,
      ],
    },
  ])('finds $errors', ({ metadata, errors }) => {
    expect(validateObjectMeta(metadata, rules()).map(formatFieldError)).toEqual(errors);
  });

  it('allows no namespace where there are none', () => {
    const errors = validateObjectMeta({ name: 'a', namespace: 'b' }, { ...rules(), isNamespaced: false });

    expect(errors.map(formatFieldError)).toEqual(['metadata.namespace: Forbidden: not allowed on this type']);
  });

  it('does not take a label named like a member of all objects for one', () => {
    expect(validateObjectMeta({ name: 'a', namespace: 'b', labels: { constructor: 'x' } }, rules())).toEqual([]);
  });
});

describe('validateObjectMetaUpdate', () => {
  const old: JsonObject = {
    name: 'a',
    uid: 'u',
    resourceVersion: '1',
    generation: 2,
    creationTimestamp: '2026-01-01T00:00:00Z',
  };

  it.each<{ change: JsonObject; errors: readonly string[] }>([
    { change: {}, errors: [] },
    { change: { creationTimestamp: '2026-01-01T01:00:00+01:00' }, errors: [] },
    { change: { name: 'b' }, errors: ['metadata.name: Invalid value: "b": field is immutable'] },
    { change: { uid: '' }, errors: ['metadata.uid: Invalid value: "": field is immutable'] },
    { change: { namespace: 'n' }, errors: ['metadata.namespace: Invalid value: "n": field is immutable'] },
    {
      change: { resourceVersion: '' },
      errors: ['metadata.resourceVersion: Invalid value: "": must be specified for an update'],
    },
    { change: { generation: 1 }, errors: ['metadata.generation: Invalid value: 1: must not be decremented'] },
    {
      change: { deletionTimestamp: '2026-01-01T00:00:00Z' },
      errors: ['metadata.deletionTimestamp: Invalid value: "2026-01-01T00:00:00Z": field is immutable'],
    },
    {
      change: { deletionGracePeriodSeconds: 3 },
      errors: ['metadata.deletionGracePeriodSeconds: Invalid value: 3: field is immutable'],
    },
  ])('finds $errors', ({ change, errors }) => {
    expect(validateObjectMetaUpdate({ ...old, ...change }, old).map(formatFieldError)).toEqual(errors);
  });

  it('lets no finalizers be added to what is being deleted', () => {
    const deleted = { ...old, deletionTimestamp: '2026-01-02T00:00:00Z', finalizers: ['a/b'] };

    const errors = validateObjectMetaUpdate({ ...deleted, finalizers: ['a/b', 'x/d', 'a/c'] }, deleted);

    expect(errors.map(formatFieldError)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a/c", "x/d"}',
    ]);
  });

  it('has the error for kinds that need a resourceVersion', () => {
    expect(formatFieldError(resourceVersionRequired())).toBe(
      'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
  });
});

describe('the rules for names', () => {
  it.each([
    { rule: checkDns1123Label, name: 'a'.repeat(64), problems: ['must be no more than 63 characters'] },
    { rule: checkDns1123Label, name: '-a', problems: [LABEL] },
    { rule: checkDns1123Subdomain, name: 'a..b', problems: [SUBDOMAIN] },
    { rule: checkDns1123Subdomain, name: 'a.b', problems: [] },
    { rule: checkDns1123Subdomain, name: 'a\n', problems: [SUBDOMAIN] },
    {
      rule: checkDns1035Label,
      name: '1a',
      problems: [
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    },
    { rule: checkPathSegmentName, name: '..', problems: ["may not be '..'"] },
    { rule: checkPathSegmentName, name: 'a/b%', problems: ["may not contain '/'", "may not contain '%'"] },
    { rule: checkQualifiedName, name: '/a', problems: ['prefix part must be non-empty'] },
    { rule: checkQualifiedName, name: 'x/', problems: ['name part must be non-empty', QUALIFIED] },
    { rule: checkQualifiedName, name: 'A/b', problems: [`prefix part ${SUBDOMAIN}`] },
    { rule: checkConfigMapKey, name: '..x', problems: ["must not start with '..'"] },
    { rule: checkConfigMapKey, name: '..', problems: ["must not be '..'"] },
  ])('finds $problems in $name', ({ rule, name, problems }) => {
    expect(rule(name)).toEqual(problems);
  });

  it('counts the length of a field manager in bytes', () => {
    expect(validateFieldManager('ü'.repeat(65), 'fieldManager').map(formatFieldError)).toEqual([
      'fieldManager: Too long: may not be more than 128 bytes',
    ]);
  });
});

function rules(): ObjectMetaRules {
  return { isNamespaced: true, nameRule: checkDns1123Subdomain };
}

function owner(name: string): JsonObject {
  return { uid: 'u', name, kind: 'Pod', apiVersion: 'v1', controller: true };
}
