import { choice, flag, int32, int64, of, quantity, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

const downtimeTuningOptions: TSchema = shape({
  name: 'DowntimeTuningOptions',
  description: 'How the allowed downtime grows step by step.',
  fields: {
    cooldownSeconds: int32('How long to wait between steps.', { minimum: 1 }),
    initialMs: int64('The downtime of the first step, in milliseconds.', { minimum: 1 }),
    startAfterIteration: int64('After which pass over the memory the steps begin.', { minimum: 1 }),
    steps: int32('How many steps there are.', { minimum: 1 }),
  },
});

const stallDetectorOptions: TSchema = shape({
  name: 'StallDetectorOptions',
  description: 'When a migration counts as stalled.',
  fields: {
    completionTimeoutFactor: quantity('Scales the time in which it must complete.'),
    ewmaAlpha: quantity('How much the latest measurement counts.'),
    patienceWindowDecayFactor: quantity('How fast patience runs out.'),
    precopyPossibleFactor: quantity('How far from the goal pre-copy is still tried.'),
    searchLocalMinima: flag('Switch over when little is left for a moment.'),
    stallMargin: int64('By how many per cent there must be progress.', { minimum: 0, maximum: 100 }),
    stallProgressTimeout: int64('After how many seconds without progress it has stalled.', { minimum: 0 }),
    switchoverTimeout: int64('How many seconds the switch may take.', { minimum: 0 }),
  },
});

export const experimentalMigrationOptions: TSchema = shape({
  name: 'ExperimentalMigrationOptions',
  description: 'Options that may change.',
  fields: {
    compression: choice(['none', 'zstd'], 'How memory is packed on its way.'),
    downtimeTuning: of(downtimeTuningOptions, 'How the allowed downtime grows.'),
    stallDetector: of(stallDetectorOptions, 'When a migration counts as stalled.'),
  },
});

export const migrationConfiguration: TSchema = shape({
  name: 'MigrationConfiguration',
  description: 'How virtual machines are migrated.',
  fields: {
    allowAutoConverge: flag('Slow the guest down so that the migration can end.'),
    allowPostCopy: flag('Let the guest run at the target before all memory is there.'),
    allowWorkloadDisruption: flag('Allow what disturbs the guest, so that the migration can end.'),
    bandwidthPerMigration: quantity('The most that one migration may send per second; no limit when 0.'),
    completionTimeoutPerGiB: int64('How many seconds it may take per GiB of memory.'),
    disableTLS: flag('Send memory without encryption.'),
    experimental: of(experimentalMigrationOptions, 'Options that may change.'),
    matchSELinuxLevelOnMigration: flag('Give the target the SELinux level of the source.'),
    maxDowntimeMs: int64('How long the guest may stand still, in milliseconds.', { minimum: 1, maximum: 2000000 }),
    network: text('The network that memory is sent over.'),
    nodeDrainTaintKey: text('The taint that makes virtual machines leave a node.'),
    parallelMigrationsPerCluster: int32('How many migrations may run at once in the cluster.'),
    parallelOutboundMigrationsPerNode: int32('How many migrations may leave a node at once.'),
    progressTimeout: int64('After how many seconds without progress it is given up.'),
    unsafeMigrationOverride: flag('Migrate even where it is not safe.'),
    utilityVolumesTimeout: int64('How many seconds to wait until utility volumes are gone.'),
  },
});
