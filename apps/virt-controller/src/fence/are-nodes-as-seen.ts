import { isSameJson } from '@smalt/json';
import type { ResourceClient } from '@smalt/kube';
import { parseFieldSelector } from '@smalt/kubernetes';
import type { Node } from '@smalt/placement';
import { fenceProofOf, seenNode } from '@smalt/vm-lifecycle';

interface NodeSources {
  /** What the cache has. */
  readonly cache: { get(name: string): Node | undefined };
  /** The API itself. */
  readonly nodes: Pick<ResourceClient<Node>, 'list'>;
}

/**
 * Whether the API shows at this moment what the cache does of the boot, the heartbeat and the proof of some nodes. A watch may
 * hang while a node that was off comes back and takes guests in: whoever goes by the cache alone then starts them a second time.
 */
export async function areNodesAsSeen(
  { cache, nodes }: NodeSources,
  names: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const name of names) {
    const { items } = await nodes.list({ fieldSelector: parseFieldSelector(`metadata.name=${name}`), signal });
    if (!isSameJson(wordOf(items[0]), wordOf(cache.get(name)))) return false;
  }
  return true;
}

function wordOf(node: Node | undefined): Parameters<typeof isSameJson>[0] {
  return JSON.parse(JSON.stringify([seenNode(node), fenceProofOf(node) ?? null]));
}
