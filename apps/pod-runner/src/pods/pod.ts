import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

/** core/v1 Pod, as far as it is run here. */
export interface RunnerPod extends KubernetesObject {
  readonly spec: RunnerPodSpec;
  readonly status?: RunnerPodStatus;
}

interface RunnerPodSpec {
  readonly nodeName?: string;
  readonly containers: readonly RunnerContainer[];
  readonly initContainers?: readonly RunnerContainer[];
  readonly volumes?: readonly RunnerVolume[];
  readonly terminationGracePeriodSeconds?: number;
  readonly readinessGates?: readonly { readonly conditionType: string }[];
  readonly securityContext?: PodSecurity;
  readonly restartPolicy?: string;
  readonly automountServiceAccountToken?: boolean;
  /** Whose tokens its volumes have. */
  readonly serviceAccountName?: string;
}

export interface RunnerContainer {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly volumeMounts?: readonly { readonly name: string }[];
  readonly securityContext?: PodSecurity;
  readonly resources?: { readonly requests?: Amounts; readonly limits?: Amounts };
}

export type Amounts = Readonly<Record<string, number | string>>;

export interface PodSecurity {
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly privileged?: boolean;
}

/** A volume, with the one source it has. */
export interface RunnerVolume {
  readonly name: string;
  readonly [source: string]: unknown;
}

export interface RunnerPodStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly startTime?: string;
  readonly podIP?: string;
  readonly qosClass?: string;
  readonly conditions?: readonly PodCondition[];
  readonly containerStatuses?: readonly RunnerContainerStatus[];
}

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

export interface RunnerContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly running?: { readonly startedAt?: string };
    readonly terminated?: { readonly exitCode: number };
  };
}

export const podKind: KindReference<RunnerPod> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  isNamespaced: true,
};

/** Whether the API was told that the pod has ended. */
export function hasEnded({ status }: RunnerPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
