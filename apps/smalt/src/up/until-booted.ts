import { follow, type KubeClient } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import type { LocalHost } from '@smalt/local-hosts';

interface Node extends KubernetesObject {
  readonly status?: { readonly nodeInfo?: { readonly bootID?: string } };
}

const nodeKind: KindReference<Node> = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

/** Resolves when the Node of each host that has power tells of the boot that the host is in: its agents work then. */
export async function untilBooted(client: KubeClient, hosts: readonly LocalHost[], signal: AbortSignal): Promise<void> {
  const waiting = new Map<string, string | undefined>();
  for (const host of hosts) if (await host.isOn()) waiting.set(host.name, await host.bootId());
  if (waiting.size === 0) return;
  for await (const events of follow(client.resource(nodeKind), { signal })) {
    for (const event of events) {
      if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
      const { metadata, status } = event.object;
      if (waiting.has(metadata.name) && status?.nodeInfo?.bootID === waiting.get(metadata.name)) {
        waiting.delete(metadata.name);
      }
    }
    if (waiting.size === 0) return;
  }
}
