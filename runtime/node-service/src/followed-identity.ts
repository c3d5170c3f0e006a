import type { Server } from 'node:https';
import type { SecureContextOptions } from 'node:tls';

import type { Clock } from '@smalt/controller-runtime';
import type { ClientAuthority } from '@smalt/kubernetes-callers';
import { messageOf, type Logger } from '@smalt/service-runtime';

import type { OwnCertificateOptions } from './own-certificate.ts';
import { readServerIdentity, secureContextOf, type IdentityFiles, type ServerIdentity } from './server-identity.ts';
import type { ServiceLabel } from './service-label.ts';

const LOOK_MS = 10_000;

export interface FollowedIdentityDeps {
  readonly files: IdentityFiles;
  readonly own: Omit<OwnCertificateOptions, 'fileName'>;
  readonly label: ServiceLabel;
  readonly authority: Pick<ClientAuthority, 'get'>;
  readonly clock: Pick<Clock, 'wait'>;
  readonly logger: Logger;
  /** Called when clients have to be told to trust something else. */
  readonly onChange: () => void;
}

/** The service's certificate and the authority of its clients, both read anew now and then. */
export class FollowedIdentity {
  readonly #deps: FollowedIdentityDeps;
  #identity: ServerIdentity;
  #clientAuthority: string;
  #trouble = '';

  private constructor(deps: FollowedIdentityDeps, identity: ServerIdentity, clientAuthority: string) {
    this.#deps = deps;
    this.#identity = identity;
    this.#clientAuthority = clientAuthority;
  }

  /** Rejects if there is no certificate to serve with. The cluster may be away: then tokens and certificates count later. */
  static async open(deps: FollowedIdentityDeps): Promise<FollowedIdentity> {
    return new FollowedIdentity(deps, await read(deps), '');
  }

  /** What clients have to be told to trust; empty for nothing. */
  get authority(): string {
    return this.#identity.authority;
  }

  get context(): SecureContextOptions {
    return secureContextOf(this.#identity, this.#clientAuthority);
  }

  /** Uses what has changed soon after, until the signal fires. While it is wrong, what was right before stays. */
  async follow(server: Pick<Server, 'setSecureContext'>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#look(server, signal);
        this.#trouble = '';
      } catch (error) {
        this.#complain(error, signal);
      }
      await this.#deps.clock.wait(LOOK_MS, signal).catch(() => undefined);
    }
  }

  async #look(server: Pick<Server, 'setSecureContext'>, signal: AbortSignal): Promise<void> {
    const before = { identity: this.#identity, clientAuthority: this.#clientAuthority };
    this.#identity = await read(this.#deps);
    const isNew = JSON.stringify(before.identity) !== JSON.stringify(this.#identity);
    if (isNew) server.setSecureContext(this.context);
    if (before.identity.authority !== this.#identity.authority) this.#deps.onChange();
    this.#clientAuthority = await this.#deps.authority.get(signal);
    if (before.clientAuthority !== this.#clientAuthority) server.setSecureContext(this.context);
    if (isNew) this.#deps.logger.info({}, `the certificate of ${this.#deps.label.title} was read anew`);
  }

  #complain(error: unknown, signal: AbortSignal): void {
    if (signal.aborted || messageOf(error) === this.#trouble) return;
    this.#trouble = messageOf(error);
    this.#deps.logger.warn({ error }, `certificates of ${this.#deps.label.title} cannot be read; those before stay`);
  }
}

async function read({ files, own, label }: FollowedIdentityDeps): Promise<ServerIdentity> {
  return await readServerIdentity(files, { ...own, fileName: label.fileName }, label.setting);
}
