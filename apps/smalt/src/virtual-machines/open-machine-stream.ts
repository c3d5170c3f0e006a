import { isJsonObject, parseJson } from '@smalt/json';
import { KubeClient } from '@smalt/kube';
import { isWebSocketError, openWebSocket, type WebSocketStream } from '@smalt/websocket';

import type { ClusterFlags } from '../output/command-flags.ts';
import { findKubeConfig } from '../output/find-kubeconfig.ts';
import { printableText } from '../printable-text.ts';
import { SmaltError } from '../smalt-error.ts';

export type MachineFlags = ClusterFlags;

/** What of a machine is opened: `console`, `vnc`. */
export interface MachineStream {
  readonly name: string;
  readonly subresource: 'console' | 'vnc';
  readonly query?: URLSearchParams;
}

const USER_AGENT = 'smalt-console/0.1.0';
const PROTOCOLS = ['plain.kubevirt.io'];
const ANSWER_MS = 30_000;

/** Opens a stream to a machine by way of the API server, as whoever the kubeconfig says. */
export async function openMachineStream(
  { name, subresource, query }: MachineStream,
  flags: MachineFlags,
  {
    environment,
    signal,
  }: { readonly environment: Readonly<Record<string, string | undefined>>; readonly signal: AbortSignal },
): Promise<WebSocketStream> {
  const config = await findKubeConfig(flags, environment);
  await using client = new KubeClient({ config, userAgent: USER_AGENT, environment });
  const namespace = flags.namespace ?? config.namespace;
  const place = [namespace, 'virtualmachineinstances', name, subresource].map(encodeURIComponent).join('/');
  const target = await client.upgradeTarget(`/apis/subresources.kubevirt.io/v1/namespaces/${place}`, query);
  const soon = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    return await openWebSocket({ ...target, protocols: PROTOCOLS, signal: soon });
  } catch (error) {
    throw explain(error, { name, namespace, subresource });
  }
}

interface Asked {
  readonly name: string;
  readonly namespace: string;
  readonly subresource: string;
}

function explain(error: unknown, { name, namespace, subresource }: Asked): unknown {
  if (!isWebSocketError(error)) return error;
  const what = `the ${subresource} of ${name} in ${namespace} cannot be opened`;
  const { httpStatus, answer, message } = error;
  const said = httpStatus === undefined ? message : (messageIn(answer) ?? `the API server answered with ${httpStatus}`);
  const next = httpStatus === undefined ? '' : nextStep(httpStatus, namespace);
  return new SmaltError('no-stream', `${what}: ${printableText(said)}${next}`, { cause: error });
}

function nextStep(status: number, namespace: string): string {
  if (status === 404)
    return `\nkubectl -n ${namespace} get vmis shows those that there are; a machine that is off has none`;
  if (status === 409) return `\nkubectl -n ${namespace} get vms shows how they are`;
  return status === 401 || status === 403 ? '\nask for a role that allows it, or use another kubeconfig' : '';
}

function messageIn(answer: string): string | undefined {
  try {
    const read = parseJson(answer);
    const message = isJsonObject(read) ? read['message'] : undefined;
    return typeof message === 'string' ? message : undefined;
  } catch {
    // It is no Status: then what the server said is of no use to a person.
    return undefined;
  }
}
