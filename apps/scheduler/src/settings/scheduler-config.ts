/** What `smalt scheduler` is told. */
export interface SchedulerConfig {
  readonly kubeconfig: string;
  readonly schedulerName: string;
  readonly leaderElect: boolean;
  readonly leaseNamespace: string;
  readonly listen: string;
  readonly log: { readonly level: string; readonly format: string };
}
