import type { MoveTarget } from '@smalt/compute';
import type { RecoveryMethod } from '@smalt/recovery-policy';

import type { RecoverySettings } from '../detection-settings.ts';
import type { RebuildRecord } from '../incident/incident.ts';
import type { ComputeFacts, LostInstance } from '../incident/incident-facts.ts';

/** Where instances may go now. */
export interface Places {
  readonly method: RecoveryMethod;
  /** Reserved hosts that are ready, in order. */
  readonly ready: readonly string[];
  /** Whether another one could be made ready. */
  readonly canHaveMore: boolean;
}

export interface RebuildChoice {
  /** Whom to ask for now, the most important first; without a target the compute system chooses. */
  readonly chosen: readonly { readonly id: string; readonly target: string | undefined }[];
  /** Those for which no host has room. */
  readonly homeless: ReadonlySet<string>;
  /** Those that wait for a reserved host to be made ready, and those for which there is none. */
  readonly reserving: ReadonlySet<string>;
  readonly unreserved: ReadonlySet<string>;
}

type ChoiceSettings = Pick<RecoverySettings, 'parallelRebuilds' | 'evacuationTimeoutMs' | 'retryDelayMs'>;

const NOBODY: RebuildChoice = { chosen: [], homeless: new Set(), reserving: new Set(), unreserved: new Set() };

/**
 * Chooses who is rebuilt now, and where: by priority, only those for whom there is room, and never too many at a time. Nobody in
 * a compute system that rebuilds all of them by itself: it would refuse those with which it has begun, or not yet.
 */
export function chooseRebuilds(
  records: readonly RebuildRecord[],
  compute: ComputeFacts,
  { places, settings, now }: { readonly places: Places; readonly settings: ChoiceSettings; readonly now: number },
): RebuildChoice {
  if (compute.left !== undefined) return NOBODY;
  const busy = records.filter((record) => record.state === 'asked' && !isOverdue(record, settings, now)).length;
  const listed = new Map(compute.instances.map((instance) => [instance.id, instance]));
  const pending = records
    .filter((record) => record.state === 'pending' && isDue(record, listed.get(record.id), compute.at, settings))
    .toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
  const rooms = new Rooms(compute.targets);
  const [homeless, reserving, unreserved] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const chosen: { id: string; target: string | undefined }[] = [];
  for (const record of pending) {
    const { id } = record;
    const place = placeOf(record, places, rooms, listed.get(id)?.resources ?? {});
    if (place.kind === 'go') chosen.push({ id, target: place.target });
    if (place.kind === 'no-room') homeless.add(id);
    if (place.kind === 'reserve') reserving.add(id);
    if (place.kind === 'no-reserved-host') unreserved.add(id);
  }
  const free = Math.max(0, settings.parallelRebuilds - busy);
  return { chosen: chosen.slice(0, free), homeless, reserving, unreserved };
}

/** An evacuation that takes this long may never end; it is still watched. */
export function isOverdue(
  { askedAt }: RebuildRecord,
  { evacuationTimeoutMs }: Pick<RecoverySettings, 'evacuationTimeoutMs'>,
  now: number,
): boolean {
  return askedAt !== undefined && now - askedAt >= evacuationTimeoutMs;
}

/** After a failure only a list that was read a while later counts, and only if it shows the instance at rest. */
function isDue(
  record: RebuildRecord,
  instance: LostInstance | undefined,
  listedAt: number,
  { retryDelayMs }: ChoiceSettings,
): boolean {
  const { retryAfter, passesSince } = record;
  if (passesSince !== undefined) return false;
  if (hasFailed(record) && !isAtRest(instance)) return false;
  return retryAfter === undefined || (listedAt > retryAfter && listedAt - retryAfter >= retryDelayMs);
}

/** Whether an evacuation of it has failed, or was refused. */
export function hasFailed({ failedTargets, failuresElsewhere }: RebuildRecord): boolean {
  return failedTargets.length + failuresElsewhere > 0;
}

/** Whether nothing is being done with an instance that stayed behind. */
export function isAtRest(instance: LostInstance | undefined): boolean {
  return instance?.canBeRebuilt === true && instance.state !== 'busy';
}

type Place =
  | { readonly kind: 'go'; readonly target: string | undefined }
  | { readonly kind: 'no-room' | 'reserve' | 'no-reserved-host' };

function placeOf(
  record: RebuildRecord,
  places: Places,
  rooms: Rooms,
  resources: Readonly<Record<string, number>>,
): Place {
  const anywhere = (): Place => (rooms.take(resources) ? { kind: 'go', target: undefined } : { kind: 'no-room' });
  const reserved = (last: () => Place): Place => {
    const target = places.ready.find((host) => !record.failedTargets.includes(host) && rooms.take(resources, host));
    if (target !== undefined) return { kind: 'go', target };
    return places.canHaveMore ? { kind: 'reserve' } : last();
  };
  switch (places.method) {
    case 'auto':
      return anywhere();
    case 'reserved-host':
      return reserved(() => lastReserved(places, rooms, resources));
    case 'auto-priority': {
      const place = record.failuresElsewhere > 0 ? undefined : anywhere();
      return place?.kind === 'go' ? place : reserved(place === undefined ? anywhere : () => place);
    }
    case 'reserved-host-priority':
      return reserved(anywhere);
  }
}

/** All were tried in vain: what is left is to try one of them again. */
function lastReserved({ ready }: Places, rooms: Rooms, resources: Readonly<Record<string, number>>): Place {
  const target = ready.find((host) => rooms.take(resources, host));
  if (target !== undefined) return { kind: 'go', target };
  return { kind: ready.length > 0 ? 'no-room' : 'no-reserved-host' };
}

/** What hosts have left while places are given away. A host that is not listed has none; where no list is known, there is room. */
class Rooms {
  readonly #free: readonly { readonly name: string; readonly left: Map<string, number> }[] | undefined;

  constructor(targets: readonly MoveTarget[] | undefined) {
    this.#free = targets?.map(({ name, free }) => ({ name, left: new Map(Object.entries(free)) }));
  }

  /** First fit. A class that a host does not count, such as disk that many share, is there. */
  take(resources: Readonly<Record<string, number>>, target?: string): boolean {
    if (this.#free === undefined) return true;
    const meant = target === undefined ? this.#free : this.#free.filter(({ name }) => name === target);
    const wanted = Object.entries(resources);
    const room = meant.find(({ left }) =>
      wanted.every(([name, amount]) => amount <= (left.get(name) ?? Number.POSITIVE_INFINITY)),
    );
    if (room === undefined) return false;
    for (const [name, amount] of wanted) {
      const left = room.left.get(name);
      if (left !== undefined) room.left.set(name, left - amount);
    }
    return true;
  }
}
