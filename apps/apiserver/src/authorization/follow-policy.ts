import type { JsonObject } from '@smalt/json';

import { RBAC_GROUP } from './policy-binding.ts';
import { POLICY_PLURALS, type PolicyIndex, type PolicyPlural } from './policy-index.ts';

interface StoredPolicyObject {
  readonly namespace: string;
  readonly name: string;
  readonly value: JsonObject;
}

/** The part of the store that tells of roles and bindings. */
export interface PolicySource {
  range(resource: string): readonly StoredPolicyObject[];
  subscribe(
    resource: string,
    listener: (events: readonly { readonly type: string; readonly object: StoredPolicyObject }[]) => void,
  ): () => void;
}

/** The name under which the store keeps roles or bindings. */
export function policyStorageName(plural: PolicyPlural): string {
  return `${plural}.${RBAC_GROUP}`;
}

/**
 * Fills an index from the store and keeps it current until the result is disposed of. The store calls back before it
 * answers a writer, so whoever was granted something can use it with the next request.
 */
export function followPolicy(source: PolicySource, index: PolicyIndex): Disposable {
  const stops = POLICY_PLURALS.map((plural) => {
    const resource = policyStorageName(plural);
    for (const { value } of source.range(resource)) index.put(plural, value);
    return source.subscribe(resource, (events) => {
      for (const { type, object } of events) {
        if (type === 'DELETED') index.remove(plural, object.namespace, object.name);
        else index.put(plural, object.value);
      }
    });
  });
  return {
    [Symbol.dispose]: () => {
      for (const stop of stops) stop();
    },
  };
}
