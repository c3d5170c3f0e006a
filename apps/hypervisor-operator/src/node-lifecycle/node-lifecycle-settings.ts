export interface NodeLifecycleSettings {
  /** Which nodes get a signal pod that holds back their drain: `auto` is those that Gardener made. */
  readonly when: 'auto' | 'always' | 'never';
  readonly concurrency: number;
  /** Where the signal pods run. */
  readonly namespace: string;
  /** Any image that has `/bin/sh`, `/bin/true` and `/bin/false`. */
  readonly image: string;
}

export const defaultNodeLifecycleSettings: NodeLifecycleSettings = {
  when: 'auto',
  concurrency: 8,
  namespace: 'kube-system',
  image: 'docker.io/library/busybox:1.37',
};
