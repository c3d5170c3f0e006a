import type { SandboxProcess } from './process/sandbox-process.ts';

/** What the pod runner, or a kubelet, made on this node for one pod; it outlives the runner. */
export interface PodSandbox {
  readonly podUid: string;
  readonly namespace: string;
  readonly name: string;
  /** The process of the launcher; undefined on nodes whose guests are no processes. */
  readonly launcher: SandboxProcess | undefined;
  /** The cgroup for the processes of the guest, below the root of each hierarchy; undefined where there is no launcher. */
  readonly guestCgroup: string | undefined;
  /** The processors of the node that the pod has to itself; undefined when it shares those of all others. */
  readonly processors?: readonly number[] | undefined;
  /** Set where processes in the cgroup of the guest can open only the devices that the pod was given. */
  readonly hasDeviceRules?: true | undefined;
  /** Where the volumes of the pod lie on the node, by their names in the pod. */
  readonly volumes: Readonly<Record<string, SandboxVolume>>;
  /** Why volumes that the pod has cannot be reached, by their names; left out when all can. */
  readonly problems?: Readonly<Record<string, string>> | undefined;
}

export interface SandboxVolume {
  readonly kind: 'directory' | 'block';
  readonly path: string;
  /** Set for what a kubelet or a container runtime keeps where nobody but root gets to it. */
  readonly isHidden?: true | undefined;
  /** Set for an image that a container runtime has mounted. */
  readonly isImage?: true | undefined;
}
