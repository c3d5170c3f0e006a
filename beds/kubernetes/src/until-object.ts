import { follow, type ResourceClient } from '@smalt/kube';
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
  const { objects, namespace, name, isWanted, timeoutMs } = wish;
  const fieldSelector = { requirements: [{ field: 'metadata.name', isEqual: true, value: name }] };
  const signal = AbortSignal.timeout(timeoutMs);
  let last: T | undefined;
  try {
    for await (const events of follow(objects, {
      ...(namespace !== undefined && { namespace }),
      fieldSelector,
      signal,
    })) {
      const seen = events.flatMap((event) =>
        event.type === 'ADDED' || event.type === 'MODIFIED' ? [event.object] : [],
      );
      last = seen.find(isWanted) ?? seen.at(-1) ?? last;
      if (last !== undefined && isWanted(last)) return last;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  throw new Error(`${name} did not become as wanted: ${JSON.stringify(last)?.slice(0, 4_000)}`);
}
