/** How a server lives and moves. A cloud has one for all, and a server may have some of its own. */
export interface Behaviour {
  /** How long a live migration runs; 50 by default. */
  readonly liveMigrationMs: number;
  /**
   * `succeeds`, `fails` in the driver after that time, gets `stuck` in the middle until it is aborted, or finds
   * `no-host`.
   */
  readonly liveMigration: MoveOutcome;
  readonly coldMigrationMs: number;
  readonly coldMigration: MoveOutcome;
  /** How long an evacuation takes from the choice of a host on; 50 by default. */
  readonly evacuationMs: number;
  /** How long it takes until a host is chosen for an evacuation, whose record says `accepted` so long; 0 by default. */
  readonly schedulingMs: number;
  /** As for live migrations; one that is `stuck` stays so for ever. */
  readonly evacuation: MoveOutcome;
  /** How long the record of an evacuation is not listed yet, as by a database that lags behind; 0 by default. */
  readonly recordDelayMs: number;
  /** How long a new server is in BUILD; 20 by default. */
  readonly spawnMs: number;
  /** The fault of a new server, which then is in ERROR; none by default. */
  readonly spawnFault: string | undefined;
  /** How long a server that is deleted is still there. */
  readonly deleteMs: number;
  /** Whether a deletion is accepted and never carried out. */
  readonly isDeleteStuck: boolean;
  /** How long a record says that a move runs when the server looks arrived already. */
  readonly recordLagMs: number;
  /** How many live migrations leave a host at a time; others are `queued`. No limit by default. */
  readonly maxConcurrentMovesPerHost: number;
  /** What the console of a server says; its name and a prompt by default. */
  readonly consoleText: string | undefined;
}

export type MoveOutcome = 'succeeds' | 'fails' | 'stuck' | 'no-host';

export const DEFAULT_BEHAVIOUR: Behaviour = {
  liveMigrationMs: 50,
  liveMigration: 'succeeds',
  coldMigrationMs: 50,
  coldMigration: 'succeeds',
  evacuationMs: 50,
  schedulingMs: 0,
  evacuation: 'succeeds',
  recordDelayMs: 0,
  spawnMs: 20,
  spawnFault: undefined,
  deleteMs: 5,
  isDeleteStuck: false,
  recordLagMs: 10,
  maxConcurrentMovesPerHost: Number.POSITIVE_INFINITY,
  consoleText: undefined,
};
