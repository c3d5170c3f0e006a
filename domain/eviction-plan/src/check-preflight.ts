import type { ComputeInstance, MoveTarget } from '@smalt/compute';

import type { EvictionLimits } from './eviction-limits.ts';
import { movability } from './movability.ts';

export interface PreflightInput {
  /** The instances that are still to be moved; those on their way have their room already. */
  readonly instances: readonly ComputeInstance[];
  /** The hosts that could take each, by its id. Instances that are not in it are not checked for room. */
  readonly targets: ReadonlyMap<string, readonly MoveTarget[]>;
  readonly rules: Pick<EvictionLimits, 'coldMovesOfRunning' | 'lockedInstances'>;
}

/** Why an instance will not leave. */
export interface PreflightProblem {
  readonly kind: 'no-room' | 'non-migratable';
  readonly id: string;
  readonly name: string;
  readonly message: string;
}

export interface PreflightReport {
  readonly problems: readonly PreflightProblem[];
  readonly isRoomMissing: boolean;
}

/**
 * Says which instances will not leave, before any is touched: those that cannot be moved as they are, and those for
 * which the other hosts have no room when all others get theirs.
 */
export function checkPreflight({ instances, targets, rules }: PreflightInput): PreflightReport {
  const stays: PreflightProblem[] = [];
  const candidates: ComputeInstance[] = [];
  for (const instance of instances) {
    const how = movability(instance, rules);
    if (how.kind === 'non-migratable') stays.push({ ...problemOf(instance, how.kind), message: how.message });
    if (how.kind === 'live' || how.kind === 'cold') candidates.push(instance);
  }
  const homeless = withoutRoom(candidates, targets);
  return { problems: [...homeless, ...stays], isRoomMissing: homeless.length > 0 };
}

/** What is left of a host, by resource class. */
type Room = Map<string, number>;

/** First fit, decreasing: those with the least choice first, then the largest. */
function withoutRoom(
  instances: readonly ComputeInstance[],
  targets: ReadonlyMap<string, readonly MoveTarget[]>,
): readonly PreflightProblem[] {
  const rooms = new Map<string, Room>();
  const choices = (instance: ComputeInstance): number => targets.get(instance.id)?.length ?? 0;
  const sorted = instances
    .filter(({ id }) => targets.has(id))
    .toSorted((a, b) => choices(a) - choices(b) || b.memoryMiB - a.memoryMiB || cpusOf(b) - cpusOf(a));
  return sorted.flatMap((instance) => {
    const possible = targets.get(instance.id) ?? [];
    const room = possible.map((target) => roomOf(rooms, target)).find((each) => fits(instance, each));
    if (room === undefined) return [{ ...problemOf(instance, 'no-room'), message: noRoomText(instance, possible) }];
    take(instance, room);
    return [];
  });
}

function cpusOf({ resources }: ComputeInstance): number {
  return (resources['VCPU'] ?? 0) + (resources['PCPU'] ?? 0);
}

function roomOf(rooms: Map<string, Room>, { hypervisorId, free }: MoveTarget): Room {
  const known = rooms.get(hypervisorId);
  if (known !== undefined) return known;
  const room = new Map(Object.entries(free));
  rooms.set(hypervisorId, room);
  return room;
}

/** A class that the host does not have by itself is there all the same, or the host would be no target. */
function fits({ resources }: ComputeInstance, room: Room): boolean {
  return Object.entries(resources).every(([name, amount]) => amount <= (room.get(name) ?? Number.POSITIVE_INFINITY));
}

function take({ resources }: ComputeInstance, room: Room): void {
  for (const [name, amount] of Object.entries(resources)) {
    const left = room.get(name);
    if (left !== undefined) room.set(name, left - amount);
  }
}

const WORDS = new Map([
  ['VCPU', 'CPUs'],
  ['PCPU', 'dedicated CPUs'],
  ['MEMORY_MB', 'MiB of memory'],
  ['DISK_GB', 'GiB of disk'],
]);

function noRoomText({ resources, requiredTraits, zone }: ComputeInstance, possible: readonly MoveTarget[]): string {
  const needs = Object.entries(resources).map(([name, amount]) => `${amount} ${WORDS.get(name) ?? name}`);
  if (requiredTraits.length > 0) needs.push(`traits ${requiredTraits.join(', ')}`);
  if (zone !== undefined) needs.push(`zone ${zone}`);
  const found =
    possible.length === 0 ? 'no other enabled host has that' : `the ${possible.length} hosts that have that are full`;
  return `it needs ${needs.join(', ')}, and ${found}`;
}

function problemOf<K extends PreflightProblem['kind']>(
  { id, name }: ComputeInstance,
  kind: K,
): { readonly kind: K; readonly id: string; readonly name: string } {
  return { kind, id, name };
}
