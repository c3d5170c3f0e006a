import type { Incident, IncidentState, PersonDecision } from '@smalt/failure-detection';

/** One line of the history that is never changed: what was seen, decided, refused, done, or said by a person. */
export interface JournalEntry {
  readonly at: number;
  readonly kind: JournalKind;
  readonly severity: 'info' | 'warning' | 'critical';
  readonly host: string | undefined;
  readonly incidentId: string | undefined;
  readonly instanceId: string | undefined;
  /** A sentence for people. */
  readonly message: string;
  /** Who did it, when it was a person. */
  readonly by: string | undefined;
}

export const JournalKind = {
  incidentOpened: 'incident-opened',
  incidentStep: 'incident-step',
  incidentWaits: 'incident-waits',
  incidentOver: 'incident-over',
  fence: 'fence',
  /** A brake held back what would have been done. */
  refusal: 'refusal',
  rebuild: 'rebuild',
  hostReturn: 'host-return',
  /** A host has booted anew, whether it had an incident or not. */
  hostReboot: 'host-reboot',
  instanceRecovery: 'instance-recovery',
  person: 'person',
  service: 'service',
} as const;
export type JournalKind = (typeof JournalKind)[keyof typeof JournalKind];

export interface StoredJournalEntry extends JournalEntry {
  /** Grows; nothing is ever added below one that was read. */
  readonly id: string;
}

export interface IncidentFilter {
  readonly host?: string;
  readonly states?: readonly IncidentState[];
  readonly limit: number;
  /** Only those opened before this one. */
  readonly before?: string;
}

/** Incidents and what happened in them. A write is all or nothing, and durable when it returns. */
export interface IncidentStore {
  /** Stores a new incident with its first lines; a host has at most one that is not over. */
  open(incident: Incident, entries: readonly JournalEntry[], signal: AbortSignal): Promise<'stored' | 'exists'>;
  /** Stores the next revision of an incident with what is told of it; `overtaken` when another revision is there. */
  save(incident: Incident, entries: readonly JournalEntry[], signal: AbortSignal): Promise<'stored' | 'overtaken'>;
  get(id: string, signal: AbortSignal): Promise<Incident | undefined>;
  list(filter: IncidentFilter, signal: AbortSignal): Promise<readonly Incident[]>;
  /** When the last incident was opened, for the brake. */
  lastOpenedAt(signal: AbortSignal): Promise<number | undefined>;
  /** Stores a word with a line for the audit. When it was said is told by the store: those who take it have clocks of their own. */
  addDecision(decision: NewDecision, signal: AbortSignal): Promise<StoredDecision>;
  /** What persons have said about one incident, the oldest first. */
  decisions(incidentId: string, signal: AbortSignal): Promise<readonly StoredDecision[]>;
}

/** A person's word. `release` lets a host return. `at` is in the service time of the reader, so it may differ by a little each time. */
export interface StoredDecision extends Omit<PersonDecision, 'kind' | 'id'> {
  /** Tells it from all others. */
  readonly id: string;
  readonly kind: PersonDecision['kind'] | 'release';
}

export type NewDecision = Omit<StoredDecision, 'id' | 'at'>;

export interface JournalFilter {
  readonly host?: string;
  readonly incidentId?: string;
  readonly kinds?: readonly JournalKind[];
  readonly limit: number;
}

export interface JournalStore {
  append(entries: readonly JournalEntry[], signal: AbortSignal): Promise<void>;
  /** After one that was read, the oldest first; from the newest backwards when `after` is undefined. */
  list(after: string | undefined, filter: JournalFilter, signal: AbortSignal): Promise<readonly StoredJournalEntry[]>;
}
