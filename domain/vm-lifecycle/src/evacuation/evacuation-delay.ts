import { MigrationPhase, WellKnownName, type VirtualMachineInstanceMigration } from '@smalt/vm-api';

import { readTime } from '../conditions/conditions.ts';

const FIRST_DELAY_MS = 20_000;
/** Doubling ends here: an instance that cannot leave is tried again every hour. */
const MAX_DELAY_MS = 60 * 60_000;

/** How long to wait before an instance is evacuated again: 20 s after a failure, twice as long after each further one. */
export function evacuationDelayMs(migrations: readonly VirtualMachineInstanceMigration[], now: number): number {
  const ours = migrations
    .filter(({ metadata }) => metadata.annotations?.[WellKnownName.evacuationMigrationAnnotation] !== undefined)
    .toSorted((left, right) =>
      (right.metadata.creationTimestamp ?? '').localeCompare(left.metadata.creationTimestamp ?? ''),
    );
  let delayMs = 0;
  let lastEnd: number | undefined;
  for (const migration of ours) {
    if (migration.status?.phase === MigrationPhase.succeeded) break;
    if (migration.status?.phase !== MigrationPhase.failed) continue;
    delayMs = delayMs === 0 ? FIRST_DELAY_MS : Math.min(MAX_DELAY_MS, delayMs * 2);
    lastEnd ??= endOf(migration);
  }
  return lastEnd === undefined ? 0 : Math.max(0, lastEnd + delayMs - now);
}

function endOf({ metadata, status }: VirtualMachineInstanceMigration): number | undefined {
  const last = status?.phaseTransitionTimestamps?.findLast(({ phase }) => phase === MigrationPhase.failed);
  return readTime(last?.phaseTransitionTimestamp) ?? readTime(metadata.creationTimestamp);
}
