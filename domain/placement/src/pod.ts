import type { KubernetesObject } from '@smalt/kubernetes';
import type { Affinity, Toleration, TopologySpreadConstraint } from '@smalt/vm-api';

export type Labels = Readonly<Record<string, string>>;

/** Amounts by the name of the resource, as they stand in an object. */
export type QuantitiesByName = Readonly<Record<string, number | string>>;

/** core/v1 Pod, as far as placement reads it. */
export interface Pod extends KubernetesObject {
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly nodeSelector?: Labels;
  readonly affinity?: Affinity;
  readonly tolerations?: readonly Toleration[];
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly containers: readonly PodContainer[];
  readonly initContainers?: readonly PodContainer[];
  readonly volumes?: readonly PodVolume[];
  /** What the runtime of the pod itself takes. */
  readonly overhead?: QuantitiesByName;
}

export interface PodContainer {
  readonly name: string;
  readonly restartPolicy?: string;
  readonly resources?: { readonly requests?: QuantitiesByName; readonly limits?: QuantitiesByName };
}

/** A volume, with the one source it has. */
export interface PodVolume {
  readonly name: string;
  readonly [source: string]: unknown;
}

export interface PodStatus {
  readonly phase?: string;
}

/** Whether the processes of a pod have ended, so that it takes no room any more. */
export function isEndedPod({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** `namespace/name`: what a pod is called in one cluster. */
export function podKey({ metadata }: Pod): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** The claims that a pod uses, as `namespace/name`. */
export function podClaims({ metadata, spec }: Pod): readonly string[] {
  return (spec.volumes ?? []).flatMap((volume) => {
    const name = claimNameOf(volume);
    return name === undefined ? [] : [`${metadata.namespace ?? ''}/${name}`];
  });
}

/** The claim that a volume of a pod is of; undefined for other volumes. */
export function claimNameOf({ persistentVolumeClaim: source }: PodVolume): string | undefined {
  if (typeof source !== 'object' || source === null || !('claimName' in source)) return undefined;
  return typeof source.claimName === 'string' ? source.claimName : undefined;
}
