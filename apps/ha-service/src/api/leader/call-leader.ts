import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket, type PeerCertificate } from 'node:tls';

export interface LeaderCall {
  /** Such as `https://10.0.0.7:8443`. */
  readonly url: string;
  readonly method: string;
  /** With its query, as it came. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | undefined;
  /** What this replica shows, or did until lately: the leader has to show one of them, and with it that it has the key. */
  readonly certificates: readonly X509Certificate[];
  /** How long it may take until there is a connection. */
  readonly reachWithinMs: number;
}

/** `unanswered`: it may have heard of the call. `stranger`: it does not show our certificate, so it was told nothing. */
export type LeaderFailure = 'unreached' | 'stranger' | 'unanswered';

export class LeaderCallError extends Error {
  readonly failure: LeaderFailure;

  constructor(message: string, failure: LeaderFailure, options: ErrorOptions) {
    super(message, options);
    this.name = 'LeaderCallError';
    this.failure = failure;
  }
}

/**
 * Asks the leader. Tokens are shown to nobody but a replica with our own certificate, wherever the Lease points. Rejects with a
 * `LeaderCallError` when there is no answer; the signal ends the call and what is read of its answer.
 */
export async function callLeader(call: LeaderCall, signal: AbortSignal): Promise<IncomingMessage> {
  const { body, reachWithinMs } = call;
  const outgoing = open(call, signal);
  let wasReached = false;
  const late = setTimeout(() => outgoing.destroy(new Error(`it took over ${reachWithinMs} ms`)), reachWithinMs);
  outgoing.once('socket', (socket) =>
    socket.once('secureConnect', () => {
      clearTimeout(late);
      wasReached = true;
    }),
  );
  try {
    const answered = once(outgoing, 'response');
    outgoing.end(body);
    const [response] = await answered;
    return response;
  } catch (error) {
    const failure = isStranger(outgoing.socket) ? 'stranger' : 'unreached';
    throw new LeaderCallError('the replica that leads did not answer', wasReached ? 'unanswered' : failure, {
      cause: error,
    });
  } finally {
    clearTimeout(late);
  }
}

function open({ url, method, path, headers, certificates }: LeaderCall, signal: AbortSignal): ClientRequest {
  const { hostname, port } = new URL(url);
  const isOwn = (shown: PeerCertificate): boolean =>
    certificates.some(({ fingerprint256 }) => fingerprint256 === shown.fingerprint256);
  return request({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 443 : port,
    method,
    path,
    headers,
    agent: false,
    signal,
    // The certificate alone is trusted, not those who signed it: it need not be signed by an authority at all.
    ca: certificates.map((each) => each.toString()),
    allowPartialTrustChain: true,
    // Said here, so that nothing in the environment says otherwise.
    rejectUnauthorized: true,
    checkServerIdentity: (_host, shown) => (isOwn(shown) ? undefined : new Error('it shows another certificate')),
  });
}

/** Whether the other side has shown a certificate that was refused. */
function isStranger(socket: Socket | null): boolean {
  // Types have it that there always is an error.
  const { authorizationError }: { readonly authorizationError?: unknown } = socket instanceof TLSSocket ? socket : {};
  return authorizationError !== undefined && authorizationError !== null;
}
