import type { RecoverySettings } from './detection-settings.ts';
import type { RebuildRecord } from './incident.ts';
import type { ComputeFacts } from './incident-facts.ts';

export interface RebuildChoice {
  /** The ids to ask for now, the most important first. */
  readonly chosen: readonly string[];
  /** Those for which no host has room. */
  readonly homeless: ReadonlySet<string>;
}

/** Chooses who is rebuilt now: by priority, only those for whom there is room, and never too many at a time. */
export function chooseRebuilds(
  records: readonly RebuildRecord[],
  compute: ComputeFacts,
  settings: Pick<RecoverySettings, 'parallelRebuilds' | 'evacuationTimeoutMs'>,
  now: number,
): RebuildChoice {
  const busy = records.filter((record) => record.state === 'asked' && !isOverdue(record, settings, now)).length;
  const pending = records
    .filter(({ state }) => state === 'pending')
    .toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
  const resources = new Map(compute.instances.map((instance) => [instance.id, instance.resources]));
  const rooms = compute.targets?.map(({ free }) => new Map(Object.entries(free)));
  const homeless = new Set<string>();
  const chosen = pending.flatMap(({ id }) => {
    if (takeRoom(rooms, resources.get(id) ?? {})) return [id];
    homeless.add(id);
    return [];
  });
  return { chosen: chosen.slice(0, Math.max(0, settings.parallelRebuilds - busy)), homeless };
}

/** An evacuation that takes this long may never end; it is still watched. */
export function isOverdue(
  { askedAt }: RebuildRecord,
  { evacuationTimeoutMs }: Pick<RecoverySettings, 'evacuationTimeoutMs'>,
  now: number,
): boolean {
  return askedAt !== undefined && now - askedAt >= evacuationTimeoutMs;
}

/** First fit. A class that a host does not count, such as disk that many share, is there. */
function takeRoom(
  rooms: readonly Map<string, number>[] | undefined,
  resources: Readonly<Record<string, number>>,
): boolean {
  if (rooms === undefined) return true;
  const wanted = Object.entries(resources);
  const room = rooms.find((each) =>
    wanted.every(([name, amount]) => amount <= (each.get(name) ?? Number.POSITIVE_INFINITY)),
  );
  if (room === undefined) return false;
  for (const [name, amount] of wanted) {
    const left = room.get(name);
    if (left !== undefined) room.set(name, left - amount);
  }
  return true;
}
