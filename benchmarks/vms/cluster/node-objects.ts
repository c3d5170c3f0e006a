import { untilObject } from '@smalt/bed-kubernetes';
import type { KubeClient } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

const START_TIMEOUT_MS = 120_000;
const SCHEDULABLE = 'kubevirt.io/schedulable';

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

/** Resolves once a Node is as wanted. */
export async function untilNode(
  client: KubeClient,
  name: string,
  isWanted: (node: KubernetesObject) => boolean,
): Promise<void> {
  await untilObject({ objects: client.resource(nodeKind), name, isWanted, timeoutMs: START_TIMEOUT_MS });
}

/** Whether its handler takes instances. */
export function isSchedulable({ metadata }: KubernetesObject): boolean {
  return metadata.labels?.[SCHEDULABLE] === 'true';
}
