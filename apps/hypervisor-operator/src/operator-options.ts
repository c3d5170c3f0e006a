import type { Compute } from '@smalt/compute';
import type { Clock, ControllerOptions } from '@smalt/controller-runtime';
import type { KubeClient, KubeConfig } from '@smalt/kube';
import type { HealthRegistry, Logger, MetricsRegistry } from '@smalt/service-runtime';

import type { OperatorContext } from './operator-context.ts';

/** Where the Lease lives by which one of several operators leads. */
export interface LeaderElectionPlace {
  readonly namespace: string;
  /** Who this process is; no two candidates may share it. */
  readonly identity: string;
  readonly leaseMs?: number | undefined;
  readonly renewDeadlineMs?: number | undefined;
  readonly retryMs?: number | undefined;
}

/** What a compute system may use of the process that it is opened in. */
export interface ComputeSurroundings {
  /** The API server of the operator; it stays with its owner. */
  readonly client: KubeClient;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  readonly userAgent: string;
}

/** A compute system that was opened, and is closed by disposing of it. */
export interface OpenedCompute extends AsyncDisposable {
  readonly compute: Compute;
  /** Rejects when we cannot work with it now: with an OperatorError when waiting does not help. */
  check(signal: AbortSignal): Promise<void>;
}

export type OpenCompute = (around: ComputeSurroundings) => OpenedCompute;

/** What an operator is told. */
export interface OperatorOptions {
  readonly kubeConfig: KubeConfig;
  readonly openCompute: OpenCompute;
  /** What runs: see `allControllers`. */
  readonly controllers: (context: OperatorContext) => readonly ControllerOptions[];
  readonly logger: Logger;
  /** The nodes and hypervisors that this operator is for, such as `topology.kubernetes.io/zone=a`; all if empty. */
  readonly labelSelector?: string | undefined;
  /** Without it this operator takes itself for the only one. */
  readonly leaderElection?: LeaderElectionPlace | undefined;
  /** How long reconciles that are under way may go on when everything stops. */
  readonly stopTimeoutMs?: number | undefined;
  /** How often to look whether a kind that was not there at the start is served now. */
  readonly discoveryMs?: number | undefined;
  readonly metrics?: MetricsRegistry | undefined;
  readonly health?: HealthRegistry | undefined;
  readonly clock?: Clock | undefined;
  /** What credential plugins of the kubeconfig run with. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** An operator at work. Disposing of it stops it in good order. */
export interface Operator extends AsyncDisposable {
  readonly context: OperatorContext;
  /** Resolves when it was told to stop and has; rejects when it cannot go on. */
  readonly ended: Promise<void>;
}
