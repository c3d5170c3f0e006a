/** What `smalt virt-controller` is told. */
export interface VirtControllerConfig {
  readonly kubeconfig: string;
  readonly leaderElect: boolean;
  readonly leaseNamespace: string;
  readonly listen: string;
  readonly launcher: {
    readonly image: string;
    readonly pullPolicy: string;
    readonly pullSecrets: readonly string[];
    /** Each as KEY=VALUE. */
    readonly nodeSelector: readonly string[];
  };
  readonly cpuAllocationRatio: number;
  readonly memoryOvercommitPercent: number;
  readonly rollout: string;
  readonly networkInterface: string;
  readonly drainTaintKey: string;
  readonly heartbeatTimeoutSeconds: number;
  readonly migrations: {
    readonly parallelPerCluster: number;
    readonly parallelOutboundPerNode: number;
    readonly bandwidth: string;
    readonly completionTimeoutPerGiB: number;
    readonly progressTimeout: number;
    readonly maxDowntimeMs: number;
    readonly allowAutoConverge: boolean;
    readonly allowPostCopy: boolean;
  };
  readonly log: { readonly level: string; readonly format: string };
}
