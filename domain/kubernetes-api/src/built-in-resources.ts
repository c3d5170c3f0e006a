import type { OtherSubresource, Resource, ScaleMapping, Schema } from '@smalt/resource';

import { messageType } from './catalog.ts';
import { createdAtColumn } from './columns/age-column.ts';
import { packages } from './generated/packages.gen.ts';
import { parseKindLine, type KindLine, type SubresourceLine } from './kind-line.ts';
import type { PackageSource } from './message-type.ts';
import { makeStrategy } from './rules/make-strategy.ts';
import { rulesByKind } from './rules/rules-by-kind.ts';
import { workingSchema } from './schema-of.ts';

const SCALE: ScaleMapping = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  labelSelector: ['spec', 'selector'],
};

/** Every built-in kind that has a path of its own, in every version it is served in. */
export function builtInResources(): readonly Resource[] {
  const rules = rulesByKind();
  return packages.flatMap((source) =>
    source.kinds.map((text) => {
      const line = parseKindLine(text);
      const apiVersion = source.group === '' ? source.version : `${source.group}/${source.version}`;
      const kindRules = rules.get(`${apiVersion}/${line.kind}`) ?? {};
      return {
        ...servedAs(source, line),
        // The schemas of all kinds are megabytes; most processes need a few.
        get schema(): Schema {
          return workingSchema(messageType(source.key, line.kind));
        },
        columns: kindRules.columns ?? [createdAtColumn],
        selectableFields: new Map(Object.entries(kindRules.selectableFields ?? {})),
        strategy: makeStrategy(apiVersion, line, kindRules),
        ...(kindRules.load === undefined ? {} : { load: kindRules.load }),
      };
    }),
  );
}

function servedAs(
  source: PackageSource,
  line: KindLine,
): Omit<Resource, 'schema' | 'columns' | 'selectableFields' | 'strategy'> {
  const hasScale = line.subresources.some(({ name }) => name === 'scale');
  return {
    group: source.group,
    version: source.version,
    kind: line.kind,
    listKind: `${line.kind}List`,
    plural: line.plural,
    singular: line.kind.toLowerCase(),
    shortNames: line.shortNames,
    categories: line.categories,
    isNamespaced: line.isNamespaced,
    verbs: line.verbs,
    isBuiltIn: true,
    hasStatus: line.hasStatus,
    ...(hasScale ? { scale: SCALE } : {}),
    otherSubresources: line.subresources
      .filter(({ name }) => name !== 'scale')
      .map((other) => otherSubresource(source, other)),
  };
}

function otherSubresource(source: PackageSource, { name, kind, apiVersion, verbs }: SubresourceLine): OtherSubresource {
  const slash = apiVersion.indexOf('/');
  const isOwn = apiVersion === '';
  return {
    name,
    kind,
    group: isOwn ? source.group : apiVersion.slice(0, Math.max(slash, 0)),
    version: isOwn ? source.version : apiVersion.slice(slash + 1),
    verbs,
  };
}
