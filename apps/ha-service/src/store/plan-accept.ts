import type { SignalSource } from '@smalt/failure-detection';
import type { TelemetryEvent, TelemetryRecord } from '@smalt/ha-telemetry';

import type { ArrivedBatch } from '../ports/telemetry-store.ts';
import { findLosses, type TelemetryLoss } from './find-losses.ts';
import { foldSamples, type SignalChange, type StoredSignals } from './fold-samples.ts';

export interface BootFacts {
  readonly previousBootId: string | null;
  readonly previousUptime: number | null;
  readonly latestBootId: string | null;
  readonly latestUptime: number | null;
  readonly instances: number | null;
}

/** What is stored of the hosts whose batches have arrived. Keys are made by `keyOf`. */
export interface AcceptState {
  readonly cursors: ReadonlyMap<string, number>;
  readonly signals: StoredSignals;
  readonly reports: ReadonlyMap<string, BootFacts>;
}

interface AcceptedEvent {
  readonly host: string;
  readonly epoch: string;
  readonly number: number;
  /** JSON. */
  readonly content: string;
  readonly time: string;
}

/** All that is to be written for some batches. */
export interface AcceptPlan {
  /** For each batch, in their order. */
  readonly acknowledged: readonly number[];
  readonly cursors: readonly { readonly host: string; readonly epoch: string; readonly number: number }[];
  readonly signals: readonly SignalChange[];
  readonly reports: readonly (BootFacts & { readonly host: string })[];
  readonly instanceLists: readonly { readonly host: string; readonly content: string; readonly time: string }[];
  readonly events: readonly AcceptedEvent[];
  /** What did not come and never will. */
  readonly losses: readonly TelemetryLoss[];
}

interface AcceptTimes {
  readonly now: number;
  toStore(at: number): number;
}

const NO_FACTS: BootFacts = {
  previousBootId: null,
  previousUptime: null,
  latestBootId: null,
  latestUptime: null,
  instances: null,
};

/** A key that two pairs never share: the first part has no NUL. */
export function keyOf(one: string, other: string): string {
  return `${one}\0${other}`;
}

/** Decides what is new in some batches. Numbers that are stored already say nothing, but that the host lives. */
export function planAccept(batches: readonly ArrivedBatch[], state: AcceptState, times: AcceptTimes): AcceptPlan {
  const cursors = new Map<string, { host: string; epoch: string; number: number }>();
  const reports = new Map<string, BootFacts>();
  const lists = new Map<string, { host: string; content: string; time: string }>();
  const [events, samples, acknowledged]: [AcceptedEvent[], Sample[], number[]] = [[], [], []];
  const losses: TelemetryLoss[] = [];
  for (const { batch, arrivedAt } of batches) {
    const { node: host, epoch } = batch;
    const key = keyOf(host, epoch);
    const known = cursors.get(key)?.number ?? state.cursors.get(key) ?? 0;
    const fresh = known < batch.firstSequence ? batch.records : batch.records.filter((each) => each.sequence > known);
    const news = readRecords(fresh, host, epoch);
    events.push(...news.events);
    losses.push(...findLosses(batch, fresh, known));
    const at = times.toStore(arrivedAt);
    samples.push({ host, source: 'agent', kind: 'alive', at });
    if (news.libvirt !== undefined) samples.push({ host, source: 'libvirt', kind: news.libvirt, at });
    if (news.boot !== undefined || news.list !== undefined) {
      reports.set(host, nextFacts(reports.get(host) ?? state.reports.get(host) ?? NO_FACTS, news));
    }
    if (news.list !== undefined) lists.set(host, { host, content: news.list.content, time: news.list.time });
    const number = Math.max(known, batch.lastSequence);
    cursors.set(key, { host, epoch, number });
    acknowledged.push(number);
  }
  return {
    acknowledged,
    cursors: [...cursors.values()],
    signals: foldSamples(samples, state.signals, times.now),
    reports: Array.from(reports, ([host, facts]) => ({ host, ...facts })),
    instanceLists: [...lists.values()],
    events,
    losses,
  };
}

interface Sample {
  readonly host: string;
  readonly source: SignalSource;
  readonly kind: 'alive' | 'dead';
  readonly at: number;
}

interface News {
  readonly events: readonly AcceptedEvent[];
  readonly libvirt: 'alive' | 'dead' | undefined;
  readonly boot: { readonly bootId: string; readonly uptimeSeconds: number } | undefined;
  readonly list: { readonly count: number; readonly content: string; readonly time: string } | undefined;
}

function readRecords(records: readonly TelemetryRecord[], host: string, epoch: string): News {
  const events: AcceptedEvent[] = [];
  let [uptime, list]: [UptimeRecord | undefined, InstancesRecord | undefined] = [undefined, undefined];
  for (const record of records) {
    switch (record.kind) {
      case 'uptime':
        uptime = record;
        break;
      case 'instances':
        list = record;
        break;
      case 'missed':
      case 'gap':
        break;
      case 'lifecycle':
      case 'reboot':
      case 'watchdog':
      case 'io-error':
      case 'control-error':
      case 'agent-lifecycle':
      case 'memory-failure':
      case 'guest-ping': {
        const { sequence, time, ...event } = record;
        events.push({ host, epoch, number: sequence, content: JSON.stringify(event satisfies TelemetryEvent), time });
      }
    }
  }
  const libvirt = uptime && (uptime.libvirt === 'connected' ? 'alive' : 'dead');
  const content = list && { count: list.instances.length, content: JSON.stringify(list.instances), time: list.time };
  return { events, libvirt, boot: uptime, list: content };
}

type UptimeRecord = Extract<TelemetryRecord, { kind: 'uptime' }>;
type InstancesRecord = Extract<TelemetryRecord, { kind: 'instances' }>;

function nextFacts(before: BootFacts, { boot, list }: News): BootFacts {
  const instances = list?.count ?? before.instances;
  if (boot === undefined) return { ...before, instances };
  return {
    previousBootId: before.latestBootId,
    previousUptime: before.latestUptime,
    latestBootId: boot.bootId,
    latestUptime: boot.uptimeSeconds,
    instances,
  };
}
