import type { PeerCertificate, TLSSocket } from 'node:tls';

import { chainOf } from './certificate-chain.ts';
import type { ReviewedUser } from './reviewed-user.ts';

/** Who a client certificate belongs to, as Kubernetes reads it: the common name is the user, the organizations are groups. */
export function certificateUser(
  socket: Pick<TLSSocket, 'authorized' | 'getPeerCertificate'>,
  authorities: ReadonlySet<string>,
): ReviewedUser | undefined {
  if (!socket.authorized) return undefined;
  const peer = socket.getPeerCertificate(true);
  if (!chainOf(peer).some((print) => authorities.has(print))) return undefined;
  const name = textsOf(peer.subject?.CN)[0] ?? '';
  if (name === '') return undefined;
  const groups = [...new Set([...textsOf(peer.subject?.O), 'system:authenticated'])];
  return { name, user: { username: name, groups } };
}

/** Node gives a list where there are several of one attribute, whatever its types say. */
function textsOf(attribute: PeerCertificate['subject']['CN'] | readonly string[] | undefined): readonly string[] {
  if (attribute === undefined) return [];
  return typeof attribute === 'string' ? [attribute] : attribute;
}
