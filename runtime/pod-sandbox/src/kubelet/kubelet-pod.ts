/** A pod as the API shows it, as far as its sandbox is found by it. */
export interface KubeletPod {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly uid?: string | undefined;
  };
  readonly spec: {
    /** The first one is the launcher. */
    readonly containers: readonly KubeletContainer[];
    readonly volumes?: readonly KubeletVolume[] | undefined;
  };
  readonly status?:
    | {
        readonly qosClass?: string | undefined;
        readonly containerStatuses?: readonly KubeletContainerStatus[] | undefined;
      }
    | undefined;
}

export interface KubeletContainer {
  readonly name: string;
  readonly resources?: { readonly limits?: Readonly<Record<string, number | string>> | undefined } | undefined;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[] | undefined;
  readonly volumeDevices?: readonly { readonly name: string; readonly devicePath: string }[] | undefined;
}

interface KubeletVolume {
  readonly name: string;
  /** Set when the volume is an image. */
  readonly image?: unknown;
}

interface KubeletContainerStatus {
  readonly name: string;
  /** `containerd://0123…` once it was made. */
  readonly containerID?: string | undefined;
}
