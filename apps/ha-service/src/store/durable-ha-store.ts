import type { IncidentState, RebuildRecord } from '@smalt/failure-detection';

import type { HaStore } from '../ports/ha-store.ts';
import type { HostReport, ReportedInstances, SignalRecord } from '../ports/telemetry-store.ts';

/** For how long things are kept. What is open, held or not yet read is kept for longer. */
export interface RetentionSettings {
  readonly eventsMs: number;
  readonly journalMs: number;
  readonly incidentsMs: number;
}

/** How many rows went. */
export interface PruneCounts {
  readonly events: number;
  readonly journal: number;
  readonly incidents: number;
  readonly epochs: number;
}

/** What became of one instance in one incident, which others call a vmove. */
export interface RebuildRow extends RebuildRecord {
  readonly incidentId: string;
  readonly host: string;
  readonly incidentState: IncidentState;
  readonly openedAt: number;
}

export interface RebuildFilter {
  readonly incidentId?: string;
  readonly host?: string;
  readonly instanceId?: string;
  readonly limit: number;
}

/** What is known of one host. */
export interface HostSignals {
  readonly signals: readonly SignalRecord[];
  readonly report: HostReport | undefined;
}

/** The store on disk, and what only those who run the service need of it. */
export interface DurableHaStore extends HaStore {
  readonly kind: 'sqlite' | 'postgres';
  /** The newest incidents' instances first, in the order in which they are rebuilt. */
  rebuilds(filter: RebuildFilter, signal: AbortSignal): Promise<readonly RebuildRow[]>;
  signalsOf(host: string, signal: AbortSignal): Promise<HostSignals>;
  reportedInstances(host: string, signal: AbortSignal): Promise<ReportedInstances | undefined>;
  /** Removes what is older than the settings say, little by little; may be stopped at any moment and repeated. */
  prune(retention: RetentionSettings, signal: AbortSignal): Promise<PruneCounts>;
  /** Copies the store to a file while it is used; only SQLite can. The file is there as a whole or not at all. */
  backup(path: string, signal: AbortSignal): Promise<void>;
}
