import type { Clock } from '@smalt/controller-runtime';
import type { KubeConfig } from '@smalt/kube';
import type { HealthRegistry, Logger, MetricsRegistry } from '@smalt/service-runtime';

/** Where the Lease lives by which one of several schedulers leads. */
export interface LeaderElectionPlace {
  readonly namespace: string;
  /** Who this process is; no two candidates may share it. */
  readonly identity: string;
  readonly leaseMs?: number | undefined;
  readonly renewDeadlineMs?: number | undefined;
  readonly retryMs?: number | undefined;
}

/** What a scheduler is told. */
export interface SchedulerOptions {
  readonly kubeConfig: KubeConfig;
  readonly logger: Logger;
  /** Pods that name another scheduler are left to that; those that name none are ours. */
  readonly schedulerName?: string | undefined;
  /** Without it this scheduler takes itself for the only one. */
  readonly leaderElection?: LeaderElectionPlace | undefined;
  readonly stopTimeoutMs?: number | undefined;
  readonly metrics?: MetricsRegistry | undefined;
  readonly health?: HealthRegistry | undefined;
  readonly clock?: Clock | undefined;
  /** What credential plugins of the kubeconfig run with. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A scheduler at work. Disposing of it stops it in good order. */
export interface Scheduler extends AsyncDisposable {
  /** Resolves when it was told to stop and has; rejects when it cannot go on. */
  readonly ended: Promise<void>;
}
