import type { JsonObject } from '@smalt/json';

import type { PolicyPlural } from './policy-index.ts';

/** How the server reads and writes its own roles and bindings. The namespace of what is cluster-wide is empty. */
export interface PolicyAccess {
  /** Undefined when there is no such object. */
  get(plural: PolicyPlural, namespace: string, name: string): JsonObject | undefined;
  create(plural: PolicyPlural, namespace: string, object: JsonObject, signal: AbortSignal): Promise<void>;
  /** The object carries the resourceVersion it was read with; a conflict is an error. */
  update(plural: PolicyPlural, namespace: string, object: JsonObject, signal: AbortSignal): Promise<void>;
  delete(plural: PolicyPlural, namespace: string, name: string, signal: AbortSignal): Promise<void>;
}
