import type { Judgement } from '@smalt/failure-detection';

import type { HostRecord } from '../ports/ha-store.ts';
import type { HostReport, SignalRecord } from '../ports/telemetry-store.ts';
import type { HostOpinion } from './api-context.ts';
import { secondsOf, timeOf } from './shown-time.ts';

/** All that is known of one host. */
export interface HostFacts {
  readonly name: string;
  readonly record: HostRecord | undefined;
  readonly signals: readonly SignalRecord[];
  readonly report: HostReport | undefined;
  readonly opinion: HostOpinion | undefined;
  readonly openIncident: string | undefined;
}

/** A host as the API shows it. What only the leader knows is null elsewhere. */
export function hostView(facts: HostFacts): Readonly<Record<string, unknown>> {
  const { name, record, signals, report, opinion, openIncident } = facts;
  return {
    name,
    judgement: opinion === undefined ? null : judgementView(opinion.judgement),
    lastRefusal: opinion?.refusal === undefined ? null : { ...opinion.refusal, at: timeOf(opinion.refusal.at) },
    signals: signals.map(({ source, aliveAgeMs, deadSinceAgeMs, deadAgeMs }) => ({
      source,
      aliveAgeSeconds: secondsOf(aliveAgeMs),
      deadSinceAgeSeconds: secondsOf(deadSinceAgeMs),
      deadAgeSeconds: secondsOf(deadAgeMs),
    })),
    instances: report?.instances ?? null,
    bootId: report?.latestBoot?.bootId ?? null,
    isSwitchedOn: record?.isSwitchedOn ?? null,
    heldBy: record?.heldBy ?? null,
    openIncident: openIncident ?? null,
  };
}

/** A judgement with times for people. */
export function judgementView(judgement: Judgement): Readonly<Record<string, unknown>> {
  switch (judgement.kind) {
    case 'alive':
      return { ...judgement, lastLifeAt: timeOf(judgement.lastLifeAt) };
    case 'suspect':
    case 'condemned':
      return { ...judgement, since: timeOf(judgement.since) };
    case 'unknown':
      return { ...judgement };
  }
}
