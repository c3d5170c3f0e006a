import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { PeerCertificate } from 'node:tls';

const CONNECT_MS = 3_000;

export interface LeaderCall {
  /** Such as `https://10.0.0.7:8443`. */
  readonly url: string;
  readonly method: string;
  /** With its query, as it came. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | undefined;
  /** What this replica shows: the leader has to show the same, and with it that it has the key. */
  readonly certificate: X509Certificate;
}

/** Whether the leader may have heard of a call that failed. */
export class LeaderCallError extends Error {
  readonly wasSent: boolean;

  constructor(message: string, wasSent: boolean, options: ErrorOptions) {
    super(message, options);
    this.name = 'LeaderCallError';
    this.wasSent = wasSent;
  }
}

/**
 * Asks the leader. Tokens are shown to nobody but a replica with our own certificate, wherever the Lease points. Rejects with a
 * `LeaderCallError` when there is no answer; the signal ends the call and what is read of its answer.
 */
export async function callLeader(call: LeaderCall, signal: AbortSignal): Promise<IncomingMessage> {
  const { url, method, path, headers, body, certificate } = call;
  const { hostname, port } = new URL(url);
  const isSame = ({ fingerprint256 }: PeerCertificate): boolean => fingerprint256 === certificate.fingerprint256;
  const outgoing = request({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 443 : port,
    method,
    path,
    headers,
    agent: false,
    signal,
    // The certificate alone is trusted, not those who signed it: it need not be signed by an authority at all.
    ca: certificate.toString(),
    allowPartialTrustChain: true,
    checkServerIdentity: (_host, shown) => (isSame(shown) ? undefined : new Error('it shows another certificate')),
  });
  let wasSent = false;
  const late = setTimeout(() => outgoing.destroy(new Error(`it was not reached within ${CONNECT_MS} ms`)), CONNECT_MS);
  outgoing.once('socket', (socket) =>
    socket.once('secureConnect', () => {
      clearTimeout(late);
      wasSent = true;
    }),
  );
  try {
    const answered = once(outgoing, 'response');
    outgoing.end(body);
    const [response] = await answered;
    return response;
  } catch (error) {
    throw new LeaderCallError('the replica that leads did not answer', wasSent, { cause: error });
  } finally {
    clearTimeout(late);
  }
}
