import type { KindReference, KubernetesObject, LabelSelector } from '@smalt/kubernetes';
import type { KubeletPod } from '@smalt/pod-sandbox';
import { WellKnownName } from '@smalt/vm-api';
import { ATTACHMENT_APP } from '@smalt/vm-lifecycle';

/** A core/v1 Pod that carries an instance or holds a claim for one, as far as its handler reads it. */
export type HandledPod = KubernetesObject & Pick<KubeletPod, 'spec' | 'status'>;

export const handledPodKind: KindReference<HandledPod> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  isNamespaced: true,
};

/** Other pods of the node are none of a handler's business. */
export const handledPods: LabelSelector = {
  requirements: [{ key: WellKnownName.appLabel, operator: 'in', values: ['virt-launcher', ATTACHMENT_APP] }],
};

/** What is kept of a pod in memory: what its sandbox is found by. */
export function slimHandledPod({ apiVersion, kind, metadata, spec, status }: HandledPod): HandledPod {
  const { managedFields: _managed, annotations: _annotations, ...kept } = metadata;
  return {
    apiVersion,
    kind,
    metadata: kept,
    spec: {
      containers: spec.containers.map(({ name, resources, volumeMounts, volumeDevices }) => ({
        name,
        resources: resources && { limits: resources.limits },
        volumeMounts,
        volumeDevices,
      })),
      volumes: spec.volumes?.map(({ name, image }) => ({ name, image })),
    },
    status: {
      qosClass: status?.qosClass,
      containerStatuses: status?.containerStatuses?.map(({ name, containerID }) => ({ name, containerID })),
    },
  };
}

/** The instance that a pod was made for, `namespace/name`. */
export function instanceKeyOf({ metadata }: HandledPod): string | undefined {
  const owner = metadata.ownerReferences?.find(({ controller, kind }) => {
    return controller === true && kind === 'VirtualMachineInstance';
  });
  return owner === undefined ? undefined : `${metadata.namespace ?? 'default'}/${owner.name}`;
}
