/** A step of a path: each takes the values found so far and finds others. */
export type JsonPathNode =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recursive' }
  | { readonly kind: 'slice'; readonly start?: number; readonly end?: number; readonly step?: number }
  | { readonly kind: 'item'; readonly index: number }
  | { readonly kind: 'union'; readonly paths: readonly (readonly JsonPathNode[])[] }
  | { readonly kind: 'exists'; readonly left: readonly JsonPathNode[] }
  | {
      readonly kind: 'filter';
      readonly left: readonly JsonPathNode[];
      readonly operator: string;
      readonly right: readonly JsonPathNode[];
    }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'identifier'; readonly name: string };

/** What a step of a path was read to, and where the next one starts. */
export interface JsonPathStep {
  readonly nodes: readonly JsonPathNode[];
  readonly end: number;
}
