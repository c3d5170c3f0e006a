import type { TLSSocket } from 'node:tls';

import { chainOf } from '@smalt/kubernetes-callers';
import type { ClientCertificateSettings } from '../settings/ha-service-settings.ts';
import { Role, type Caller } from './caller.ts';

/**
 * Who a client certificate belongs to. It counts only under the authority of persons: one of an agent, which is checked
 * by the same server, lets nobody into the API whatever its name is.
 */
export function certificateCaller(
  socket: Pick<TLSSocket, 'authorized' | 'getPeerCertificate'>,
  authorities: ReadonlySet<string>,
  { viewers, operators }: Pick<ClientCertificateSettings, 'viewers' | 'operators'>,
): Caller | undefined {
  if (!socket.authorized) return undefined;
  const peer = socket.getPeerCertificate(true);
  const name = peer.subject?.CN;
  if (typeof name !== 'string' || !chainOf(peer).some((print) => authorities.has(print))) return undefined;
  if (operators.includes(name)) return { name, role: Role.operator };
  return viewers.includes(name) ? { name, role: Role.viewer } : undefined;
}
