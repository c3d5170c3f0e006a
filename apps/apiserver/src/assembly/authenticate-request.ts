import type { Duplex } from 'node:stream';

import type { Authorizer } from '../authorization/authorizer.ts';
import type { ApiHandlerSteps } from '../http/api-steps.ts';
import type { Authenticator, PeerSocket } from '../identity/authenticator.ts';
import { impersonatedUser } from '../identity/impersonation.ts';
import { ANONYMOUS } from '../identity/user.ts';

/** Finds out who sent a request and whom they act as. */
export function requestAuthentication(
  authenticator: Authenticator,
  authorizer: Authorizer,
): ApiHandlerSteps['authenticate'] {
  return ({ headers, rawHeaders, socket }) => {
    const peer = isPeer(socket) ? socket : undefined;
    const user = authenticator.authenticate({ headers, socket: peer }) ?? ANONYMOUS;
    return { user, actingAs: impersonatedUser(authorizer, user, rawHeaders) };
  };
}

// In HTTP/2 the socket is a stand-in that passes on what it is asked for, so neither its class nor `in` says anything.
function isPeer(socket: Duplex): socket is Duplex & PeerSocket {
  return typeof Reflect.get(socket, 'getPeerCertificate') === 'function';
}
