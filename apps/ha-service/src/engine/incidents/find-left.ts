import type { ComputeInstance } from '@smalt/compute';
import type { LeftInstance } from '@smalt/failure-detection';

import { call, type EngineContext } from '../engine-context.ts';

const MOST_AT_ONCE = 4;

/** A list of the instances of a host, and those that were seen on it before. */
export interface InstanceListing {
  readonly listed: readonly ComputeInstance[];
  readonly known: ReadonlySet<string>;
}

/** What became of the instances that were seen on the host and are not in the list, by id; undefined for those that are gone. */
export async function findLeft(
  context: Pick<EngineContext, 'ports' | 'settings'>,
  { listed, known }: InstanceListing,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ComputeInstance | undefined>> {
  const { instances } = context.ports.compute;
  const there = new Set(listed.map(({ id }) => id));
  const queue = [...known].filter((id) => !there.has(id));
  const left = new Map<string, ComputeInstance | undefined>();
  const look = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const missing = id;
      left.set(id, await call(context, 'reading an instance', signal, (inner) => instances.get(missing, inner)));
    }
  };
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, look));
  return left;
}

/**
 * The names of those of which nothing says that they went: a list is short when a part of the compute system is away, and what it
 * leaves out must not be taken for gone.
 */
export function namesOfVanished(
  left: ReadonlyMap<string, ComputeInstance | undefined>,
  hostName: string,
): readonly string[] {
  const vanished = [...left.values()].filter((found) => found !== undefined && mayBeOn(found, hostName));
  return vanished.flatMap((found) => found?.name ?? []).toSorted();
}

/** What becomes of one that its compute system rebuilds by itself. */
export function fateOf(found: Pick<ComputeInstance, 'state' | 'isMeantToRun'> | undefined): LeftInstance['fate'] {
  switch (found?.state) {
    case undefined:
      return 'gone';
    case 'running':
    case 'paused':
    case 'moving':
      return 'elsewhere';
    case 'building':
    case 'busy':
    case 'deleting':
    case 'failed':
      return found.isMeantToRun ? 'coming' : 'off';
    case 'stopped':
    case 'shelved':
    case 'suspended':
    case 'rescued':
    case 'unconfirmed':
      return 'off';
  }
}

/** Whether an instance may be on a host whose list does not have it: it says so, or nothing is known of it. */
export function mayBeOn(
  { state, hostName: now }: Pick<ComputeInstance, 'state' | 'hostName'>,
  hostName: string,
): boolean {
  if (state === 'deleting' || state === 'shelved') return false;
  return now === undefined ? state === 'busy' : now === hostName;
}
