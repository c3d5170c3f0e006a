import type { KindReference, ObjectMeta } from '@smalt/kubernetes';
import { claimNameOf, type Pod, type PodContainer, type PodSpec, type PodStatus } from '@smalt/placement';

/** A condition of a pod; older ones have no message. */
export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

/** core/v1 Pod, as far as the scheduler reads it. */
export interface ScheduledPod extends Pod {
  readonly spec: PodSpec & {
    readonly schedulerName?: string;
    readonly schedulingGates?: readonly { readonly name: string }[];
    /** Claims to devices, which a driver of the cluster has to allocate first. */
    readonly resourceClaims?: readonly { readonly name: string }[];
  };
  readonly status?: PodStatus & { readonly conditions?: readonly PodCondition[] };
}

export const podKind: KindReference<ScheduledPod> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  isNamespaced: true,
};

/** What is kept of a pod in memory: a cluster has many, and most of one says nothing about where it can go. */
export function slimPod({ apiVersion, kind, metadata, spec, status }: ScheduledPod): ScheduledPod {
  const claimed = (spec.volumes ?? []).filter((volume) => claimNameOf(volume) !== undefined);
  const scheduled = (status?.conditions ?? []).filter(({ type }) => type === 'PodScheduled');
  return {
    apiVersion,
    kind,
    metadata: slimMetadata(metadata),
    spec: {
      ...kept(spec, ['nodeName', 'nodeSelector', 'affinity', 'tolerations', 'topologySpreadConstraints']),
      ...kept(spec, ['overhead', 'schedulerName', 'schedulingGates', 'resourceClaims']),
      ...(claimed.length === 0 ? {} : { volumes: claimed }),
      containers: spec.containers.map(slimContainer),
      ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(slimContainer) }),
    },
    status: {
      ...(status?.phase === undefined ? {} : { phase: status.phase }),
      ...(scheduled.length === 0 ? {} : { conditions: scheduled }),
    },
  };
}

function slimMetadata(metadata: ObjectMeta): ObjectMeta {
  return {
    name: metadata.name,
    ...kept(metadata, ['namespace', 'uid', 'resourceVersion', 'labels', 'creationTimestamp', 'deletionTimestamp']),
  };
}

function slimContainer(container: PodContainer): PodContainer {
  return { name: container.name, ...kept(container, ['restartPolicy', 'resources']) };
}

/** Those of the fields that are there. */
function kept<T extends object, K extends keyof T>(object: T, names: readonly K[]): Pick<T, K> {
  const entries = names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- names are keys of the object, and what is left out is optional
  return Object.fromEntries(entries) as Pick<T, K>;
}
