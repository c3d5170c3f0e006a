import { isJsonObject, type JsonObject } from '@smalt/json';

import type { Kind, KindVersion } from './kind.ts';

/** The object that makes an API server serve the kind. */
export function customResourceDefinition(kind: Omit<Kind, 'crd'>): JsonObject {
  const { group, plural, singular, shortNames, categories = [], scope, listKind } = kind;
  return plain({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind: kind.kind,
        listKind,
        plural,
        singular,
        ...(shortNames.length === 0 ? {} : { shortNames }),
        ...(categories.length === 0 ? {} : { categories }),
      },
      scope,
      versions: kind.versions.map((version, index) => crdVersion(kind, version, index === 0)),
    },
  });
}

function crdVersion(kind: Omit<Kind, 'crd'>, version: KindVersion, isStored: boolean): object {
  const { scale, selectableFields = [], hasStatus } = kind;
  const subresources = { ...(hasStatus ? { status: {} } : {}), ...(scale === undefined ? {} : { scale }) };
  const warning = version.deprecationWarning;
  return {
    name: version.name,
    served: true,
    storage: isStored,
    ...(warning === undefined ? {} : { deprecated: true, deprecationWarning: warning }),
    additionalPrinterColumns: kind.columns,
    ...(selectableFields.length === 0 ? {} : { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
    schema: { openAPIV3Schema: kind.schema },
    ...(Object.keys(subresources).length === 0 ? {} : { subresources }),
  };
}

/** A definition of its own, which shares nothing with the declaration. */
function plain(definition: object): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(definition));
  if (!isJsonObject(copy)) throw new TypeError('a definition is an object');
  return copy;
}
