import type { ComputeInstance } from '@smalt/compute';

import { call, type EngineContext } from '../engine-context.ts';

const MOST_AT_ONCE = 4;

/** A list of the instances of a host, and those that were seen on it before. */
export interface InstanceListing {
  /** The name of the host in the compute system. */
  readonly hostName: string;
  readonly listed: readonly ComputeInstance[];
  readonly known: ReadonlySet<string>;
}

/**
 * The names of instances that were seen on the host and are not in the list, though nothing says that they went: a list is
 * short when a part of the compute system is away, and what it leaves out must not be taken for gone.
 */
export async function findVanished(
  context: Pick<EngineContext, 'ports' | 'settings'>,
  { hostName, listed, known }: InstanceListing,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { instances } = context.ports.compute;
  const there = new Set(listed.map(({ id }) => id));
  const queue = [...known].filter((id) => !there.has(id));
  const vanished: string[] = [];
  const look = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const missing = id;
      const found = await call(context, 'reading an instance', signal, (inner) => instances.get(missing, inner));
      if (found !== undefined && mayBeOn(found, hostName)) vanished.push(found.name);
    }
  };
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, look));
  return vanished.toSorted();
}

/** Whether an instance may be on a host whose list does not have it: it says so, or nothing is known of it. */
export function mayBeOn(
  { state, hostName: now }: Pick<ComputeInstance, 'state' | 'hostName'>,
  hostName: string,
): boolean {
  if (state === 'deleting' || state === 'shelved') return false;
  return now === undefined ? state === 'busy' : now === hostName;
}
