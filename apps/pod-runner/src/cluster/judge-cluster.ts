/** What is known of the cluster that the pods of a directory came from, and of the one that answers now. */
export interface ClusterFacts {
  /** Undefined when nothing is remembered. */
  readonly remembered: string | undefined;
  readonly current: string;
  /** Whether anything runs here of pods that were started before. */
  readonly hasRunningPods: boolean;
}

/** Whether the cluster is the one of the pods here, is to be remembered from now on, or is another one. */
export function judgeCluster({ remembered, current, hasRunningPods }: ClusterFacts): 'same' | 'remember' | 'another' {
  if (remembered === current) return 'same';
  return remembered !== undefined && hasRunningPods ? 'another' : 'remember';
}
