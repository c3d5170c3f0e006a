import type { KindReference, LabelSelector } from '@smalt/kubernetes';
import { WellKnownName } from '@smalt/vm-api';
import { ATTACHMENT_APP, isAttachmentPod, type ObservedPod } from '@smalt/vm-lifecycle';

export const podKind: KindReference<ObservedPod> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  isNamespaced: true,
};

/** The pods that carry instances or hold claims for them; others are none of our business. */
export const launcherPods: LabelSelector = {
  requirements: [{ key: WellKnownName.appLabel, operator: 'in', values: ['virt-launcher', ATTACHMENT_APP] }],
};

/** What is kept of a launcher pod in memory: what decisions go by. */
export function slimLauncherPod(pod: ObservedPod): ObservedPod {
  const { metadata, spec, status } = pod;
  const { managedFields: _managed, annotations: _annotations, ...kept } = metadata;
  return {
    apiVersion: pod.apiVersion,
    kind: pod.kind,
    metadata: kept,
    spec: {
      ...(spec.nodeName === undefined ? {} : { nodeName: spec.nodeName }),
      // Which claim it holds.
      ...(isAttachmentPod(pod) && spec.volumes !== undefined ? { volumes: spec.volumes } : {}),
      containers: spec.containers.map((container) => ({ name: container.name, ...imageOf(container) })),
    },
    ...(status === undefined ? {} : { status }),
  };
}

function imageOf(container: object): object {
  return 'image' in container && typeof container.image === 'string' ? { image: container.image } : {};
}
