import { follow, isExpired, type ResourceClient } from '@smalt/kube';
import type { KubernetesObject } from '@smalt/kubernetes';

export interface ObjectWish<T extends KubernetesObject> {
  readonly objects: ResourceClient<T>;
  readonly namespace?: string;
  readonly name: string;
  readonly isWanted: (object: T) => boolean;
  readonly timeoutMs: number;
}

/** Resolves with an object once it is as wanted, by a watch. Rejects with what it was last when that takes too long. */
export async function untilObject<T extends KubernetesObject>(wish: ObjectWish<T>): Promise<T> {
  const { name, isWanted, timeoutMs } = wish;
  const signal = AbortSignal.timeout(timeoutMs);
  let last: T | undefined;
  const look = (object: T): boolean => isWanted((last = object));
  while (!signal.aborted) {
    try {
      const found = await firstVersion(wish, look, signal);
      if (found !== undefined) return found;
    } catch (error) {
      // A server that was started anew may have forgotten what was before.
      if (!signal.aborted && !isExpired(error)) throw error;
    }
  }
  throw new Error(`${name} did not become as wanted: ${JSON.stringify(last)?.slice(0, 4_000)}`);
}

async function firstVersion<T extends KubernetesObject>(
  { objects, namespace, name }: ObjectWish<T>,
  isWanted: (object: T) => boolean,
  signal: AbortSignal,
): Promise<T | undefined> {
  const fieldSelector = { requirements: [{ field: 'metadata.name', isEqual: true, value: name }] };
  for await (const events of follow(objects, { namespace, fieldSelector, signal })) {
    const seen = events.flatMap((event) => (event.type === 'ADDED' || event.type === 'MODIFIED' ? [event.object] : []));
    const found = seen.find((object) => isWanted(object));
    if (found !== undefined) return found;
  }
  return undefined;
}
