import { isNotFound, KubeClient, type KubeConfig } from '@smalt/kube';
import { ovsNodeKind } from '@smalt/ovs-api';

import { findKubeConfig } from '../output/find-kubeconfig.ts';
import { SmaltError } from '../smalt-error.ts';

const URL_ANNOTATION = 'smalt.dev/troubleshooting-url';
const AUTHORITY_ANNOTATION = 'smalt.dev/troubleshooting-ca';
const USER_AGENT = 'smalt-ovs/0.1.0';
/** How long the agent may take to begin its answer; it gives up itself after 30 s. */
const TIMEOUT_MS = 45_000;

export interface TroubleshootingFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Where its OVSNode may be. Whoever writes there is shown what the kubeconfig has, so it is never looked for everywhere. */
  readonly namespaces: readonly string[];
  /** A file with a token to show instead of what the kubeconfig has. */
  readonly tokenFile?: string;
}

/** Finds the agent of a node by its OVSNode, and talks to it as whoever the kubeconfig says. It has to be disposed of. */
export async function openTroubleshooting(
  node: string,
  flags: TroubleshootingFlags,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<KubeClient> {
  const config = await findKubeConfig(flags, environment);
  await using api = new KubeClient({ config, userAgent: USER_AGENT, environment });
  const annotations = await annotationsOf(api, node, flags.namespaces, signal);
  const agent = agentConfig(config, node, annotations, flags.tokenFile);
  return new KubeClient({ config: agent, userAgent: USER_AGENT, environment, timeoutMs: TIMEOUT_MS, maxAttempts: 1 });
}

/** How the agent is reached: at the address that its OVSNode tells, trusted by what that tells. */
function agentConfig(
  config: KubeConfig,
  node: string,
  annotations: Readonly<Record<string, string>>,
  tokenFile?: string,
): KubeConfig {
  const { [URL_ANNOTATION]: url, [AUTHORITY_ANNOTATION]: authority } = annotations;
  if (url === undefined) {
    const next = 'start its agent with --troubleshoot-listen';
    throw new SmaltError(
      'no-troubleshooting',
      `the OVSNode ${node} tells no address of a troubleshooting API: ${next}`,
    );
  }
  if (URL.parse(url)?.protocol !== 'https:') {
    throw new SmaltError(
      'no-troubleshooting',
      `the OVSNode ${node} tells "${url}", which is no https URL: who wrote that?`,
    );
  }
  const tls = {
    isInsecure: false,
    ...(authority === undefined ? {} : { authority: { kind: 'text', text: authority } as const }),
  };
  const own =
    tokenFile === undefined ? config.identity : ({ kind: 'token', token: { kind: 'file', path: tokenFile } } as const);
  return { server: url, tls, identity: own, namespace: config.namespace };
}

async function annotationsOf(
  client: KubeClient,
  node: string,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const nodes = client.resource(ovsNodeKind);
  const looked = await Promise.allSettled(namespaces.map((namespace) => nodes.get(node, { namespace, signal })));
  const found = looked.flatMap((each) => (each.status === 'fulfilled' ? [each.value.metadata.annotations ?? {}] : []));
  // That of another agent, which nobody has removed, may be there as well.
  const annotations = found.find((each) => each[URL_ANNOTATION] !== undefined) ?? found[0];
  if (annotations !== undefined) return annotations;
  for (const each of looked) if (each.status === 'rejected' && !isNotFound(each.reason)) throw each.reason;
  const next = 'kubectl get ovsnodes -A shows those that there are, and -n NAMESPACE says where';
  throw new SmaltError('not-found', `there is no OVSNode ${node} in ${namespaces.join(' or ')}: ${next}`);
}
