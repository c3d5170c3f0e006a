import type {
  HaStore,
  HostRecord,
  IncidentFilter,
  JournalEntry,
  JournalFilter,
  NewDecision,
  ServiceSwitches,
  StoredDecision,
  StoredJournalEntry,
  TaskDocument,
} from '@smalt/ha-service';
import { isOver, type Incident } from '@smalt/failure-detection';

import { MemorySignals } from './memory-signals.ts';

/** All that is stored, for all processes. Every change is whole, and there for good when it returns. */
export class MemoryStore {
  readonly signals: MemorySignals = new MemorySignals();
  readonly incidents: Map<string, Incident> = new Map();
  readonly journal: StoredJournalEntry[] = [];
  readonly decisions: StoredDecision[] = [];
  readonly hosts: Map<string, HostRecord> = new Map();
  readonly documents: Map<string, TaskDocument> = new Map();
  /** When incidents were opened, in the store's time. */
  readonly openedAt: Map<string, number> = new Map();
  switches: ServiceSwitches = { isPaused: false, isDryRun: false };
  /** Told of every line of the journal. */
  onEntry: (entry: JournalEntry) => void = () => {};
  #journalId = 0;

  open(incident: Incident, entries: readonly JournalEntry[], now: number): 'stored' | 'exists' {
    const isTaken = [...this.incidents.values()].some((each) => each.host === incident.host && !isOver(each));
    if (this.incidents.has(incident.id) || isTaken) return 'exists';
    this.incidents.set(incident.id, incident);
    this.openedAt.set(incident.id, now);
    this.append(entries);
    return 'stored';
  }

  save(incident: Incident, entries: readonly JournalEntry[]): 'stored' | 'overtaken' {
    if (this.incidents.get(incident.id)?.revision !== incident.revision - 1) return 'overtaken';
    this.incidents.set(incident.id, incident);
    this.append(entries);
    return 'stored';
  }

  listIncidents({ host, states, limit, before }: IncidentFilter): readonly Incident[] {
    const newestFirst = [...this.incidents.values()].toReversed();
    const start = before === undefined ? 0 : newestFirst.findIndex(({ id }) => id === before) + 1;
    return newestFirst
      .slice(start)
      .filter((each) => (host === undefined || each.host === host) && (states?.includes(each.state) ?? true))
      .slice(0, limit);
  }

  /** Stores a word as of `now`, in the store's time. */
  addDecision(decision: NewDecision, now: number): StoredDecision {
    const stored = { ...decision, id: String(this.decisions.length + 1), at: now };
    this.decisions.push(stored);
    return stored;
  }

  turnSwitches(change: Partial<ServiceSwitches>, entry: JournalEntry): void {
    this.switches = { ...this.switches, ...change };
    this.append([entry]);
  }

