import type { GroupVersionKind, Strategy } from '@smalt/resource';

import { findMessageType } from './catalog.ts';
import { makeStrategy } from './rules/make-strategy.ts';
import { rulesByKind } from './rules/rules-by-kind.ts';

/**
 * The strategy of a kind that only subresources take, such as Scale, Eviction or TokenRequest; undefined when the kind
 * is unknown here.
 */
export function subresourceStrategy({ group, version, kind }: GroupVersionKind): Strategy | undefined {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  if (findMessageType(apiVersion, kind) === undefined) return undefined;
  const rules = rulesByKind().get(`${apiVersion}/${kind}`) ?? {};
  return makeStrategy(apiVersion, { kind, isNamespaced: true, hasStatus: false }, rules);
}
