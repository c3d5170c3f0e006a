import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { systemClock, type Clock, type AgentPart, runTogether } from '@smalt/controller-runtime';
import { migrationKind } from '@smalt/fleet-api';

import type { AgentContext } from '../agent-context.ts';
import { MigrationMetrics } from './migration-metrics.ts';
import { MigrationWatcher } from './migration-watcher.ts';
import { PendingFile } from './pending-file.ts';
import { RecordWriter } from './record-writer.ts';
import { keepSweeping } from './sweep-records.ts';

export interface MigrationsSettings {
  /** How often a migration is looked at, and its record written at most. */
  readonly pollMs?: number | undefined;
  /** How long a record stays after its migration has ended. */
  readonly timeToLiveMs?: number | undefined;
  /** By how much the clocks of two hosts may differ before their accounts of one migration are taken for two. */
  readonly toleranceMs?: number | undefined;
  /** How long the hosts of the migration before are given to put its record away. */
  readonly patienceMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

const TIME_TO_LIVE_MS = 24 * 3_600_000;
const POLL_MS = 1000;
const TOLERANCE_MS = 5000;
/** The origin tells of the next migration within a second or two, if its agent is there. */
const PATIENCE_MS = 10_000;
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

type Context = Pick<
  AgentContext,
  | 'client'
  | 'ignore'
  | 'logger'
  | 'metrics'
  | 'namespace'
  | 'nodeName'
  | 'now'
  | 'recorder'
  | 'session'
  | 'stateDirectory'
>;

/**
 * Tells every live migration in and out of this host in a Migration. No result is lost while the API or the daemon is
 * away, or while the agent is started anew.
 */
export function createMigrationsPart(context: Context, settings: MigrationsSettings = {}): AgentPart {
  const { pollMs = POLL_MS, timeToLiveMs = TIME_TO_LIVE_MS, toleranceMs = TOLERANCE_MS } = settings;
  const { patienceMs = PATIENCE_MS, clock = systemClock } = settings;
  const { ignore, logger, namespace, nodeName, now, recorder, session } = context;
  const metrics = new MigrationMetrics(context.metrics);
  const migrations = context.client.resource(migrationKind);
  const file = new PendingFile(join(context.stateDirectory, 'migrations.json'), { ignore, logger });
  return {
    name: 'migrations',
    run: async (signal) => {
      const times = { toleranceMs, pollMs, patienceMs, clock };
      const writer = new RecordWriter({ ...times, migrations, namespace, file, recorder, logger, ignore, metrics });
      const bootId = (await readFile(BOOT_ID, 'utf8')).trim();
      const watcher = new MigrationWatcher(
        { session, host: nodeName, bootId, logger, ignore, metrics, clock, now, pollMs },
        (report) => writer.report(report),
      );
      for (const kept of await file.load()) {
        // What an agent kept under another name of this host would be refused.
        const pending = { ...kept, observation: { ...kept.observation, host: nodeName } };
        writer.restore(pending);
        if (pending.observation.result === undefined) watcher.resume(pending);
      }
      await runTogether(
        [
          (until) => watcher.run(until),
          (until) => writer.run(until),
          (until) =>
            keepSweeping({ migrations, namespace, host: nodeName, timeToLiveMs, now, clock, ignore, logger }, until),
        ],
        signal,
      );
    },
  };
}
