import type { Clock } from '@smalt/controller-runtime';
import type { KubeConfig } from '@smalt/kube';
import type { HealthRegistry, Logger, MetricsRegistry } from '@smalt/service-runtime';

import type { VirtControllerContext } from './virt-controller-context.ts';
import type { VirtControllerSettings } from './settings/virt-controller-settings.ts';

/** Where the Lease lives by which one of several controllers leads. */
export interface LeaderElectionPlace {
  readonly namespace: string;
  /** Who this process is; no two candidates may share it. */
  readonly identity: string;
  readonly leaseMs?: number | undefined;
  readonly renewDeadlineMs?: number | undefined;
  readonly retryMs?: number | undefined;
}

/** What a virt-controller is told. */
export interface VirtControllerOptions {
  readonly kubeConfig: KubeConfig;
  readonly logger: Logger;
  /** What is not said is as in `defaultVirtControllerSettings`. */
  readonly settings?: Partial<VirtControllerSettings> | undefined;
  /** Without it this controller takes itself for the only one. */
  readonly leaderElection?: LeaderElectionPlace | undefined;
  readonly stopTimeoutMs?: number | undefined;
  readonly metrics?: MetricsRegistry | undefined;
  readonly health?: HealthRegistry | undefined;
  readonly clock?: Clock | undefined;
  /** From 0 up to 1: keeps machines that failed together from starting again at once. */
  readonly random?: (() => number) | undefined;
  /** What credential plugins of the kubeconfig run with. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A virt-controller at work. Disposing of it stops it in good order. */
export interface VirtController extends AsyncDisposable {
  readonly context: VirtControllerContext;
  /** Resolves when it was told to stop and has; rejects when it cannot go on. */
  readonly ended: Promise<void>;
}
