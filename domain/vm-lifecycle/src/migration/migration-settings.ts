import type { MigrationConfiguration } from '@smalt/vm-api';

/** What holds for migrations where no policy says otherwise; the numbers are those that operators know. */
export const MIGRATION_DEFAULTS: MigrationSettings = {
  parallelMigrationsPerCluster: 5,
  parallelOutboundMigrationsPerNode: 2,
  bandwidthPerMigration: '0',
  completionTimeoutPerGiB: 150,
  progressTimeout: 150,
  maxDowntimeMs: 900,
  allowAutoConverge: false,
  allowPostCopy: false,
  allowWorkloadDisruption: false,
  disableTLS: false,
  unsafeMigrationOverride: false,
};

/** How migrations are done, with nothing left open. */
export interface MigrationSettings extends MigrationConfiguration {
  readonly parallelMigrationsPerCluster: number;
  readonly parallelOutboundMigrationsPerNode: number;
  readonly bandwidthPerMigration: number | string;
  readonly completionTimeoutPerGiB: number;
  readonly progressTimeout: number;
  readonly maxDowntimeMs: number;
  readonly allowAutoConverge: boolean;
  readonly allowPostCopy: boolean;
  readonly allowWorkloadDisruption: boolean;
  readonly disableTLS: boolean;
  readonly unsafeMigrationOverride: boolean;
}

/** The settings of a cluster: what is not said in it is as it is by default. */
export function migrationSettings(configuration: MigrationConfiguration | undefined): MigrationSettings {
  const given = Object.entries(configuration ?? {}).filter(([, value]) => value !== undefined);
  const settings = { ...MIGRATION_DEFAULTS, ...Object.fromEntries(given) };
  const follows = configuration?.allowWorkloadDisruption === undefined && configuration?.allowPostCopy !== undefined;
  return follows ? { ...settings, allowWorkloadDisruption: settings.allowPostCopy } : settings;
}
