import type { JsonObject, JsonValue } from '@smalt/json';
import { formatFieldError } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { defaultCustomResourceDefinition, validateCustomResourceDefinition } from './index.ts';

const LABEL = `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`;

describe('defaultCustomResourceDefinition', () => {
  it('fills in names, conversion and the stored version', () => {
    const filled = defaultCustomResourceDefinition({
      spec: { names: { kind: 'AbC' }, versions: [{ name: 'v1', storage: true }] },
    });

    expect(filled).toMatchObject({
      spec: { names: { kind: 'AbC', singular: 'abc', listKind: 'AbCList' }, conversion: { strategy: 'None' } },
      status: { storedVersions: ['v1'] },
    });
  });
});

describe('validateCustomResourceDefinition', () => {
  it('finds nothing wrong with a good definition', () => {
    expect(validateCustomResourceDefinition(definition())).toEqual([]);
  });

  it.each<{ change: JsonObject; errors: readonly string[] }>([
    {
      change: { scope: 'Global' },
      errors: ['spec.scope: Unsupported value: "Global": supported values: "Cluster", "Namespaced"'],
    },
    { change: { scope: '' }, errors: ['spec.scope: Required value'] },
    {
      change: { names: names({ plural: 'Machines' }) },
      errors: [
        'metadata.name: Invalid value: "machines.example.dev": must be spec.names.plural+"."+spec.group',
        `spec.names.plural: Invalid value: "Machines": ${LABEL}`,
      ],
    },
    {
      change: { names: names({ kind: 'Bad_Kind' }) },
      errors: [`spec.names.kind: Invalid value: "Bad_Kind": may have mixed case, but should otherwise match: ${LABEL}`],
    },
    {
      change: { names: names({ listKind: 'Machine' }) },
      errors: ['spec.names.listKind: Invalid value: "Machine": kind and listKind may not be the same'],
    },
    {
      change: { names: names({ shortNames: ['ok', 'No'], categories: ['1'] }) },
      errors: [
        `spec.names.shortNames[1]: Invalid value: "No": ${LABEL}`,
        `spec.names.categories[0]: Invalid value: "1": ${LABEL}`,
      ],
    },
    {
      change: { versions: [version({ storage: false })] },
      errors: [
        'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
        'status.storedVersions: Invalid value: null: must have at least one stored version',
      ],
    },
    {
      change: { versions: [version({ schema: {} })] },
      errors: ['spec.versions[0].schema.openAPIV3Schema: Required value'],
    },
    {
      change: { versions: [version({ schema: { openAPIV3Schema: { type: 'object', properties: { spec: {} } } } })] },
      errors: [
        'spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
      ],
    },
    {
      change: {
        versions: [
          version({}),
          version({ name: 'v2', storage: false, schema: { openAPIV3Schema: { type: 'string' } } }),
        ],
      },
      errors: ['spec.versions[1].schema.openAPIV3Schema.type: Invalid value: "string": must be object at the root'],
    },
    {
      change: {
        versions: [version({ subresources: { scale: { specReplicasPath: '.status.x', statusReplicasPath: '' } } })],
      },
      errors: [
        'spec.subresources.scale.specReplicasPath: Invalid value: ".status.x": should be a json path under .spec',
        'spec.subresources.scale.statusReplicasPath: Required value',
      ],
    },
    {
      change: {
        versions: [version({ additionalPrinterColumns: [{ name: '', type: 'text', jsonPath: 'x', format: 'y' }] })],
      },
      errors: [
        'spec.additionalPrinterColumns[0].name: Required value',
        'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
        'spec.additionalPrinterColumns[0].format: Invalid value: "y": must be one of byte,date,date-time,double,float,int32,int64,password',
        'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "x": must be a simple json path starting with .',
      ],
    },
    {
      change: {
        versions: [
          version({ selectableFields: [{ jsonPath: '.spec' }, { jsonPath: '.spec.no' }, { jsonPath: ".spec['a']" }] }),
        ],
      },
      errors: [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
        'spec.selectableFields[1].jsonPath: Invalid value: ".spec.no": is an invalid path: does not refer to a valid field',
        'spec.selectableFields[2].jsonPath: Invalid value: ".spec[\'a\']": is an invalid path: array notation is not allowed',
      ],
    },
    {
      change: { conversion: { strategy: 'X' } },
      errors: ['spec.conversion.strategy: Unsupported value: "X": supported values: "None", "Webhook"'],
    },
    {
      change: {
        conversion: {
          strategy: 'Webhook',
          webhook: { conversionReviewVersions: ['v2'], clientConfig: { url: 'http://a/?b' } },
        },
      },
      errors: [
        `spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
        'spec.conversion.webhookClientConfig.url: Invalid value: "b": query parameters are not permitted in the URL',
        'spec.conversion.conversionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
      ],
    },
    {
      change: { versions: [version({ name: 'V1' })] },
      errors: [`spec.versions[0].name: Invalid value: "V1": ${LABEL}`, `spec.version: Invalid value: "V1": ${LABEL}`],
    },
    {
      change: { versions: [version({ deprecated: true, deprecationWarning: 'a\u0001' })] },
      errors: [
        String.raw`spec.versions[0].deprecationWarning: Invalid value: "a\u0001": must only contain printable UTF-8 characters; non-printable character found at index 1`,
      ],
    },
    {
      change: { preserveUnknownFields: true },
      errors: [
        'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ],
    },
  ])('finds $errors', ({ change, errors }) => {
    expect(validateCustomResourceDefinition(definition(change)).map(formatFieldError)).toEqual(errors);
  });

  it('keeps groups of the community for the community', () => {
    const crd = definition({ group: 'x.k8s.io' });

    const errors = validateCustomResourceDefinition({ ...crd, metadata: { name: 'machines.x.k8s.io' } });

    expect(errors.map(formatFieldError)).toEqual([
      'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    ]);
  });

  it('does not let go of a version that objects are stored in', () => {
    const crd = { ...definition({}), status: { storedVersions: ['v0', 'v1'] } };

    expect(validateCustomResourceDefinition(crd).map(formatFieldError)).toEqual([
      'status.storedVersions[0]: Invalid value: "v0": missing from spec.versions; v0 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v0 and removes v0 from status.storedVersions',
    ]);
  });

  it('does not let the scope of a kind change once it is served', () => {
    const metadata = { name: 'machines.example.dev', resourceVersion: '1' };
    const old = { ...definition(), metadata };
    const served = {
      ...old,
      status: { storedVersions: ['v1'], conditions: [{ type: 'Established', status: 'True' }] },
    };
    const changed = { ...definition({ scope: 'Cluster' }), metadata };

    expect(validateCustomResourceDefinition(changed, old)).toEqual([]);
    expect(validateCustomResourceDefinition(changed, served).map(formatFieldError)).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
    ]);
  });
});

function definition(change: JsonObject = {}): JsonObject {
  return defaultCustomResourceDefinition({
    metadata: { name: 'machines.example.dev' },
    spec: { group: 'example.dev', scope: 'Namespaced', names: names({}), versions: [version({})], ...change },
  });
}

function names(change: JsonObject): JsonObject {
  return { plural: 'machines', singular: 'machine', kind: 'Machine', listKind: 'MachineList', ...change };
}

function version(change: Readonly<Record<string, JsonValue>>): JsonObject {
  const spec = { type: 'object', properties: { a: { type: 'string' } } };
  return {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
    ...change,
  };
}
