import type { SandboxProcess } from './process/sandbox-process.ts';

/** What the pod runner made on this node for one pod; it outlives the runner. */
export interface PodSandbox {
  readonly podUid: string;
  readonly namespace: string;
  readonly name: string;
  /** The process of the launcher; undefined on nodes whose guests are no processes. */
  readonly launcher: SandboxProcess | undefined;
  /** The cgroup for the processes of the guest, below the root of each hierarchy; undefined where there is no launcher. */
  readonly guestCgroup: string | undefined;
  /** Where the volumes of the pod lie on the node, by their names in the pod. */
  readonly volumes: Readonly<Record<string, SandboxVolume>>;
}

export interface SandboxVolume {
  readonly kind: 'directory' | 'block';
  readonly path: string;
}
