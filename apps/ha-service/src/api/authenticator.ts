import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

import { bearerToken, CachedFile, fingerprintsOf } from '@smalt/kubernetes-callers';
import type { Ignore } from '@smalt/service-runtime';

import { HaServiceError } from '../ha-service-error.ts';
import type { ServiceClock } from '../ports/service-clock.ts';
import type { ApiSettings } from '../settings/ha-service-settings.ts';
import { mayNotSpeakForOthers, readBehalf, type Behalf } from './behalf.ts';
import type { Caller } from './caller.ts';
import { certificateCaller } from './certificate-callers.ts';
import type { KubernetesCallers } from './kubernetes-callers.ts';
import { TokenCallers } from './token-callers.ts';

export interface AuthenticatorDeps {
  readonly settings: () => ApiSettings;
  readonly kubernetes: Pick<KubernetesCallers, 'find'>;
  readonly clock: Pick<ServiceClock, 'now'>;
  readonly ignore: Ignore;
}

/** Finds out who makes a request: by client certificate, by a token of the tokens file, or by one of the cluster. */
export class Authenticator {
  readonly #deps: AuthenticatorDeps;
  readonly #tokens: CachedFile<TokenCallers>;
  readonly #authorities: CachedFile<ReadonlySet<string>>;

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps;
    this.#tokens = new CachedFile(deps, (text, path) => new TokenCallers(text, path));
    this.#authorities = new CachedFile(deps, fingerprintsOf);
  }

  /** Rejects with `unauthorized` when nobody is known by what the request shows. */
  async authenticate(
    request: Pick<IncomingMessage, 'headers' | 'headersDistinct' | 'socket'>,
    signal: AbortSignal,
  ): Promise<Caller> {
    const settings = this.#deps.settings();
    const token = bearerToken(request.headers.authorization);
    const behalf = readBehalf(request.headersDistinct);
    if (behalf !== undefined && token === undefined) throw mayNotSpeakForOthers('who shows no token');
    const caller =
      token === undefined
        ? await this.#byCertificate(request.socket, settings)
        : await this.#byToken(token, behalf, settings, signal);
    if (caller !== undefined) return caller;
    const shown = token === undefined ? 'the request shows no token and no certificate that is' : 'this token is not';
    const next = 'send "Authorization: Bearer …" with a token of the tokens file or of the cluster';
    throw new HaServiceError('unauthorized', `${shown} known, or its owner has no role: ${next}`);
  }

  async #byCertificate(socket: unknown, { clientCertificates }: ApiSettings): Promise<Caller | undefined> {
    if (clientCertificates.authorityFile === '' || !(socket instanceof TLSSocket)) return undefined;
    const authorities = await this.#authorities.get(clientCertificates.authorityFile);
    return authorities === undefined ? undefined : certificateCaller(socket, authorities, clientCertificates);
  }

  async #byToken(
    token: string,
    behalf: Behalf | undefined,
    settings: ApiSettings,
    signal: AbortSignal,
  ): Promise<Caller | undefined> {
    const listed = settings.tokensFile === '' ? undefined : await this.#tokens.get(settings.tokensFile);
    const caller = listed?.find(createHash('sha256').update(token).digest());
    // Only the cluster can say who may speak for others.
    if (caller !== undefined && behalf !== undefined) throw mayNotSpeakForOthers(caller.name);
    if (caller !== undefined || !settings.asksKubernetes) return caller;
    return await this.#deps.kubernetes.find(token, behalf, signal);
  }
}
