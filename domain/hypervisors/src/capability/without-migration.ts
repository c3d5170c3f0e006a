import { isOneOf, type Incapability } from './incapability.ts';

/** What needs a guest that can be moved while it runs. */
export const withoutMigration: readonly Incapability[] = [
  {
    field: 'evictionStrategy',
    when: isOneOf('LiveMigrate'),
    reason: 'cannot move a guest while it runs',
    instead: 'use LiveMigrateIfPossible or None, and it is shut down when its node is drained',
  },
];
