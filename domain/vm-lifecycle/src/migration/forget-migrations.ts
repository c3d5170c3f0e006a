import type { VirtualMachineInstanceMigration } from '@smalt/vm-api';

import { isFinalMigration } from './choose-migrations.ts';

/** How many ended migrations of one instance are kept to be looked at. */
const KEPT = 5;

/** The ended migrations of one instance that may be deleted: all but the newest five. */
export function forgettableMigrations(
  migrations: readonly VirtualMachineInstanceMigration[],
): readonly VirtualMachineInstanceMigration[] {
  return migrations
    .filter((migration) => isFinalMigration(migration) && migration.metadata.deletionTimestamp === undefined)
    .toSorted((left, right) => keyOf(right).localeCompare(keyOf(left)))
    .slice(KEPT);
}

function keyOf({ metadata }: VirtualMachineInstanceMigration): string {
  return `${metadata.creationTimestamp ?? ''} ${metadata.name}`;
}
