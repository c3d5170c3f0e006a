import { createHash, X509Certificate } from 'node:crypto';

import type { Subject } from '@smalt/x509';

import { unauthorizedError } from '../errors/make-status-error.ts';
import { bearerToken, webSocketToken } from './bearer-token.ts';
import type { ServiceAccountTokens, TokenVerdict } from './service-account-tokens.ts';
import type { StaticTokens } from './static-tokens.ts';
import { asAuthenticated, CREDENTIAL_ID, type User } from './user.ts';
import { subjectOfCertificate } from './x509/subject.ts';

/** What is known of the other end of a TLS connection; a TLSSocket is one. */
export interface PeerSocket {
  /** Whether the certificate was verified against the authority of the server. */
  readonly authorized: boolean;
  getPeerCertificate(): { readonly raw?: Buffer };
}

export interface AuthenticationRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Absent for a connection without TLS. */
  readonly socket?: PeerSocket | undefined;
}

/** Finds out who asks. */
export interface Authenticator {
  /** Undefined when no credential was shown. A credential that is not good is a StatusError with code 401. */
  authenticate(request: AuthenticationRequest): User | undefined;
}

export interface AuthenticatorOptions {
  readonly staticTokens: StaticTokens;
  readonly serviceAccounts: ServiceAccountTokens;
  readonly now: () => Date;
}

/** What the certificate of a connection says. */
interface Peer {
  readonly user: User | undefined;
  readonly isRefused: boolean;
  /** The last moment at which the certificate is good; absent where that makes no difference. */
  readonly validTo?: Date;
}

const REFUSED: Peer = { user: undefined, isRefused: true };

/** Checks client certificates, tokens that were given out by hand, and tokens of service accounts. */
export class RequestAuthenticator implements Authenticator {
  readonly #options: AuthenticatorOptions;
  /** A connection carries many requests and one certificate. */
  readonly #peers = new WeakMap<PeerSocket, Peer>();

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  authenticate({ headers, socket }: AuthenticationRequest): User | undefined {
    const peer = socket === undefined ? undefined : this.#peerOf(socket);
    if (peer?.user !== undefined) return peer.user;
    const token =
      bearerToken(single(headers['authorization'])) ?? webSocketToken(single(headers['sec-websocket-protocol']));
    if (token === undefined) {
      if (peer?.isRefused === true) throw unauthorizedError();
      return undefined;
    }
    const verdict = this.authenticateToken(token);
    if (verdict.kind !== 'user') throw unauthorizedError();
    return verdict.user;
  }

  /** Says whom a token stands for; used to review tokens that others were shown. */
  authenticateToken(token: string, audiences?: readonly string[]): TokenVerdict {
    const { staticTokens, serviceAccounts } = this.#options;
    const known = staticTokens.find(token);
    if (known === undefined) {
      const verdict = serviceAccounts.authenticate(token, audiences);
      return verdict.kind === 'user' ? { ...verdict, user: asAuthenticated(verdict.user) } : verdict;
    }
    // Tokens that were given out by hand are for this server and for nobody else.
    const own = serviceAccounts.audiences.filter((audience) => audiences?.includes(audience) ?? true);
    return own.length === 0 ? { kind: 'unknown' } : { kind: 'user', user: asAuthenticated(known), audiences: own };
  }

  #peerOf(socket: PeerSocket): Peer {
    const peer = this.#peers.get(socket) ?? this.#judge(socket);
    // TLS looks at the time once, when the connection is made; the connection may outlive the certificate.
    if (peer.validTo === undefined || this.#options.now() <= peer.validTo) return peer;
    this.#peers.delete(socket);
    return REFUSED;
  }

  #judge(socket: PeerSocket): Peer {
    const { raw } = socket.getPeerCertificate();
    const isGiven = raw !== undefined && raw.length > 0;
    const peer = isGiven ? judgeCertificate(raw, socket.authorized) : { user: undefined, isRefused: false };
    this.#peers.set(socket, peer);
    return peer;
  }
}

function judgeCertificate(raw: Buffer, isVerified: boolean): Peer {
  const subject = isVerified ? subjectOfCertificate(raw) : undefined;
  if (subject === undefined || !isPrintable(subject)) return REFUSED;
  return { user: userOfCertificate(raw, subject), isRefused: false, validTo: new X509Certificate(raw).validToDate };
}

/** Whom a certificate, which was verified before, stands for; undefined when it names nobody. */
function userOfCertificate(raw: Buffer, { commonName, organizations }: Subject): User | undefined {
  if (commonName === '') return undefined;
  const digest = createHash('sha256').update(raw).digest('hex');
  return asAuthenticated({
    name: commonName,
    groups: organizations,
    extra: { [CREDENTIAL_ID]: [`X509SHA256=${digest}`] },
  });
}

// Names go into headers, logs and messages, where a line break in one could pass for something else.
function isPrintable({ commonName, organizations }: Subject): boolean {
  return ![commonName, ...organizations].some((name) => /\p{Cc}/u.test(name));
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : value[0];
}
