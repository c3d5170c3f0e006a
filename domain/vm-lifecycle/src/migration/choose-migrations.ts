import { MigrationPhase as Phase, type VirtualMachineInstanceMigration } from '@smalt/vm-api';

import type { MigrationSettings } from './migration-settings.ts';

const PRIORITIES: Readonly<Record<string, number>> = {
  'system-critical': 0,
  'user-triggered': 1,
  'system-maintenance': 2,
};

/** The lower, the sooner. */
function priorityOf({ spec }: VirtualMachineInstanceMigration): number {
  return PRIORITIES[spec.priority ?? 'user-triggered'] ?? 1;
}

/** How soon to look again for one that has to wait for others: the more urgent, the sooner. */
export function waitMsFor(migration: VirtualMachineInstanceMigration): number {
  return [1000, 3000, 5000][priorityOf(migration)] ?? 3000;
}

export interface QueueFacts {
  readonly migrations: readonly VirtualMachineInstanceMigration[];
  /** The node that the instance of a migration is on. */
  readonly sourceNodeOf: (migration: VirtualMachineInstanceMigration) => string | undefined;
  /** Whether the instance of a migration runs. One that has only been given its node has no guest yet that could leave. */
  readonly isRunning: (migration: VirtualMachineInstanceMigration) => boolean;
  readonly limits: Pick<MigrationSettings, 'parallelMigrationsPerCluster' | 'parallelOutboundMigrationsPerNode'>;
}

/** The uids of the migrations that may begin now: the most urgent first, then the oldest, within both limits. */
export function chooseMigrations(facts: QueueFacts): ReadonlySet<string> {
  const { migrations, sourceNodeOf, isRunning, limits } = facts;
  const running = migrations.filter((migration) => isUnderWay(migration));
  const waiting = migrations.filter((migration) => isWaiting(migration) && isRunning(migration));
  const leaving = new Map<string, number>();
  const count = (node: string): number => (leaving.get(node) ?? 0) + 1;
  for (const migration of running) {
    const node = sourceNodeOf(migration) ?? '';
    leaving.set(node, count(node));
  }
  const chosen = new Set<string>();
  for (const migration of waiting.toSorted(byTurn)) {
    const node = sourceNodeOf(migration);
    const isFull = running.length + chosen.size >= limits.parallelMigrationsPerCluster;
    if (isFull || node === undefined || count(node) > limits.parallelOutboundMigrationsPerNode) continue;
    leaving.set(node, count(node));
    chosen.add(migration.metadata.uid ?? '');
  }
  return chosen;
}

const ENDED: readonly string[] = [Phase.succeeded, Phase.failed];

/** Whether a migration has come to its end. */
export function isFinalMigration({ status }: VirtualMachineInstanceMigration): boolean {
  return ENDED.includes(status?.phase ?? '');
}

function isWaiting(migration: VirtualMachineInstanceMigration): boolean {
  const phase = migration.status?.phase ?? Phase.unset;
  return (phase === Phase.unset || phase === Phase.pending) && migration.metadata.deletionTimestamp === undefined;
}

function isUnderWay(migration: VirtualMachineInstanceMigration): boolean {
  const phase = migration.status?.phase ?? Phase.unset;
  return phase !== Phase.unset && phase !== Phase.pending && !isFinalMigration(migration);
}

function byTurn(left: VirtualMachineInstanceMigration, right: VirtualMachineInstanceMigration): number {
  const byPriority = priorityOf(left) - priorityOf(right);
  if (byPriority !== 0) return byPriority;
  const byAge = (left.metadata.creationTimestamp ?? '').localeCompare(right.metadata.creationTimestamp ?? '');
  return byAge === 0 ? left.metadata.name.localeCompare(right.metadata.name) : byAge;
}
