import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

import { bearerToken, CachedFile, fingerprintsOf } from '@smalt/kubernetes-callers';
import type { Ignore } from '@smalt/service-runtime';

import type { ServiceClock } from '../../ports/service-clock.ts';
import type { KubernetesNodes } from './kubernetes-nodes.ts';
import { NodeCertificates } from './node-certificates.ts';
import type { NodeIdentifier } from './node-identifier.ts';
import { parseNodeTokens } from './node-tokens.ts';
import type { PushSettings } from './push-settings.ts';

export interface RequestIdentifierDeps {
  readonly settings: () => PushSettings;
  readonly kubernetes: Pick<KubernetesNodes, 'find'>;
  readonly clock: Pick<ServiceClock, 'now'>;
  /** What certificates go by. */
  readonly wallNow: () => number;
  readonly ignore: Ignore;
}

/** Finds out which node makes a request: by its token if it shows one, else by the certificate of the connection. */
export class RequestIdentifier implements NodeIdentifier {
  readonly #deps: RequestIdentifierDeps;
  readonly #certificates = new NodeCertificates();
  readonly #authorities: CachedFile<ReadonlySet<string>>;
  readonly #tokens: CachedFile<ReadonlyMap<string, string>>;

  constructor(deps: RequestIdentifierDeps) {
    this.#deps = deps;
    this.#authorities = new CachedFile(deps, fingerprintsOf);
    this.#tokens = new CachedFile(deps, parseNodeTokens);
  }

  async identify(
    { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    if (headers.authorization === undefined) return await this.#byCertificate(socket);
    const token = bearerToken(headers.authorization);
    const node = token === undefined ? undefined : await this.#byToken(token, signal);
    return node === undefined ? undefined : [node];
  }

  async #byCertificate(socket: unknown): Promise<readonly string[] | undefined> {
    const { authorityFile, refusedCertificates: refused } = this.#deps.settings();
    if (authorityFile === '' || !(socket instanceof TLSSocket)) return undefined;
    const authorities = await this.#authorities.get(authorityFile);
    if (authorities === undefined) return undefined;
    return this.#certificates.namesOf(socket, { authorities, refused, wallNow: this.#deps.wallNow() });
  }

  async #byToken(token: string, signal: AbortSignal): Promise<string | undefined> {
    const { tokensFile, serviceAccounts } = this.#deps.settings();
    const digest = hash('sha256', token, 'hex');
    const listed = tokensFile === '' ? undefined : await this.#tokens.get(tokensFile);
    const node = listed?.get(digest);
    if (node !== undefined || serviceAccounts.length === 0) return node;
    return await this.#deps.kubernetes.find({ token, hash: digest }, serviceAccounts, signal);
  }
}
