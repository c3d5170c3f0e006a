import type { KubernetesObject } from '@smalt/kubernetes';

/** A host as the HA service tells of it. What only its leader knows is null elsewhere. */
export interface WatchedHost extends KubernetesObject {
  readonly kind: 'Host';
  readonly name: string;
  readonly judgement: Judgement | null;
  readonly judgedSince: string | null;
  readonly lastRefusal: { readonly brake: string; readonly message: string; readonly at: string | null } | null;
  readonly signals: readonly { readonly source: string; readonly state: string; readonly since: string | null }[];
  readonly instances: unknown;
  readonly isSwitchedOn: boolean | null;
  readonly heldBy: string | null;
  readonly openIncident: string | null;
}

export type Judgement =
  | { readonly kind: 'alive'; readonly isRebooted: boolean }
  | {
      readonly kind: 'suspect';
      readonly since: string;
      readonly dead: readonly string[];
      readonly missing: readonly string[];
    }
  | { readonly kind: 'condemned'; readonly since: string; readonly by: readonly string[] }
  | { readonly kind: 'unknown'; readonly blind: readonly string[] };

/** What became of a lost host, as far as it is. */
export interface Incident extends KubernetesObject {
  readonly kind: 'Incident';
  readonly id: string;
  readonly host: string;
  readonly state: string;
  readonly openedAt: string;
  readonly closedAt: string | null;
  readonly condemnedBy: readonly string[];
  readonly lastLifeAt: string | null;
  readonly wait: { readonly message?: string; readonly reason?: string } | null;
  readonly needsPerson: boolean;
  readonly outcome: string | null;
  readonly fences: readonly { readonly method: string; readonly askedAt: string; readonly answer: string | null }[];
  readonly readings: readonly PowerReading[];
  readonly proof: OffProof | null;
  /** How many instances are in each state. */
  readonly instances: Readonly<Record<string, number>>;
}

interface PowerReading {
  readonly at: string;
  readonly method: string;
  readonly power: string;
  readonly message: string | null;
}

type OffProof =
  | { readonly kind: 'person'; readonly since: string; readonly by: string; readonly note: string }
  | { readonly kind: 'readings'; readonly since: string; readonly readings: number };

/** One line of what was seen, decided, refused, done, or said by a person. */
export interface JournalEntry extends KubernetesObject {
  readonly kind: 'JournalEntry';
  readonly id: string;
  readonly at: string;
  readonly what: string;
  readonly severity: 'info' | 'warning' | 'critical';
  readonly host: string | null;
  readonly incidentId: string | null;
  readonly message: string;
  readonly by: string | null;
}

/** How the service itself is. */
export interface ServiceStatus extends KubernetesObject {
  readonly kind: 'Status';
  readonly version: string;
  readonly identity: string;
  readonly isLeading: boolean;
  readonly isPaused: boolean;
  readonly isDryRun: boolean;
  readonly settingsTrouble: string | null;
  readonly sources: readonly { readonly source: string; readonly isReachable?: boolean; readonly message?: string }[];
  readonly brakes: readonly { readonly brake: string; readonly message: string; readonly hosts: readonly string[] }[];
}

/** All that the HA service has told, sorted out; the newest incidents and lines first. */
export interface WatchedFleet {
  readonly status: ServiceStatus | undefined;
  readonly hosts: readonly WatchedHost[];
  readonly incidents: readonly Incident[];
  readonly journal: readonly JournalEntry[];
}

/** Sorts the objects of the stream by what they are. The service and its pages are of one version, so shapes are its promise. */
export function sortOut(objects: Iterable<KubernetesObject>): WatchedFleet {
  const all = [...objects];
  return {
    status: all.find(isStatus),
    hosts: all.filter(isHost).toSorted((one, other) => compare(one.name, other.name)),
    incidents: all.filter(isIncident).toSorted((one, other) => compare(other.openedAt, one.openedAt)),
    journal: all
      .filter(isJournalEntry)
      .toSorted((one, other) => compare(other.at, one.at) || compare(other.id, one.id)),
  };
}

function isStatus(object: KubernetesObject): object is ServiceStatus {
  return object.kind === 'Status';
}

function isHost(object: KubernetesObject): object is WatchedHost {
  return object.kind === 'Host';
}

function isIncident(object: KubernetesObject): object is Incident {
  return object.kind === 'Incident';
}

function isJournalEntry(object: KubernetesObject): object is JournalEntry {
  return object.kind === 'JournalEntry';
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
