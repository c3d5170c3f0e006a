import { isOver, type Incident } from '@smalt/failure-detection';

import type {
  IncidentFilter,
  IncidentStore,
  JournalEntry,
  NewDecision,
  StoredDecision,
} from '../ports/incident-store.ts';
import { incidentCounts, type IncidentCounts } from './incident-counts.ts';

/** The incidents of a store, counted as they change. What was stored before is not counted again. */
export class CountingIncidentStore implements IncidentStore {
  readonly #inner: IncidentStore;
  readonly #count: (counts: IncidentCounts) => void;
  /** The last revision that was seen of those that are open. */
  readonly #seen = new Map<string, Incident>();

  constructor(inner: IncidentStore, count: (counts: IncidentCounts) => void) {
    this.#inner = inner;
    this.#count = count;
  }

  async open(incident: Incident, entries: readonly JournalEntry[], signal: AbortSignal): Promise<'stored' | 'exists'> {
    const result = await this.#inner.open(incident, entries, signal);
    if (result === 'stored') this.#see(incident);
    return result;
  }

  async save(
    incident: Incident,
    entries: readonly JournalEntry[],
    signal: AbortSignal,
  ): Promise<'stored' | 'overtaken'> {
    const result = await this.#inner.save(incident, entries, signal);
    if (result === 'overtaken') return result;
    const before = this.#seen.get(incident.id);
    if (before !== undefined) this.#count(incidentCounts(before, incident));
    this.#see(incident);
    return result;
  }

  async get(id: string, signal: AbortSignal): Promise<Incident | undefined> {
    const incident = await this.#inner.get(id, signal);
    if (incident !== undefined && !this.#seen.has(id)) this.#see(incident);
    return incident;
  }

  async list(filter: IncidentFilter, signal: AbortSignal): Promise<readonly Incident[]> {
    const incidents = await this.#inner.list(filter, signal);
    for (const incident of incidents) if (!this.#seen.has(incident.id)) this.#see(incident);
    return incidents;
  }

  lastOpenedAt(signal: AbortSignal): Promise<number | undefined> {
    return this.#inner.lastOpenedAt(signal);
  }

  addDecision(decision: NewDecision, signal: AbortSignal): Promise<StoredDecision> {
    return this.#inner.addDecision(decision, signal);
  }

  decisions(incidentId: string, signal: AbortSignal): Promise<readonly StoredDecision[]> {
    return this.#inner.decisions(incidentId, signal);
  }

  #see(incident: Incident): void {
    if (isOver(incident)) this.#seen.delete(incident.id);
    else this.#seen.set(incident.id, incident);
  }
}
