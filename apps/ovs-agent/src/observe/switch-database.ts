import type { Clock } from '@smalt/controller-runtime';
import { openOvsdb, type Ovsdb, type OvsdbMonitor, type OvsWarning } from '@smalt/ovs';

import { ovsClock } from './ovs-clock.ts';
import { STATISTICS_TABLES, SWITCH_TABLES, type StatisticsTables, type SwitchTables } from './switch-tables.ts';

/** The session with the Open_vSwitch database. */
export type SwitchDatabase = Ovsdb<SwitchTables>;

export interface OpenedSwitchDatabase extends AsyncDisposable {
  readonly database: SwitchDatabase;
  readonly statistics: OvsdbMonitor<StatisticsTables>;
}

export interface SwitchDatabaseOptions {
  readonly runDirectories: readonly string[];
  readonly answerMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onWarning: (warning: OvsWarning) => void;
}

/** Follows the database of Open vSwitch, in whichever of the directories its socket is. */
export function openSwitchDatabase(options: SwitchDatabaseOptions): OpenedSwitchDatabase {
  const { runDirectories, answerMs, clock, random, onWarning } = options;
  const endpoints = runDirectories.map((directory) => ({ kind: 'unix' as const, path: `${directory}/db.sock` }));
  const database = openOvsdb({
    target: { endpoints },
    database: 'Open_vSwitch',
    tables: SWITCH_TABLES,
    echoMs: answerMs,
    echoTimeoutMs: answerMs,
    requestTimeoutMs: answerMs,
    // It is on this machine: to look for it often costs nobody anything.
    backOff: { initialMs: 100, maxMs: 1_000 },
    clock: ovsClock(clock),
    random,
    onWarning,
  });
  const statistics = database.monitor(STATISTICS_TABLES);
  return {
    database,
    statistics,
    [Symbol.asyncDispose]: async () => {
      await statistics[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
