import type { JsonObject } from '@smalt/json';

import { finalizersOf, isBeingDeleted } from '../registry/object-metadata.ts';
import type { PropagationPolicy } from '../registry/write-context.ts';
import type { OwnerReference } from './owner-references.ts';

export const ORPHAN_FINALIZER = 'orphan';
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

/** How an owner fares: it is there, gone, waits for its dependents to go, or cannot be looked up now. */
export type OwnerState = 'solid' | 'absent' | 'waiting' | 'unknown';

/** What the garbage collector does with an object. */
export type CollectionPlan =
  | { readonly kind: 'keep' }
  /** An owner is of a kind that is not served: nothing can be decided until it is. */
  | { readonly kind: 'undecided' }
  | { readonly kind: 'orphan-dependents' }
  | { readonly kind: 'await-dependents' }
  | { readonly kind: 'forget-owners'; readonly uids: ReadonlySet<string> }
  | { readonly kind: 'delete'; readonly policy: PropagationPolicy };

export interface CollectionInput {
  readonly object: JsonObject;
  readonly owners: readonly { readonly reference: OwnerReference; readonly state: OwnerState }[];
  readonly hasDependents: boolean;
}

/** Decides what becomes of an object, given how its owners fare. */
export function planCollection({ object, owners, hasDependents }: CollectionInput): CollectionPlan {
  const finalizers = finalizersOf(object);
  if (isBeingDeleted(object)) {
    if (finalizers.includes(ORPHAN_FINALIZER)) return { kind: 'orphan-dependents' };
    return finalizers.includes(FOREGROUND_FINALIZER) ? { kind: 'await-dependents' } : { kind: 'keep' };
  }
  if (owners.length === 0) return { kind: 'keep' };
  if (owners.some(({ state }) => state === 'unknown')) return { kind: 'undecided' };
  const lost = owners.filter(({ state }) => state !== 'solid');
  if (lost.length === 0) return { kind: 'keep' };
  if (lost.length < owners.length) {
    return { kind: 'forget-owners', uids: new Set(lost.map(({ reference }) => reference.uid)) };
  }
  const isAwaited = owners.some(({ state }) => state === 'waiting');
  if (isAwaited && hasDependents) return { kind: 'delete', policy: 'Foreground' };
  return { kind: 'delete', policy: policyOf(finalizers) };
}

function policyOf(finalizers: readonly string[]): PropagationPolicy {
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'Orphan';
  return finalizers.includes(FOREGROUND_FINALIZER) ? 'Foreground' : 'Background';
}
