/** How instances that crashed, hang or cannot write are brought back. */
export interface InstanceRecoverySettings {
  readonly isEnabled: boolean;
  /** How long after the trouble it is waited for the instance to settle, or to come back by itself. */
  readonly settleMs: number;
  /** The same for one that cannot write: storage that is back lets it go on without a restart. */
  readonly stallMs: number;
  /** Restarts in place within the window, the longest row before it is moved or left to a person. */
  readonly maximumRestarts: number;
  readonly windowMs: number;
  /** The pause after the first restart; it doubles with each. */
  readonly backOffMs: number;
  /** Whether one that keeps failing is moved to another host, cold, once in a window. */
  readonly mayMove: boolean;
  /** How long it must run before its trouble is called over. */
  readonly steadyMs: number;
  /** How long a request may show nothing before it is taken for lost. */
  readonly graceMs: number;
  /** How long a restart or a move may take before a person is called. */
  readonly actionTimeoutMs: number;
  /** Events that are older when they come are history. */
  readonly maximumEventAgeMs: number;
  /** How often in a row a guest agent that had answered before must miss its ping. */
  readonly missedPings: number;
  /** Instances that are restarted or moved at a time, in the whole fleet. */
  readonly maximumAtOnce: number;
}

/** Three restarts an hour, then a person; nothing is moved unless that is allowed. */
export const defaultInstanceRecoverySettings: InstanceRecoverySettings = {
  isEnabled: true,
  settleMs: 5_000,
  stallMs: 60_000,
  maximumRestarts: 3,
  windowMs: 3_600_000,
  backOffMs: 30_000,
  mayMove: false,
  steadyMs: 300_000,
  graceMs: 120_000,
  actionTimeoutMs: 900_000,
  maximumEventAgeMs: 600_000,
  missedPings: 3,
  maximumAtOnce: 10,
};

/** Every setting that is wrong, one sentence each that names the field. */
export function instanceRecoveryProblems(settings: InstanceRecoverySettings): readonly string[] {
  return [
    ...atLeast('settleMs', settings.settleMs, 0),
    ...atLeast('stallMs', settings.stallMs, 0),
    ...atLeast('maximumRestarts', settings.maximumRestarts, 0),
    ...atLeast('windowMs', settings.windowMs, 60_000),
    ...atLeast('backOffMs', settings.backOffMs, 1),
    ...atLeast('steadyMs', settings.steadyMs, 1),
    ...atLeast('graceMs', settings.graceMs, 60_000),
    ...atLeast('actionTimeoutMs', settings.actionTimeoutMs, settings.graceMs),
    ...atLeast('maximumEventAgeMs', settings.maximumEventAgeMs, Math.max(settings.settleMs, settings.stallMs)),
    ...atLeast('missedPings', settings.missedPings, 2),
    ...atLeast('maximumAtOnce', settings.maximumAtOnce, 1),
  ];
}

function atLeast(field: string, value: number, least: number): readonly string[] {
  return Number.isFinite(value) && value >= least ? [] : [`${field}: ${value} must be at least ${least}`];
}
