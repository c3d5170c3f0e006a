import type {
  ArrivedBatch,
  HostReport,
  SignalChanges,
  SignalRecord,
  SignalSample,
  StoredEvent,
} from '@smalt/ha-service';
import type { TelemetryBatch, TelemetryEvent, TelemetryRecord, UptimeReport } from '@smalt/ha-telemetry';

interface SignalRow {
  readonly host: string;
  readonly source: SignalSample['source'];
  aliveAt: number | undefined;
  deadSince: number | undefined;
  deadAt: number | undefined;
  version: number;
}

interface ReportRow {
  report: HostReport;
  version: number;
}

/** Signs of life and events, in the store's own time. */
export class MemorySignals {
  readonly #rows = new Map<string, SignalRow>();
  readonly #reports = new Map<string, ReportRow>();
  readonly #acknowledged = new Map<string, number>();
  readonly #events: (Omit<StoredEvent, 'storedAt'> & { readonly storedAt: number })[] = [];
  #version = 0;

  /** Takes what is new in a batch. `toStoreTime` turns the writer's time into the store's. */
  accept({ batch, arrivedAt }: ArrivedBatch, toStoreTime: (at: number) => number, now: number): number {
    const key = `${batch.node}/${batch.epoch}`;
    const known = this.#acknowledged.get(key) ?? 0;
    const fresh = batch.records.filter(({ sequence }) => sequence > known);
    const at = toStoreTime(arrivedAt);
    for (const record of fresh) if (isEvent(record)) this.#addEvent(batch, record, now);
    this.#state({ host: batch.node, source: 'agent', kind: 'alive', at }, now);
    const uptime = fresh.findLast((record): record is UptimeReport & TelemetryRecord => record.kind === 'uptime');
    if (uptime !== undefined) {
      const kind = uptime.libvirt === 'connected' ? 'alive' : 'dead';
      this.#state({ host: batch.node, source: 'libvirt', kind, at }, now);
    }
    this.#report(batch, fresh, uptime);
    const acknowledged = Math.max(known, batch.lastSequence);
    this.#acknowledged.set(key, acknowledged);
    return acknowledged;
  }

  state(samples: readonly SignalSample[], toStoreTime: (at: number) => number, now: number): void {
    for (const sample of samples) this.#state({ ...sample, at: toStoreTime(sample.at) }, now);
  }

  changes(cursor: string | undefined, now: number): SignalChanges {
    const after = cursor === undefined ? 0 : Number(cursor);
    const age = (at: number | undefined) => (at === undefined ? undefined : Math.max(0, now - at));
    const signals: SignalRecord[] = [];
    for (const { host, source, aliveAt, deadSince, deadAt, version } of this.#rows.values()) {
      if (version <= after) continue;
      const ages = { aliveAgeMs: age(aliveAt), deadSinceAgeMs: age(deadSince), deadAgeMs: age(deadAt) };
      signals.push({ host, source, ...ages });
    }
    const reports = [...this.#reports.values()].filter(({ version }) => version > after).map(({ report }) => report);
    return { cursor: String(this.#version), signals, reports };
  }

  events(after: string | undefined, limit: number, toOwnTime: (at: number) => number): readonly StoredEvent[] {
    const first = after === undefined ? 0 : Number(after);
    return this.#events.slice(first, first + limit).map((each) => ({ ...each, storedAt: toOwnTime(each.storedAt) }));
  }

  get eventCount(): number {
    return this.#events.length;
  }

  #addEvent(batch: TelemetryBatch, event: TelemetryEvent & TelemetryRecord, now: number): void {
    const id = String(this.#events.length + 1).padStart(12, '0');
    this.#events.push({ id, host: batch.node, event, storedAt: now });
  }

  #state({ host, source, kind, at }: SignalSample, now: number): void {
    const key = `${host}/${source}`;
    const before = this.#rows.get(key);
    const nothing = { aliveAt: undefined, deadSince: undefined, deadAt: undefined };
    const row: SignalRow = before ?? { host, source, ...nothing, version: 0 };
    // What was noted before the clock was set back cannot be compared with what is told now.
    if (kind === 'alive' && row.aliveAt !== undefined && row.aliveAt > now) row.aliveAt = undefined;
    const isMoved = clamp(row, now);
    const isNews = kind === 'alive' ? showLife(row, at) : showDeath(row, at);
    if (!isMoved && !isNews) return;
    this.#version += 1;
    row.version = this.#version;
    this.#rows.set(key, row);
  }

  #report(batch: TelemetryBatch, records: readonly TelemetryRecord[], uptime: UptimeReport | undefined): void {
    const before = this.#reports.get(batch.node)?.report;
    const instances = records.findLast((record) => record.kind === 'instances')?.instances.length;
    if (uptime === undefined && instances === undefined) return;
    const latest = uptime && { bootId: uptime.bootId, uptimeSeconds: uptime.uptimeSeconds };
    const report = {
      host: batch.node,
      previousBoot: latest === undefined ? before?.previousBoot : before?.latestBoot,
      latestBoot: latest ?? before?.latestBoot,
      instances: instances ?? before?.instances,
    };
    this.#version += 1;
    this.#reports.set(batch.node, { report, version: this.#version });
  }
}

/** Leaves nothing in the future, where times are from before the clock was set back; whether there was any. */
function clamp(row: SignalRow, now: number): boolean {
  const latest = Math.max(row.aliveAt ?? now, row.deadSince ?? now, row.deadAt ?? now);
  if (latest <= now) return false;
  if (row.aliveAt !== undefined) row.aliveAt = Math.min(row.aliveAt, now);
  if (row.deadSince !== undefined) row.deadSince = Math.min(row.deadSince, now);
  if (row.deadAt !== undefined) row.deadAt = Math.min(row.deadAt, now);
  return true;
}

/** Whether it was news. A row of statements of death is broken by a sign of life within or after it. */
function showLife(row: SignalRow, at: number): boolean {
  if (row.aliveAt !== undefined && row.aliveAt >= at) return false;
  row.aliveAt = at;
  if (row.deadAt !== undefined && at >= row.deadAt) {
    row.deadAt = undefined;
    row.deadSince = undefined;
  }
  if (row.deadSince !== undefined && at >= row.deadSince) row.deadSince = row.deadAt;
  return true;
}

function showDeath(row: SignalRow, at: number): boolean {
  if (row.aliveAt !== undefined && row.aliveAt >= at) return false;
  if (row.deadAt !== undefined && row.deadAt >= at) return false;
  row.deadAt = at;
  row.deadSince ??= at;
  return true;
}

function isEvent(record: TelemetryRecord): record is TelemetryEvent & TelemetryRecord {
  return !['uptime', 'instances', 'missed', 'gap'].includes(record.kind);
}
