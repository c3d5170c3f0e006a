import { Brake, SignalSource } from '@smalt/failure-detection';
import type { Counter, Gauge, Histogram, MetricFamily, MetricsRegistry } from '@smalt/service-runtime';

import type { PowerReport } from '../power/power.ts';
import { KdumpResult } from '../sources/kdump/kdump-listener.ts';
import { PushResult } from '../sources/push/push-result.ts';
import { lossReasons } from '../store/find-losses.ts';
import { EvacuationResult, FenceResult, type IncidentCounts } from './incident-counts.ts';

/** Everything that the service counts. Series that alerts ask for are there from the start, with 0. */
export class HaMetrics {
  readonly fences: MetricFamily<Counter>;
  readonly evacuations: MetricFamily<Counter>;
  readonly blocked: MetricFamily<Counter>;
  readonly blockedHosts: MetricFamily<Gauge>;
  readonly brakeUsedUp: MetricFamily<Gauge>;
  readonly telemetryBatches: MetricFamily<Counter>;
  readonly pulls: MetricFamily<Counter>;
  readonly pullUp: MetricFamily<Gauge>;
  readonly events: Counter;
  readonly losses: MetricFamily<Counter>;
  readonly kdumpMessages: MetricFamily<Counter>;
  readonly notices: MetricFamily<Counter>;
  readonly pruned: MetricFamily<Counter>;
  readonly hosts: MetricFamily<Gauge>;
  readonly sourceUp: MetricFamily<Gauge>;
  readonly controllerUp: MetricFamily<Gauge>;
  readonly fenceMethods: MetricFamily<Gauge>;
  readonly decisionSeconds: MetricFamily<Histogram>;
  readonly leader: Gauge;
  readonly settingsValid: Gauge;

  constructor(registry: MetricsRegistry) {
    const [result, reason] = [['result'], ['reason']];
    this.fences = registry.counter(of('fence_total', 'Orders to power off, and what became of them.', result));
    this.evacuations = registry.counter(of('evacuation_total', 'Rebuilds of instances by how they went.', result));
    this.blocked = registry.counter(of('blocked_total', 'Recoveries that a brake held back, by brake.', reason));
    this.blockedHosts = registry.gauge(of('blocked_hosts', 'Condemned hosts that a brake holds back now.', reason));
    this.brakeUsedUp = registry.gauge(
      of('brake_used_up', 'Whether so many hosts are missing that one more would not be recovered.'),
    );
    this.telemetryBatches = registry.counter(
      of('telemetry_batches_total', 'Batches of agents by how they went.', result),
    );
    this.pulls = registry.counter(of('pull_total', 'Endpoints that were asked for signals.', ['endpoint', 'result']));
    this.pullUp = registry.gauge(of('pull_up', 'Whether the last answer of an endpoint was good.', ['endpoint']));
    this.events = registry.counter(of('events_total', 'Events of instances that were stored.')).cell([]);
    this.losses = registry.counter(of('telemetry_losses_total', 'What agents could not tell, by reason.', reason));
    this.kdumpMessages = registry.counter(
      of('kdump_messages_total', 'Datagrams about kernel dumps by what became of them.', result),
    );
    this.notices = registry.counter(of('notice_total', 'Notices to webhooks.', ['webhook', 'result']));
    this.pruned = registry.counter(of('pruned_rows_total', 'Rows of the store that were old enough to go.', ['kind']));
    this.hosts = registry.gauge(of('hosts', 'Hosts by what the leader thinks of them.', ['judgement']));
    this.sourceUp = registry.gauge(of('source_up', 'Whether a source of signals is within reach.', ['source']));
    this.controllerUp = registry.gauge(
      of('power_controller_up', 'Whether the power switch of a host answered lately.', ['host', 'method']),
    );
    this.fenceMethods = registry.gauge(of('fence_methods', 'How many ways there are to power a host off.', ['host']));
    this.decisionSeconds = registry.histogram({
      ...of('decision_seconds', 'How long one look at the whole fleet took.'),
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
    this.leader = registry.gauge(of('leader', 'Whether this replica leads.')).cell([]);
    this.settingsValid = registry.gauge(of('settings_valid', 'Whether the configuration file is right.')).cell([]);
    this.#begin();
  }

  #begin(): void {
    for (const each of lossReasons) this.losses.cell([each]);
    for (const each of Object.values(PushResult)) this.telemetryBatches.cell([each]);
    for (const each of Object.values(KdumpResult)) this.kdumpMessages.cell([each]);
    for (const each of Object.values(FenceResult)) this.fences.cell([each]);
    for (const each of Object.values(EvacuationResult)) this.evacuations.cell([each]);
    for (const each of Object.values(Brake)) this.blocked.cell([each]);
  }

  /** Notes how the ways to a host's power answered in peace time. */
  sawControllers(host: string, reports: readonly PowerReport[]): void {
    for (const { method, isReachable } of reports) this.controllerUp.cell([host, method]).set(Number(isReachable));
    this.fenceMethods.cell([host]).set(reports.length);
  }

  /** Notes what became of asking an endpoint. */
  pulled(endpoint: string, isGood: boolean): void {
    this.pulls.cell([endpoint, isGood ? 'good' : 'failed']).add();
    this.pullUp.cell([endpoint]).set(Number(isGood));
  }

  count({ fences, evacuations }: IncidentCounts): void {
    for (const result of fences) this.fences.cell([result]).add();
    for (const result of evacuations) this.evacuations.cell([result]).add();
  }
}

/** The words of judgements and sources, in the order in which they are told. */
export const judgementWords = ['alive', 'suspect', 'condemned', 'unknown'] as const;
export const sourceWords: readonly SignalSource[] = Object.values(SignalSource);

function of(name: string, help: string, labelNames: readonly string[] = []) {
  return { name: `smalt_ha_${name}`, help, labelNames };
}
