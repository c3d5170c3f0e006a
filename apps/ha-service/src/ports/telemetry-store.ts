import type { BootReport, SignalSource } from '@smalt/failure-detection';
import type { TelemetryBatch, TelemetryEvent, TelemetryInstance } from '@smalt/ha-telemetry';

/** A batch whose sender was proved to be the node it speaks for. */
export interface ArrivedBatch {
  readonly batch: TelemetryBatch;
  /** When its first byte came, in service time: the host lived then. */
  readonly arrivedAt: number;
}

/** One event of an instance, stored once. */
export interface StoredEvent {
  /** Grows in the order in which events became visible; nothing is ever added below one that was read. */
  readonly id: string;
  readonly host: string;
  /** With the time that the clock of its host had, where that was stored. */
  readonly event: TelemetryEvent & { readonly time?: string };
  readonly storedAt: number;
}

/** What agents tell. */
export interface TelemetryStore {
  /**
   * Stores each number of a batch once, with the sign of life and the newest reports. What it answers is stored for good,
   * over a loss of power too. Calls at the same time share one commit.
   */
  accept(arrived: ArrivedBatch, signal: AbortSignal): Promise<{ readonly acknowledged: number }>;
  /** The events after one that was read, the oldest first. */
  events(after: string | undefined, limit: number, signal: AbortSignal): Promise<readonly StoredEvent[]>;
}

/** What one source says of one host, at the moment `at`. */
export interface SignalSample {
  readonly host: string;
  readonly source: SignalSource;
  readonly kind: 'alive' | 'dead';
  readonly at: number;
}

/** The last word of one source about one host. Ages are as of the moment it was read, and never negative. */
export interface SignalRecord {
  readonly host: string;
  readonly source: SignalSource;
  readonly aliveAgeMs: number | undefined;
  readonly deadSinceAgeMs: number | undefined;
  readonly deadAgeMs: number | undefined;
}

/** The newest boot reports of a host, and what its agent says of libvirt. */
export interface HostReport {
  readonly host: string;
  readonly previousBoot: BootReport | undefined;
  readonly latestBoot: BootReport | undefined;
  readonly instances: number | undefined;
}

/** What the agent of a host told of its instances the last time. */
export interface ReportedInstances {
  readonly instances: readonly TelemetryInstance[];
  /** By the clock of the host. */
  readonly time: string;
}

export interface SignalChanges {
  /** Where to go on the next time; it is this reader's alone. */
  readonly cursor: string;
  readonly signals: readonly SignalRecord[];
  readonly reports: readonly HostReport[];
}

/** Signs of life and death, whoever took them: any replica writes, the leader reads. */
export interface SignalStore {
  /** Keeps what is newer than what is there; a row of statements of death is broken by a sign of life. */
  state(samples: readonly SignalSample[], signal: AbortSignal): Promise<void>;
  /** All that changed since; everything when there is no cursor. */
  changes(cursor: string | undefined, signal: AbortSignal): Promise<SignalChanges>;
}
