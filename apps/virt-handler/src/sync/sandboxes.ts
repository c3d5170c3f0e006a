import type { PodSandbox } from '@smalt/pod-sandbox';

/** What the pod runner, or a kubelet, has made on this node. */
export interface Sandboxes {
  /** The sandbox of a pod, whose launcher may have ended; undefined when there is none, or no longer. */
  find(podUid: string, signal: AbortSignal): Promise<PodSandbox | undefined>;
  /** Moves processes of the guest into the cgroup of its pod. */
  moveToGuestCgroup(sandbox: PodSandbox, processIds: readonly number[], signal: AbortSignal): Promise<void>;
}
