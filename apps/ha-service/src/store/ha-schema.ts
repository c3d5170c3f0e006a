import type { Generated } from '@smalt/store';

import type { JournalKind } from '../ports/incident-store.ts';

/**
 * The tables. Times are milliseconds of the store's own clock, but for `at` of the journal and `opened_at`, which are as
 * they were told.
 * `changed` is the number of the transaction that changed the row.
 */
export interface HaSchema {
  tick: { id: number; number: number };
  signal: {
    host: string;
    source: string;
    alive_at: number | null;
    dead_since: number | null;
    dead_at: number | null;
    changed: number;
  };
  host_report: {
    host: string;
    previous_boot_id: string | null;
    previous_uptime: number | null;
    latest_boot_id: string | null;
    latest_uptime: number | null;
    instances: number | null;
    changed: number;
  };
  instance_report: { host: string; content: string; time: string };
  telemetry_cursor: { host: string; epoch: string; number: number; used_at: number };
  telemetry_event: {
    id: Generated<number>;
    host: string;
    epoch: string;
    number: number;
    content: string;
    time: string;
    stored_at: number;
  };
  incident: {
    number: Generated<number>;
    id: string;
    host: string;
    state: string;
    is_over: number;
    revision: number;
    opened_at: number;
    /** In the store's time, as `changed_at`. */
    stored_at: number;
    changed_at: number;
    content: string;
  };
  incident_instance: { incident_id: string; instance_id: string };
  decision: {
    id: Generated<number>;
    incident_id: string;
    host: string;
    kind: string;
    by_whom: string;
    at: number;
    note: string;
  };
  journal: {
    id: Generated<number>;
    at: number;
    kind: JournalKind;
    severity: 'info' | 'warning' | 'critical';
    host: string | null;
    incident_id: string | null;
    instance_id: string | null;
    message: string;
    by_whom: string | null;
    stored_at: number;
  };
  host: { name: string; is_switched_on: number | null; held_by: string | null };
  document: { kind: string; key: string; revision: number; content: string };
  service_switch: { id: number; is_paused: number; is_dry_run: number };
}
