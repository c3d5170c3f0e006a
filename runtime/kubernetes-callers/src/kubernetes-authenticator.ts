import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

import { bearerToken } from './bearer-token.ts';
import type { CallersClock } from './callers-clock.ts';
import { CallersError } from './callers-error.ts';
import { fingerprintsOf } from './certificate-chain.ts';
import { certificateUser } from './certificate-user.ts';
import type { ClientAuthority } from './client-authority.ts';
import type { ReviewedUser } from './reviewed-user.ts';
import type { TokenReviews } from './token-reviews.ts';

/** How long the cluster's word on a token counts: so much later, at most, one that was taken back is of no use. */
const KEEP_MS = 10_000;
const MOST_KEPT = 1_000;

export interface KubernetesAuthenticatorDeps {
  readonly reviews: Pick<TokenReviews, 'find'>;
  readonly authority: Pick<ClientAuthority, 'get'>;
  readonly clock: CallersClock;
}

interface Kept {
  readonly user: ReviewedUser | undefined;
  readonly until: number;
}

/** Finds out who makes a request: by a token of the cluster if it shows one, else by the certificate of the connection. */
export class KubernetesAuthenticator {
  readonly #deps: KubernetesAuthenticatorDeps;
  readonly #kept = new Map<string, Kept>();
  #authorities: { readonly pem: string; readonly prints: ReadonlySet<string> } = { pem: '', prints: new Set() };

  constructor(deps: KubernetesAuthenticatorDeps) {
    this.#deps = deps;
  }

  /** Rejects with `unauthorized` when the cluster knows nobody by what the request shows. */
  async authenticate(request: Pick<IncomingMessage, 'headers' | 'socket'>, signal: AbortSignal): Promise<ReviewedUser> {
    const { authorization } = request.headers;
    const token = bearerToken(authorization);
    if (authorization !== undefined && token === undefined) {
      throw unauthorized('the Authorization header is no bearer token');
    }
    const user =
      token === undefined ? await this.#byCertificate(request.socket, signal) : await this.#byToken(token, signal);
    if (user !== undefined) return user;
    throw unauthorized(
      token === undefined
        ? 'the request shows no token, and no certificate that the cluster knows'
        : 'the cluster does not know this token',
    );
  }

  async #byCertificate(socket: unknown, signal: AbortSignal): Promise<ReviewedUser | undefined> {
    // Who shows no certificate is not worth a question to the cluster.
    if (!(socket instanceof TLSSocket) || Object.keys(socket.getPeerCertificate()).length === 0) return undefined;
    const pem = await this.#deps.authority.get(signal);
    if (pem !== this.#authorities.pem) this.#authorities = { pem, prints: fingerprintsOf(pem) };
    return certificateUser(socket, this.#authorities.prints);
  }

  async #byToken(token: string, signal: AbortSignal): Promise<ReviewedUser | undefined> {
    const key = createHash('sha256').update(token).digest('base64');
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#deps.clock.now() < kept.until) return kept.user;
    const user = await this.#deps.reviews.find(token, signal);
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(key, { user, until: this.#deps.clock.now() + KEEP_MS });
    return user;
  }
}

function unauthorized(why: string): CallersError {
  const next = 'send "Authorization: Bearer …" with a token of the cluster, or connect with a client certificate of it';
  return new CallersError('unauthorized', `${why}: ${next}`);
}
