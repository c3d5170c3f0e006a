import type { X509Certificate } from 'node:crypto';

import type { Judgement } from '@smalt/failure-detection';
import type { Ignore, Logger } from '@smalt/service-runtime';

import type { ToldRefusal } from '../ports/engine-view.ts';
import type { ServiceClock } from '../ports/service-clock.ts';
import type { HaServiceSettings } from '../settings/ha-service-settings.ts';
import type { DurableHaStore } from '../store/durable-ha-store.ts';
import type { Authenticator } from './authenticator.ts';
import type { ChangeNews } from './changes/change-news.ts';
import type { SignalHistory } from './changes/signal-history.ts';
import type { LeaderPlace } from './leader/leader-place.ts';

/** What the leader thinks of one host. */
export interface HostOpinion {
  readonly judgement: Judgement;
  /** Why nothing was done about it the last time that something would have been. */
  readonly refusal: ToldRefusal | undefined;
}

/** Whether a source of signals is within reach. */
export interface SourceStatus {
  readonly name: string;
  /** undefined while it is not; or where another replica leads. */
  readonly reachableSince: number | undefined;
  /** Whether no host is condemned without it. */
  readonly isRequired: boolean;
}

/** What this replica knows of itself. */
export interface ReplicaState {
  readonly version: string;
  readonly identity: string;
  readonly isLeading: boolean;
  /** Who leads; undefined when nobody is known to. */
  readonly leader: LeaderPlace | undefined;
  /** What is wrong with the configuration file, and what waits for a new start. */
  readonly settingsTrouble: string | undefined;
  readonly waitsForRestart: readonly string[];
  /** Hosts as the cluster has them; empty until it was reached. */
  readonly knownHosts: readonly string[];
  readonly sources: readonly SourceStatus[];
  /** Only the leader has one. */
  opinionOf(host: string): HostOpinion | undefined;
}

/** What the REST API stands on. */
export interface ApiContext {
  readonly store: DurableHaStore;
  readonly settings: () => HaServiceSettings;
  readonly replica: () => ReplicaState;
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  /** What was thought of hosts while this replica led. */
  readonly history: SignalHistory;
  /** Tells when something may have changed. */
  readonly news: ChangeNews;
  /** What this replica shows to callers, and the leader to those that follow it; and what it showed until lately. */
  readonly certificates: () => readonly X509Certificate[];
  readonly clock: ServiceClock;
  readonly logger: Logger;
  readonly ignore: Ignore;
}
