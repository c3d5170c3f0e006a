import type { HostDescription } from './host-description.ts';

/** A unit as systemd sees it. Words are those of systemd: `active`, `activating`, `not-found`, … */
export interface UnitState {
  readonly name: string;
  readonly activeState: string;
  readonly subState: string;
  readonly loadState: string;
}

/**
 * Stands for "one of the watched units may have changed": ask again. `name` is missing when it could be any of them.
 * `resubscribed` says that the watch works from here on: once at its beginning, and again after the bus was away.
 */
export interface UnitChange {
  readonly kind: 'unit-changed' | 'resubscribed';
  readonly name?: string;
}

/** How a job ended, in the words of systemd: `done`, `failed`, `canceled`, `timeout`, `dependency`, `skipped`. */
export type JobResult = string;

/** Who holds back a shutdown, and why; people see both in `systemd-inhibit --list`. */
export interface DelayReason {
  readonly who: string;
  readonly why: string;
}

/** A shutdown that is held back until this is disposed of, or until logind has waited long enough. */
export interface ShutdownDelay extends AsyncDisposable {
  /** Resolves when the lock is not held any more, whoever ended it. Never rejects. */
  readonly released: Promise<void>;
}

/** The service manager of this machine, with logind and hostnamed. Comes back by itself when the bus was away. */
export interface Systemd extends AsyncDisposable {
  /** The states of units, in the order asked for; a unit that does not exist has the load state `not-found`. */
  unitStates(names: readonly string[], signal: AbortSignal): Promise<readonly UnitState[]>;
  /** Tells of changes of these units until the signal fires. Changes that nobody has read yet are told once. */
  watchUnits(names: readonly string[], signal: AbortSignal): AsyncIterable<UnitChange>;
  /** Starts a unit (mode `replace`) and resolves with how the job ended. The job goes on when the signal fires. */
  startUnit(name: string, signal: AbortSignal): Promise<JobResult>;
  /** Stops and starts a unit (mode `replace`), or only starts it, and resolves with how the job ended. */
  restartUnit(name: string, signal: AbortSignal): Promise<JobResult>;
  /** Stops a unit (mode `replace`) and resolves with how the job ended; `done` too if the unit did not run. */
  stopUnit(name: string, signal: AbortSignal): Promise<JobResult>;
  describeHost(signal: AbortSignal): Promise<HostDescription>;
  /** `true` when a shutdown or reboot begins (delay inhibitors hold it back), `false` when it was called off. */
  watchShutdown(signal: AbortSignal): AsyncIterable<boolean>;
  /** How long logind lets a shutdown be held back at most, `InhibitDelayMaxSec`; `Infinity` where that has no end. */
  shutdownDelayLimitMs(signal: AbortSignal): Promise<number>;
  /** Holds back sleep and shutdown until disposed of, as long as logind allows. The signal ends only the waiting. */
  delayShutdown(reason: DelayReason, signal: AbortSignal): Promise<ShutdownDelay>;
}
