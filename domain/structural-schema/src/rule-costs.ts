import { celTypeOf, type CelType } from '@smalt/cel';
import type { Schema } from '@smalt/resource';

/** What all rules of a schema may cost together, estimated for the worst object there can be. */
export const MAX_SCHEMA_COST = 100_000_000;
/** What one rule may cost. */
export const MAX_RULE_COST = 10_000_000;

const SHOWN_RULES = 4;

/** What the rules of a whole schema cost, as they are found. */
class TotalCost {
  #total = 0;
  #mostExpensive: { readonly path: string; readonly cost: number }[] = [];

  get total(): number {
    return this.#total;
  }

  /** Where the few rules stand that cost the most. */
  get mostExpensive(): readonly string[] {
    return this.#mostExpensive.map((rule) => rule.path);
  }

  add(path: string, cost: number): void {
    this.#total += cost;
    if (cost < MAX_SCHEMA_COST / 100) return;
    this.#mostExpensive = [...this.#mostExpensive, { path, cost }]
      .toSorted((left, right) => right.cost - left.cost)
      .slice(0, SHOWN_RULES);
  }
}

/** What is needed to estimate the costs of the rules at one place of a schema. */
export interface RuleCosts {
  readonly total: TotalCost;
  /** How many values there can be of this part in one object; nothing when the schema sets no bound. */
  readonly cardinality: number | undefined;
  readonly type: () => CelType | undefined;
  /** Whether rule costs beyond the limit are let pass, because they were stored before. */
  readonly isStored: boolean;
}

/** The costs at the root of a schema. */
export function rootCosts(schema: Schema, isStored: boolean): RuleCosts {
  return { total: new TotalCost(), cardinality: 1, type: once(() => celTypeOf(schema, { isRoot: true })), isStored };
}

/** The costs at a part of a schema, which there is as often as the schema around it allows. */
export function childCost(costs: RuleCosts | undefined, parent: Schema, child: Schema): RuleCosts | undefined {
  if (costs === undefined) return undefined;
  const most = maxElements(parent);
  const isEmbedded = child['x-kubernetes-embedded-resource'] === true;
  return {
    ...costs,
    cardinality: costs.cardinality === undefined || most === undefined ? undefined : costs.cardinality * most,
    type: once(() => celTypeOf(child, { isRoot: isEmbedded })),
  };
}

function maxElements(schema: Schema): number | undefined {
  if (schema.type === 'array') return limitOf(schema.maxItems);
  if (schema.type === 'object' && schema.additionalProperties !== undefined) return limitOf(schema.maxProperties);
  return 1;
}

function limitOf(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : Math.max(0, limit);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
