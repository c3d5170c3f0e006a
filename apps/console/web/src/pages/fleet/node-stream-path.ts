/** Where a stream of a node is. */
export function nodeStreamPath(node: string, stream: 'usage' | 'logs'): string {
  return `/apis/subresources.kubevirt.io/v1/nodes/${encodeURIComponent(node)}/${stream}`;
}