  append(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      this.#journalId += 1;
      this.onEntry(entry);
      this.journal.push({ ...entry, id: String(this.#journalId).padStart(12, '0') });
    }
  }

  listJournal(after: string | undefined, filter: JournalFilter): readonly StoredJournalEntry[] {
    const { host, incidentId, kinds, limit } = filter;
    const isWanted = (entry: StoredJournalEntry) =>
      (host === undefined || entry.host === host) &&
      (incidentId === undefined || entry.incidentId === incidentId) &&
      (kinds?.includes(entry.kind) ?? true);
    if (after === undefined) return this.journal.filter(isWanted).toReversed().slice(0, limit);
    return this.journal.filter((entry) => entry.id > after && isWanted(entry)).slice(0, limit);
  }

  changeHost(name: string, change: Partial<HostRecord>): void {
    const known = this.hosts.get(name) ?? { name, isSwitchedOn: undefined, heldBy: undefined };
    this.hosts.set(name, { ...known, ...change });
  }

  saveDocument(kind: string, document: TaskDocument): 'stored' | 'overtaken' {
    const key = `${kind}/${document.key}`;
    if ((this.documents.get(key)?.revision ?? 0) !== document.revision - 1) return 'overtaken';
    this.documents.set(key, document);
    return 'stored';
  }
}

/** How a process reaches the store: each call has an effect there, and an answer that may never come. */
export interface StoreAccess {
  readonly ask: <T>(what: string, effect: () => T, signal: AbortSignal) => Promise<T>;
  /** Told when an incident is about to be stored, before anything else. */
  readonly onOpen?: (incident: Incident) => void;
  readonly onSave?: (incident: Incident) => void;
  /** The caller's clock, and the store's. */
  readonly ownNow: () => number;
  readonly storeNow: () => number;
}

/** The store as one process has it. Times are turned from its clock into the store's and back. */
export function createStorePort(store: MemoryStore, access: StoreAccess): HaStore {
  const { ask, ownNow, storeNow } = access;
  return {
    ...signalPorts(store, access),
    incidents: incidentPort(store, access),
    journal: {
      append: (entries, signal) => ask('append to the journal', () => store.append(entries), signal),
      list: (after, filter, signal) => ask('list the journal', () => store.listJournal(after, filter), signal),
    },
    hosts: {
      list: (signal) => ask('list hosts', () => [...store.hosts.values()], signal),
      switch: (host, isSwitchedOn, signal) =>
        ask('switch a host', () => store.changeHost(host, { isSwitchedOn }), signal),
      hold: (host, heldBy, signal) => ask('hold a host', () => store.changeHost(host, { heldBy }), signal),
      forget: (host, signal) => ask('forget a host', () => void store.hosts.delete(host), signal),
    },
    documents: documentPort(store, ask),
    switches: (signal) => ask('read the switches', () => store.switches, signal),
    setSwitches: (change, entry, signal) => ask('set the switches', () => store.turnSwitches(change, entry), signal),
    ping: (signal) => ask('ping', () => void [ownNow, storeNow], signal),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function signalPorts(
  store: MemoryStore,
  { ask, ownNow, storeNow }: StoreAccess,
): Pick<HaStore, 'telemetry' | 'signals'> {
  // What lies in the future was noted by a clock that was set back since: it is taken as of now.
  const toStoreTime = (at: number) => storeNow() - Math.max(0, ownNow() - at);
  const toOwnTime = (at: number) => ownNow() - Math.max(0, storeNow() - at);
  const { signals } = store;
  return {
    telemetry: {
      accept: (arrived, signal) =>
        ask('accept', () => ({ acknowledged: signals.accept(arrived, toStoreTime, storeNow()) }), signal),
      events: (after, limit, signal) => ask('list events', () => signals.events(after, limit, toOwnTime), signal),
    },
    signals: {
      state: (samples, signal) => ask('state signals', () => signals.state(samples, toStoreTime, storeNow()), signal),
      changes: (cursor, signal) => ask('read signals', () => signals.changes(cursor, storeNow()), signal),
    },
  };
}

function incidentPort(store: MemoryStore, access: StoreAccess): HaStore['incidents'] {
  const { ask, ownNow, storeNow } = access;
  const toOwn = (decision: StoredDecision): StoredDecision => ({
    ...decision,
    at: ownNow() - Math.max(0, storeNow() - decision.at),
  });
  const lastOpenedAt = () => {
    if (store.openedAt.size === 0) return undefined;
    const age = storeNow() - Math.max(...store.openedAt.values());
    return ownNow() - Math.max(0, age);
  };
  return {
    open: (incident, entries, signal) => {
      access.onOpen?.(incident);
      return ask(`open ${incident.id}`, () => store.open(incident, entries, storeNow()), signal);
    },
    save: (incident, entries, signal) => {
      access.onSave?.(incident);
      return ask(`save ${incident.id}`, () => store.save(incident, entries), signal);
    },
    get: (id, signal) => ask(`get ${id}`, () => store.incidents.get(id), signal),
    list: (filter, signal) => ask('list incidents', () => store.listIncidents(filter), signal),
    lastOpenedAt: (signal) => ask('read the last opening', lastOpenedAt, signal),
    addDecision: (decision, signal) =>
      ask('add a decision', () => toOwn(store.addDecision(decision, storeNow())), signal),
    decisions: (id, signal) =>
      ask('read decisions', () => store.decisions.filter(({ incidentId }) => incidentId === id).map(toOwn), signal),
  };
}

function documentPort(store: MemoryStore, ask: StoreAccess['ask']): HaStore['documents'] {
  const listed = (kind: string) => [...store.documents].filter(([key]) => key.startsWith(`${kind}/`));
  return {
    get: (kind, key, signal) => ask('get a document', () => store.documents.get(`${kind}/${key}`), signal),
    list: (kind, signal) => ask('list documents', () => listed(kind).map(([, document]) => document), signal),
    save: (kind, document, signal) => ask('save a document', () => store.saveDocument(kind, document), signal),
    delete: (kind, key, signal) =>
      ask('delete a document', () => void store.documents.delete(`${kind}/${key}`), signal),
  };
}
