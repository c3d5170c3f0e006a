import type { SignalRule, SignalSource } from './judgement/host-signal.ts';

/** When a host is condemned. */
export interface JudgementSettings {
  readonly rules: Readonly<Record<SignalSource, SignalRule>>;
  /** How many independent signals must agree; never less than two. */
  readonly signalsNeeded: number;
  /** Sources that must be among them. Name `storage` where it can tell: only it sees through a cut with a lying BMC. */
  readonly requiredSources: readonly SignalSource[];
  /** How long they must have agreed. */
  readonly agreeMs: number;
  /** A host that another source saw alive this long after silence had called it dead: then the silence means nothing. */
  readonly outlivedMs: number;
}

/** When nothing is done about a condemned host. */
export interface BrakeSettings {
  readonly isPaused: boolean;
  readonly isDryRun: boolean;
  /** How long after its start the service only watches. */
  readonly warmUpMs: number;
  /** How long the service must have reached the Kubernetes API, the compute system and its store. */
  readonly sightMs: number;
  /** If more hosts than either of these are missing at once, something else is wrong. One host is always allowed. */
  readonly maximumMissing: number;
  readonly maximumMissingShare: number;
  /** How far apart two hosts may have last lived and yet be missing at once: one cause may take them one after the other. */
  readonly missingWindowMs: number;
  /** Hosts under recovery at a time, in all and in one failure domain. */
  readonly maximumOpen: number;
  readonly maximumOpenPerDomain: number;
  /** How long after an incident was opened the next may be. */
  readonly intervalMs: number;
}

/** How an incident is worked off. */
export interface RecoverySettings {
  /** How many readings of `off` in a row, each by a fresh session, prove it; never less than two. */
  readonly offReadings: number;
  /** The pause between two readings, and between two while nothing is expected to change. */
  readonly readIntervalMs: number;
  readonly slowReadIntervalMs: number;
  /** How long a reading may take before its answer is taken for lost; one at a time is asked for. */
  readonly readTimeoutMs: number;
  /** How old the last reading of `off` may be when a rebuild is asked for. */
  readonly proofValidMs: number;
  /** How long one attempt to fence may take, and how often one level is tried while the power reads `on`. */
  readonly fenceTimeoutMs: number;
  readonly attemptsPerLevel: number;
  /** Evacuations at a time. */
  readonly parallelRebuilds: number;
  /**
   * How long after a request a list without its record is taken to show that it never arrived. It must be longer than any
   * queue between us and the compute system keeps a request whose client has gone.
   */
  readonly graceMs: number;
  /** How often a request that never arrived is made again. */
  readonly maximumAsks: number;
  /** How many evacuations of one instance may fail, and the pause before the next. */
  readonly attemptsPerInstance: number;
  readonly retryDelayMs: number;
  /** How long it is tried to clean up before it goes on without; and the pause before that, or a host, is asked again. */
  readonly cleanUpMs: number;
  readonly repeatMs: number;
  /** How long a reserved host may take until it is up and enabled, before the next one is taken. */
  readonly reservedTimeoutMs: number;
  /** After this an evacuation is called overdue: it is still watched, but holds up no other. */
  readonly evacuationTimeoutMs: number;
}

/** When a repaired host takes instances again. */
export interface ReturnSettings {
  /** Whether it returns without a person's word; after a failed recovery it never does. */
  readonly isAutomatic: boolean;
  /** How long its compute service must have been up before it is enabled. */
  readonly steadyMs: number;
}

export interface DetectionSettings {
  readonly judgement: JudgementSettings;
  readonly brakes: BrakeSettings;
  readonly recovery: RecoverySettings;
  readonly hostReturn: ReturnSettings;
}

/** Calm defaults: two minutes of silence, one host at a time. */
export const defaultDetectionSettings: DetectionSettings = {
  judgement: {
    rules: {
      agent: { kind: 'silence', group: 'agent', countsAsLife: true, freshMs: 45_000, deadAfterMs: 120_000 },
      libvirt: { kind: 'statement', group: 'agent', countsAsLife: true, freshMs: 45_000, deadAfterMs: 60_000 },
      'node-lease': { kind: 'silence', group: 'kubernetes', countsAsLife: true, freshMs: 40_000, deadAfterMs: 100_000 },
      'compute-service': {
        kind: 'statement',
        group: 'compute',
        countsAsLife: true,
        freshMs: 60_000,
        deadAfterMs: 30_000,
      },
      storage: { kind: 'silence', group: 'storage', countsAsLife: true, freshMs: 60_000, deadAfterMs: 180_000 },
      bmc: { kind: 'statement', group: 'power', countsAsLife: false, freshMs: 60_000, deadAfterMs: 20_000 },
    },
    signalsNeeded: 2,
    requiredSources: ['agent'],
    agreeMs: 15_000,
    outlivedMs: 600_000,
  },
  brakes: {
    isPaused: false,
    isDryRun: false,
    warmUpMs: 300_000,
    sightMs: 60_000,
    maximumMissing: 5,
    maximumMissingShare: 0.1,
    missingWindowMs: 1_800_000,
    maximumOpen: 2,
    maximumOpenPerDomain: 1,
    intervalMs: 300_000,
  },
  recovery: {
    offReadings: 3,
    readIntervalMs: 500,
    slowReadIntervalMs: 30_000,
    readTimeoutMs: 10_000,
    proofValidMs: 60_000,
    fenceTimeoutMs: 30_000,
    attemptsPerLevel: 2,
    parallelRebuilds: 3,
    graceMs: 600_000,
    maximumAsks: 3,
    attemptsPerInstance: 3,
    retryDelayMs: 10_000,
    cleanUpMs: 60_000,
    repeatMs: 10_000,
    reservedTimeoutMs: 180_000,
    evacuationTimeoutMs: 900_000,
  },
  hostReturn: { isAutomatic: false, steadyMs: 120_000 },
};
