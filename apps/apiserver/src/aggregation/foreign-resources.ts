import type { JsonObject } from '@smalt/json';
import type { OtherSubresource, Resource, Strategy, Verb } from '@smalt/resource';

import { objectsAt, textAt, textsAt } from '../identity/object-fields.ts';

const VERBS: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const UNTOUCHED: Strategy = {
  default: (object) => object,
  prune: (object) => ({ object, unknownFields: [] }),
  prepareForCreate: (object) => object,
  prepareForUpdate: (object) => object,
  validate: () => [],
  validateUpdate: () => [],
  validateStatusUpdate: () => [],
  warnings: () => [],
};

/** The resources of another server, from its own discovery (an APIResourceList). They are shown, and never stored here. */
export function foreignResources(group: string, version: string, list: JsonObject): readonly Resource[] {
  const entries = objectsAt(list, 'resources');
  const plurals = new Set(entries.map((entry) => textAt(entry, 'name').split('/')[0] ?? ''));
  return [...plurals].map((plural) => {
    // A server may have subresources of something that it does not serve itself.
    const main = entries.find((entry) => entry['name'] === plural) ?? {};
    const parts = entries.filter((entry) => textAt(entry, 'name').startsWith(`${plural}/`));
    const kind = textAt(main, 'kind');
    return {
      group,
      version,
      kind,
      listKind: `${kind}List`,
      plural,
      singular: textAt(main, 'singularName'),
      shortNames: textsAt(main, 'shortNames'),
      categories: textsAt(main, 'categories'),
      isNamespaced: (parts[0] ?? main)['namespaced'] === true,
      verbs: verbsOf(main),
      isBuiltIn: false,
      schema: { type: 'object' },
      columns: [],
      selectableFields: new Map(),
      strategy: UNTOUCHED,
      hasStatus: false,
      otherSubresources: parts.map((part) => subresourceOf(part, plural, { group, version })),
    };
  });
}

function subresourceOf(
  part: JsonObject,
  plural: string,
  own: { readonly group: string; readonly version: string },
): OtherSubresource {
  return {
    name: textAt(part, 'name').slice(plural.length + 1),
    kind: textAt(part, 'kind'),
    group: textAt(part, 'group') || own.group,
    version: textAt(part, 'version') || own.version,
    verbs: verbsOf(part),
  };
}

function verbsOf(entry: JsonObject): readonly Verb[] {
  const given = textsAt(entry, 'verbs');
  return VERBS.filter((verb) => given.includes(verb));
}
