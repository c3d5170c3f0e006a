import type { KubeClient } from '@smalt/kube';

import type { HypervisorSettings } from './hypervisor-settings.ts';
import { podKind, type Pod } from './pod.ts';

/** The pods of a node in the namespaces of agents, as the server has them now: no cache could vouch for their absence. */
export async function listAgentPods(
  client: KubeClient,
  nodeName: string,
  { agentNamespaces, podPageSize }: Pick<HypervisorSettings, 'agentNamespaces' | 'podPageSize'>,
  signal: AbortSignal,
): Promise<readonly Pod[]> {
  const fieldSelector = { requirements: [{ field: 'spec.nodeName', isEqual: true, value: nodeName }] };
  const namespaces = agentNamespaces.length === 0 ? [undefined] : agentNamespaces;
  const pods: Pod[] = [];
  for (const namespace of namespaces) {
    const pages = client.resource(podKind).pages({ namespace, fieldSelector, limit: podPageSize, signal });
    for await (const page of pages) pods.push(...page.items);
  }
  return pods;
}
