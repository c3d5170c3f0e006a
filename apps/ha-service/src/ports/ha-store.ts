import type { IncidentStore, JournalEntry, JournalStore } from './incident-store.ts';
import type { ReportedInstances, SignalStore, TelemetryStore } from './telemetry-store.ts';

/** What the service remembers of one host beside its signals. */
export interface HostRecord {
  readonly name: string;
  /** Whether `POST /api/hypervisors/<host>` has switched it off; undefined when nobody ever asked. */
  readonly isSwitchedOn: boolean | undefined;
  /** The incident that is over and after which it has not returned yet. */
  readonly heldBy: string | undefined;
}

export interface HostStore {
  list(signal: AbortSignal): Promise<readonly HostRecord[]>;
  switch(host: string, isSwitchedOn: boolean, signal: AbortSignal): Promise<void>;
  /** Holds a host after an incident, or lets it go. */
  hold(host: string, incidentId: string | undefined, signal: AbortSignal): Promise<void>;
  forget(host: string, signal: AbortSignal): Promise<void>;
}

/** What persons have set for the whole service. */
export interface ServiceSwitches {
  readonly isPaused: boolean;
  readonly isDryRun: boolean;
}

/** A document of one of the service's tasks, with the revision that is expected when it is written. */
export interface TaskDocument {
  readonly key: string;
  readonly revision: number;
  /** JSON. */
  readonly content: string;
}

/**
 * Kinds of documents that say up to where somebody has read, as `writeCursor` writes it. What comes after the least of them is not
 * removed, however old it is; who stops reading deletes his document.
 */
export const CursorKind = { events: 'instance-recovery-cursor', journal: 'webhook-cursor' } as const;

/** Small state of single tasks: cursors, recoveries of instances. */
export interface DocumentStore {
  get(kind: string, key: string, signal: AbortSignal): Promise<TaskDocument | undefined>;
  list(kind: string, signal: AbortSignal): Promise<readonly TaskDocument[]>;
  /** Writes revision n over n - 1 (1 over none); `overtaken` when another is there. */
  save(kind: string, document: TaskDocument, signal: AbortSignal): Promise<'stored' | 'overtaken'>;
  delete(kind: string, key: string, signal: AbortSignal): Promise<void>;
}

/** All that outlives the process. Everything that fails throws a `StoreError`; nothing is half done. */
export interface HaStore extends AsyncDisposable {
  readonly telemetry: TelemetryStore;
  readonly signals: SignalStore;
  readonly incidents: IncidentStore;
  readonly journal: JournalStore;
  readonly hosts: HostStore;
  readonly documents: DocumentStore;
  switches(signal: AbortSignal): Promise<ServiceSwitches>;
  /** Turns the switches that are named and no other, with the line that tells of it: both or none. */
  setSwitches(change: Partial<ServiceSwitches>, entry: JournalEntry, signal: AbortSignal): Promise<void>;
  /** What the agent of a host told of its instances the last time; left out by stores that do not keep it. */
  reportedInstances?(host: string, signal: AbortSignal): Promise<ReportedInstances | undefined>;
  /** Asks for nothing, to see whether it answers. */
  ping(signal: AbortSignal): Promise<void>;
}
