import { MigrationPhase, WellKnownName, type VirtualMachineInstanceMigration } from '@smalt/vm-api';

import { readTime } from '../conditions/conditions.ts';

const FIRST_DELAY_MS = 20_000;
/** Doubling ends here: an instance that cannot leave is tried again every hour. */
const MAX_DELAY_MS = 60 * 60_000;

/** How long to wait before an instance is evacuated again: 20 s after a failure, twice as long after each further one. */
export function evacuationDelayMs(migrations: readonly VirtualMachineInstanceMigration[], now: number): number {
  const ours = migrations.filter(
    ({ metadata }) => metadata.annotations?.[WellKnownName.evacuationMigrationAnnotation] !== undefined,
  );
  let delayMs = 0;
  let lastEnd: number | undefined;
  for (const migration of newestFirst(ours, now)) {
    if (migration.status?.phase === MigrationPhase.succeeded) break;
    if (migration.status?.phase !== MigrationPhase.failed) continue;
    delayMs = delayMs === 0 ? FIRST_DELAY_MS : Math.min(MAX_DELAY_MS, delayMs * 2);
    lastEnd ??= endOf(migration, now);
  }
  return lastEnd === undefined ? 0 : Math.min(delayMs, Math.max(0, lastEnd + delayMs - now));
}

/** What seems to come from the future was made before the clock was set back. */
function newestFirst(
  migrations: readonly VirtualMachineInstanceMigration[],
  now: number,
): readonly VirtualMachineInstanceMigration[] {
  const sorted = migrations.toSorted((left, right) => createdAt(right) - createdAt(left));
  const isAhead = (migration: VirtualMachineInstanceMigration): boolean => isFarAhead(createdAt(migration), now);
  return [...sorted.filter((migration) => !isAhead(migration)), ...sorted.filter(isAhead)];
}

function createdAt({ metadata }: VirtualMachineInstanceMigration): number {
  return readTime(metadata.creationTimestamp) ?? 0;
}

/** When it failed; undefined when no clock of now can tell. */
function endOf({ metadata, status }: VirtualMachineInstanceMigration, now: number): number | undefined {
  const last = status?.phaseTransitionTimestamps?.findLast(({ phase }) => phase === MigrationPhase.failed);
  const end = readTime(last?.phaseTransitionTimestamp) ?? readTime(metadata.creationTimestamp);
  return end === undefined || isFarAhead(end, now) ? undefined : end;
}

/** Clocks of machines that work together differ by less. */
function isFarAhead(time: number, now: number): boolean {
  return time > now + FIRST_DELAY_MS;
}
