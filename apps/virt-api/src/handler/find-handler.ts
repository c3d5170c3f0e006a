import type { ObjectReader } from '../cluster/cluster-objects.ts';
import { refusal, statusOf, type VirtApiError } from '../virt-api-error.ts';
import type { HandlerTarget } from './handler-target.ts';

const URL_ANNOTATION = 'smalt.dev/virt-handler-url';
const AUTHORITY_ANNOTATION = 'smalt.dev/virt-handler-ca';

/** Where the handler of a node is reached, and whom to believe there. */
export interface HandlerAddress {
  readonly nodeName: string;
  readonly url: URL;
  /** PEM; those of the operating system without one. */
  readonly authority: string | undefined;
}

/** Finds the handler that answers for something, by what it has written to its Node. */
export async function findHandler(
  reader: Pick<ObjectReader, 'node'>,
  { title, nodeName }: HandlerTarget,
  signal: AbortSignal,
): Promise<HandlerAddress> {
  if (nodeName === '') throw unreachable(`${title} is on no node`, 'try again when it runs');
  const node = await reader.node(nodeName, signal);
  if (node === undefined) throw unreachable(`there is no node ${nodeName}`, `see kubectl get nodes`);
  const { [URL_ANNOTATION]: text = '', [AUTHORITY_ANNOTATION]: authority } = node.metadata.annotations ?? {};
  const url = URL.parse(text);
  if (url?.protocol === 'https:') return { nodeName, url, authority };
  const found = text === '' ? 'has no annotation' : `has no https URL in its annotation`;
  throw unreachable(`the node ${nodeName} ${found} ${URL_ANNOTATION}`, 'is virt-handler running there?');
}

function unreachable(why: string, next: string): VirtApiError {
  return refusal(statusOf(503, `Unable to connect to virt-handler: ${why}: ${next}`));
}
