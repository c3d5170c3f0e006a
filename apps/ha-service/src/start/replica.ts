import type { LeaseHolder } from '@smalt/controller-runtime';
import type { SignalSource } from '@smalt/failure-detection';
import type { Ignore, Logger, MetricsRegistry } from '@smalt/service-runtime';
import type { KubeClient } from '@smalt/kube';

import type { ReplicaState, SourceStatus } from '../api/api-context.ts';
import type { ChangeNews } from '../api/changes/change-news.ts';
import type { SignalHistory } from '../api/changes/signal-history.ts';
import { leaderPlace } from '../api/leader/leader-place.ts';
import type { Cluster } from '../cluster/open-cluster.ts';
import type { EngineMetrics } from '../metrics/engine-metrics.ts';
import type { HaMetrics } from '../metrics/ha-metrics.ts';
import type { EngineView } from '../ports/engine-view.ts';
import type { ServiceClock } from '../ports/service-clock.ts';
import type { Power } from '../power/power.ts';
import type { KdumpListener } from '../sources/kdump/kdump-listener.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import type { DurableHaStore } from '../store/durable-ha-store.ts';
import type { OpenedCompute } from './open-compute.ts';

export const VERSION = '0.1.0';

/** Everything that the parts of one replica share. */
export interface Replica {
  readonly identity: string;
  readonly settings: SettingsFile;
  readonly client: KubeClient;
  readonly store: DurableHaStore;
  readonly cluster: Cluster;
  readonly power: Power;
  readonly compute: OpenedCompute;
  readonly kdump: KdumpListener;
  readonly clock: ServiceClock;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly metrics: MetricsRegistry;
  readonly counts: HaMetrics;
  readonly lead: LeadState;
  readonly history: SignalHistory;
  readonly news: ChangeNews;
}

/** Whether this replica leads, and what it thinks while it does; who leads otherwise. */
export class LeadState {
  readonly #metrics: EngineMetrics;
  #isLeading = false;
  #view: EngineView | undefined;
  #holder: () => LeaseHolder | undefined = () => undefined;

  constructor(metrics: EngineMetrics) {
    this.#metrics = metrics;
  }

  get isLeading(): boolean {
    return this.#isLeading;
  }

  /** What was thought at the last look; nothing while another one leads. */
  get view(): EngineView | undefined {
    return this.#view;
  }

  /** Who leads, as far as is known. */
  get holder(): LeaseHolder | undefined {
    return this.#holder();
  }

  follow(holder: () => LeaseHolder | undefined): void {
    this.#holder = holder;
  }

  change(isLeading: boolean): void {
    this.#isLeading = isLeading;
    if (isLeading) return;
    this.#view = undefined;
    this.#metrics.clear();
  }

  think(view: EngineView, requiredSources: readonly SignalSource[]): void {
    if (!this.#isLeading) return;
    this.#view = view;
    this.#metrics.see(view, requiredSources);
  }
}

export function replicaState({ identity, settings, cluster, lead }: Replica): ReplicaState {
  const { view } = lead;
  return {
    version: VERSION,
    identity,
    isLeading: lead.isLeading,
    leader: leaderPlace(lead.holder),
    settingsTrouble: settings.trouble,
    waitsForRestart: settings.waitsForRestart,
    knownHosts: cluster.view().hosts.map(({ name }) => name),
    sources: sourceStatuses(view, settings.current.detection.judgement.requiredSources),
    opinionOf: (host) => {
      const judgement = view?.judgements.get(host);
      return judgement === undefined ? undefined : { judgement, refusal: view?.refusals.get(host) };
    },
  };
}

function sourceStatuses(view: EngineView | undefined, required: readonly SignalSource[]): readonly SourceStatus[] {
  const names = new Set([...required, ...(view?.sources.keys() ?? [])]);
  return [...names].map((name) => ({
    name,
    reachableSince: view?.sources.get(name),
    isRequired: required.includes(name),
  }));
}
