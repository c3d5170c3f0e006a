import type { Incident } from '@smalt/failure-detection';

import type { HostRecord, ServiceSwitches } from '../../ports/ha-store.ts';
import type { StoredJournalEntry } from '../../ports/incident-store.ts';
import type { HostReport } from '../../ports/telemetry-store.ts';
import type { HostOpinion, ReplicaState } from '../api-context.ts';
import { judgementView } from '../host-view.ts';
import { incidentView, journalView } from '../incident-view.ts';
import { timeOf } from '../shown-time.ts';
import type { SignalHistory } from './signal-history.ts';

/** What the store knew when it was last read. */
export interface StoreFacts {
  readonly records: readonly HostRecord[];
  readonly reports: ReadonlyMap<string, HostReport>;
  readonly incidents: readonly Incident[];
  readonly journal: readonly StoredJournalEntry[];
  readonly switches: ServiceSwitches;
}

export interface FleetFacts {
  readonly store: StoreFacts;
  readonly replica: ReplicaState;
  readonly history: Pick<SignalHistory, 'of'>;
  /** What the settings ask for, whatever persons have switched. */
  readonly brakes: { readonly isPaused: boolean; readonly isDryRun: boolean };
}

/** Everything that is told, by its key, each as JSON that stays the same while nothing changes. */
export function fleetObjects(facts: FleetFacts): ReadonlyMap<string, string> {
  const { store, replica } = facts;
  const open = new Map(
    store.incidents.filter(({ closedAt }) => closedAt === undefined).map(({ host, id }) => [host, id]),
  );
  const records = new Map(store.records.map((record) => [record.name, record]));
  const names = new Set([...replica.knownHosts, ...records.keys(), ...open.keys()]);
  const objects = new Map<string, string>();
  const put = (kind: string, namespace: string, name: string, fields: object): void => {
    objects.set(`${namespace}/${name}`, JSON.stringify({ kind, metadata: { namespace, name }, ...fields }));
  };
  put('Status', 'status', 'service', statusFields(facts, names));
  for (const name of names) {
    const host = { name, record: records.get(name), report: store.reports.get(name), openIncident: open.get(name) };
    put('Host', 'hosts', name, hostFields(facts, host));
  }
  for (const incident of store.incidents) put('Incident', 'incidents', incident.id, incidentView(incident));
  for (const entry of store.journal) {
    const { kind: what, ...fields } = journalView(entry);
    put('JournalEntry', 'journal', entry.id, { ...fields, what });
  }
  return objects;
}

interface KnownHost {
  readonly name: string;
  readonly record: HostRecord | undefined;
  readonly report: HostReport | undefined;
  readonly openIncident: string | undefined;
}

function hostFields({ replica, history }: FleetFacts, { name, record, report, openIncident }: KnownHost): object {
  const opinion = replica.opinionOf(name);
  const past = opinion === undefined ? undefined : history.of(name);
  const refusal = opinion?.refusal;
  return {
    name,
    judgement: opinion === undefined ? null : steadyJudgement(opinion),
    judgedSince: timeOf(past?.judgements.at(-1)?.at),
    lastRefusal: refusal === undefined ? null : { ...refusal, at: timeOf(refusal.at) },
    signals: Array.from(past?.signals ?? [], ([source, changes]) => ({
      source,
      state: changes.at(-1)?.state ?? 'blind',
      since: timeOf(changes.at(-1)?.at),
    })),
    instances: report?.instances ?? null,
    bootId: report?.latestBoot?.bootId ?? null,
    isSwitchedOn: record?.isSwitchedOn ?? null,
    heldBy: record?.heldBy ?? null,
    openIncident: openIncident ?? null,
  };
}

/** Without what changes at every beat of a host that lives: that would be a change of every host every second. */
function steadyJudgement({ judgement }: HostOpinion): Readonly<Record<string, unknown>> {
  const { lastLifeAt: _, ...rest } = judgementView(judgement);
  return judgement.kind === 'alive' ? { kind: rest['kind'], isRebooted: judgement.isRebooted } : rest;
}

function statusFields({ store, replica, brakes }: FleetFacts, hosts: Iterable<string>): object {
  const { version, identity, isLeading, settingsTrouble, waitsForRestart, sources } = replica;
  const held = Map.groupBy(
    Array.from(hosts).flatMap((host) => {
      const refusal = replica.opinionOf(host)?.refusal;
      return refusal === undefined ? [] : [{ host, ...refusal }];
    }),
    ({ brake }) => brake,
  );
  return {
    version,
    identity,
    isLeading,
    isPaused: store.switches.isPaused || brakes.isPaused,
    isDryRun: store.switches.isDryRun || brakes.isDryRun,
    settingsTrouble: settingsTrouble ?? null,
    waitsForRestart,
    sources: sources.map(({ reachableSince, ...source }) => ({ ...source, reachableSince: timeOf(reachableSince) })),
    brakes: Array.from(held, ([brake, refusals]) => ({
      brake,
      message: refusals[0]?.message ?? '',
      hosts: refusals.map(({ host }) => host),
    })),
  };
}
