import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { useCallback, useMemo, useSyncExternalStore } from 'react';

import { useServices } from '../services.ts';
import { isOfKind, queryOf, type FollowQuery, type FollowScope } from './follow-query.ts';
import { NOTHING_KNOWN, type Followed, type FollowState } from './followed.ts';
import { objectKey } from './object-key.ts';

export interface FollowedObjects<T> {
  readonly state: FollowState;
  /** In the order in which they came. Another array after each change, with the same objects where nothing changed. */
  readonly objects: readonly T[];
}

export interface FollowedObject<T> {
  readonly state: FollowState;
  readonly object: T | undefined;
}

const NOTHING = (): Followed => NOTHING_KNOWN;
const NEVER = (): (() => void) => () => undefined;

/** The objects of a kind, live. Without a kind nothing is followed, for pages that know only later what they need. */
export function useFollowed<T extends KubernetesObject>(
  kind: KindReference<T> | undefined,
  scope: FollowScope = {},
): FollowedObjects<T> {
  const followed = useFollowedQuery(kind === undefined ? undefined : queryOf(kind, scope));
  const objects = useMemo(
    () => (kind === undefined ? [] : [...followed.byKey.values()].filter((object) => isOfKind(kind, object))),
    [followed.byKey, kind],
  );
  return { state: followed.state, objects };
}

/** All that is known of a query, live, as the server told it. */
export function useFollowedQuery(query: FollowQuery | undefined): Followed {
  const { live } = useServices();
  const collection = query === undefined ? undefined : live.collection(query);
  return useSyncExternalStore(collection?.subscribe ?? NEVER, collection?.followed ?? NOTHING);
}

/** One object, live. It is drawn anew only when that object changes. */
export function useFollowedOne<T extends KubernetesObject>(
  kind: KindReference<T>,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name: string | undefined },
): FollowedObject<T> {
  const { live } = useServices();
  const key = name === undefined ? undefined : objectKey({ namespace, name });
  const query = useQueryOfOne(kind, namespace, name);
  const collection = query === undefined ? undefined : live.collection(query);
  const subscribe = useCallback(
    (listener: () => void) =>
      collection === undefined || key === undefined ? NEVER() : collection.subscribeOne(key, listener),
    [collection, key],
  );
  const object = useSyncExternalStore(subscribe, () => (key === undefined ? undefined : collection?.one(key)));
  const state = useSyncExternalStore(subscribe, () => collection?.followed().state ?? NOTHING_KNOWN.state);
  return { state, object: object !== undefined && isOfKind(kind, object) ? object : undefined };
}

// Where a list of all is known, one of them needs no watch of its own. What was chosen stays until another object is
// asked for, because a change of mind would show the object as loading.
function useQueryOfOne(
  kind: KindReference,
  namespace: string | undefined,
  name: string | undefined,
): FollowQuery | undefined {
  const { live } = useServices();
  return useMemo(() => {
    if (name === undefined) return undefined;
    const all = [queryOf(kind), queryOf(kind, { namespace })].find((query) => live.isKnown(query));
    return all ?? queryOf(kind, { namespace, fieldSelector: `metadata.name=${name}` });
  }, [live, kind, namespace, name]);
}
