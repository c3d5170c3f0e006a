/** Which domain something is about. */
export interface TelemetryDomain {
  readonly uuid: string;
  readonly name: string;
  /** Only while it is active. */
  readonly id?: number | undefined;
}

/** Something that happened to a domain, in words. A word that libvirt has and we do not is `unknown-` and its number. */
export type TelemetryEvent =
  | { readonly kind: 'lifecycle'; readonly domain: TelemetryDomain; readonly event: string; readonly detail: string }
  | { readonly kind: 'reboot'; readonly domain: TelemetryDomain }
  | { readonly kind: 'watchdog'; readonly domain: TelemetryDomain; readonly action: string }
  | {
      readonly kind: 'io-error';
      readonly domain: TelemetryDomain;
      readonly path: string;
      readonly device: string;
      readonly action: string;
      /** Such as `enospc`; missing when the daemon does not tell. */
      readonly reason?: string | undefined;
    }
  | { readonly kind: 'control-error'; readonly domain: TelemetryDomain }
  | {
      readonly kind: 'agent-lifecycle';
      readonly domain: TelemetryDomain;
      readonly state: string;
      readonly reason: string;
    }
  | {
      readonly kind: 'memory-failure';
      readonly domain: TelemetryDomain;
      readonly recipient: string;
      readonly action: string;
      readonly flags: readonly string[];
    }
  | {
      readonly kind: 'guest-ping';
      readonly domain: TelemetryDomain;
      /** Silent: its agent has answered before, is still connected, and does not answer now. */
      readonly state: GuestPingState;
      /** Pings in a row that it missed; before its answer, if it answers. */
      readonly misses: number;
      /** When it missed the first of them. */
      readonly since: string;
    };

/** Whether the agent in a guest answers, told where that changes. */
export type GuestPingState = 'silent' | 'answers';

export type TelemetryEventKind = TelemetryEvent['kind'];

/** The kinds of events, in the order in which they are documented. */
export const telemetryEventKinds: readonly TelemetryEventKind[] = [
  'lifecycle',
  'reboot',
  'watchdog',
  'io-error',
  'control-error',
  'agent-lifecycle',
  'memory-failure',
  'guest-ping',
];

/** Why events may be missing here: nobody listened before, libvirt was away, or too many came at once. */
export type MissedReason = 'agent-started' | 'libvirt-lost' | 'too-many';

/** Says that events may be missing at this place; an instances report follows as soon as there can be one. */
export interface MissedRecord {
  readonly kind: 'missed';
  readonly reason: MissedReason;
  /** How many, if that is known. */
  readonly dropped?: number | undefined;
  /** When it began, if that is known. */
  readonly since?: string | undefined;
}

export interface UptimeReport {
  readonly kind: 'uptime';
  /** How long the host is up, by a clock that nobody can set. */
  readonly uptimeSeconds: number;
  /** Another one after every boot of the host. */
  readonly bootId: string;
  readonly agentStartedAt: string;
  readonly libvirt: 'connected' | 'disconnected';
}

export interface TelemetryInstance extends TelemetryDomain {
  /** `running`, `paused`, `shutoff`, …; `active` or `inactive` when the daemon tells no more. */
  readonly state: string;
}

/** All domains of the host at one moment, running or not. */
export interface InstancesReport {
  readonly kind: 'instances';
  readonly instances: readonly TelemetryInstance[];
}

/** What is put into the queue, before it has a number. */
export type TelemetryContent = (TelemetryEvent | MissedRecord | UptimeReport | InstancesReport) & {
  /** When it happened or was seen, by the clock of the host. */
  readonly time: string;
};

/**
 * Why numbers are lost: the queue was full, the service refused the record for good, the disk had no room for it when
 * the agent ended, or the queue's file was damaged.
 */
export type GapReason = 'queue-full' | 'refused' | 'unsaved' | 'damaged';

/** Stands in for all records from `firstSequence` to its own `sequence`, which will never come. */
export interface GapRecord {
  readonly kind: 'gap';
  readonly firstSequence: number;
  readonly reason: GapReason;
  readonly time: string;
}

/** One record with its number. */
export type TelemetryRecord = (TelemetryContent | GapRecord) & { readonly sequence: number };

/** What is sent in one request: every number from the first to the last, in order, none left out. */
export interface TelemetryBatch {
  readonly version: 1;
  readonly node: string;
  /** Numbers count within an epoch. Another one begins when the queue was lost. */
  readonly epoch: string;
  /** One run of the agent. */
  readonly agent: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly records: readonly TelemetryRecord[];
}

/** What the service answers to a batch. */
export interface TelemetryAnswer {
  readonly epoch: string;
  /** All numbers of the epoch up to this one are with the service for good. */
  readonly acknowledged: number;
}

/** What the service answers when it will never take a batch as it is. */
export interface TelemetryRefusal {
  /** That of the batch: it tells the word of the service from that of a proxy. */
  readonly epoch: string;
  readonly error: string;
  /** The record that is the trouble, if it is one. */
  readonly sequence?: number | undefined;
}
