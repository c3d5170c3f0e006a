import { isKubeError, type KubeClient } from '@smalt/kube';
import { parseLabelSelector, type KindReference } from '@smalt/kubernetes';

import type { CertificateContents } from './certificate-contents.ts';
import { nodeSecretName, planNodeCertificates, type Node, type SecretWish } from './plan-node-certificates.ts';
import { secretKind, type Secret } from './secret-place.ts';

const nodeKind: KindReference<Node> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  isNamespaced: false,
};

export interface NodeCertificates {
  readonly client: KubeClient;
  /** Where the Secrets live. */
  readonly namespace: string;
  /** Which nodes get one; empty: all. */
  readonly selector: string;
  readonly authority: CertificateContents;
  readonly owner: string;
  readonly now: Date;
}

/** Gives each node a certificate by which it knows the others, and they it; returns the nodes that got a new one. */
export async function ensureNodeCertificates(
  options: NodeCertificates,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { client, namespace, selector, authority } = options;
  const chosen = selector === '' ? {} : { labelSelector: parseLabelSelector(selector) };
  const nodes: Node[] = [];
  for await (const page of client.resource(nodeKind).pages({ ...chosen, signal })) nodes.push(...page.items);
  const secrets: Secret[] = [];
  for await (const page of client.resource(secretKind).pages({ namespace, signal })) secrets.push(...page.items);
  const wishes = planNodeCertificates(nodes, secrets, authority, options);
  for (const wish of wishes) await write(options, wish, signal);
  return wishes.map(({ node }) => node.metadata.name);
}

async function write({ client, namespace }: NodeCertificates, wish: SecretWish, signal: AbortSignal): Promise<void> {
  const { node, known, data } = wish;
  const { name, uid = '' } = node.metadata;
  // It goes with its node.
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }];
  const secrets = client.resource(secretKind);
  try {
    if (known !== undefined) await secrets.replace({ ...known, data }, { signal });
    else {
      const metadata = { name: nodeSecretName(node), namespace, ownerReferences };
      await secrets.create({ metadata, type: 'kubernetes.io/tls', data }, { signal });
    }
  } catch (error) {
    // Somebody else was faster: the next look tells whether theirs is good.
    if (!isKubeError(error, 'conflict', 'already-exists')) throw error;
  }
}
