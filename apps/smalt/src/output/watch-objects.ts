import { follow, isExpired, isInitialEnd, type FollowOptions, type ResourceClient } from '@smalt/kube';
import type { KubernetesObject, WatchEvent } from '@smalt/kubernetes';

export interface WatchedObjects<T> {
  /** By `namespace/name`, or `name` where there is no namespace. */
  readonly objects: ReadonlyMap<string, T>;
}

export type WatchSelection = Pick<FollowOptions, 'namespace' | 'fieldSelector' | 'labelSelector'>;

/**
 * All objects that are selected, once they are known and again whenever some have changed, until the signal fires. The map
 * is the same one each time. What the server has forgotten is listed anew.
 */
export async function* watchObjects<T extends KubernetesObject>(
  client: ResourceClient<T>,
  selection: WatchSelection,
  signal: AbortSignal,
): AsyncGenerator<WatchedObjects<T>, void> {
  const objects = new Map<string, T>();
  while (!signal.aborted) {
    let isFilled = false;
    objects.clear();
    try {
      for await (const events of follow(client, { ...selection, signal })) {
        take(objects, events);
        isFilled ||= events.some(isInitialEnd);
        yield* isFilled ? [{ objects }] : [];
      }
    } catch (error) {
      if (!isExpired(error)) throw error;
    }
  }
}

function take<T extends KubernetesObject>(objects: Map<string, T>, events: readonly WatchEvent<T>[]): void {
  for (const event of events) {
    if (event.type === 'ADDED' || event.type === 'MODIFIED') objects.set(keyOf(event.object), event.object);
    if (event.type === 'DELETED') objects.delete(keyOf(event.object));
  }
}

/** Watches one object by its name: undefined while there is none. */
export async function* watchObject<T extends KubernetesObject>(
  client: ResourceClient<T>,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
  signal: AbortSignal,
): AsyncGenerator<T | undefined, void> {
  const fieldSelector = { requirements: [{ field: 'metadata.name', isEqual: true, value: name }] };
  for await (const { objects } of watchObjects(client, { namespace, fieldSelector }, signal)) {
    yield objects.values().next().value;
  }
}

function keyOf({ metadata: { namespace, name } }: KubernetesObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
