import { constants } from 'node:crypto';
import type { Server } from 'node:https';
import type { SecureContextOptions } from 'node:tls';

import type { Clock } from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import { messageOf, type Logger } from '@smalt/service-runtime';

import type { CertificateMetrics } from '../metrics/certificate-metrics.ts';
import type { CertificateSource, ServingCertificate } from './certificate-source.ts';
import type { FrontProxyAuthority } from './front-proxy-authority.ts';
import { publishAuthority } from './publish-authority.ts';

export interface ServingIdentityDeps {
  readonly source: CertificateSource;
  readonly frontProxy: Pick<FrontProxyAuthority, 'get'>;
  readonly client: Pick<KubeClient, 'request'>;
  readonly clock: Pick<Clock, 'wait'>;
  readonly logger: Logger;
  readonly metrics: CertificateMetrics;
}

const LOOK_MS = 30_000;
const RETRY_MS = 2_000;

/** Our certificate and the authority of the API servers that call us, both looked at again and again. */
export class ServingIdentity {
  readonly #deps: ServingIdentityDeps;
  #certificate: ServingCertificate;
  #callers: string;
  #trouble = '';
  #missing = '';

  private constructor(deps: ServingIdentityDeps, certificate: ServingCertificate, callers: string) {
    this.#deps = deps;
    this.#certificate = certificate;
    this.#callers = callers;
    deps.metrics.show(certificate.certificate);
  }

  /** Waits for the cluster where it is away. Rejects when the signal fires, or for files that can never be used. */
  static async open(deps: ServingIdentityDeps, signal: AbortSignal): Promise<ServingIdentity> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        const certificate = await deps.source.read(signal);
        const { authority } = await deps.frontProxy.get();
        return new ServingIdentity(deps, certificate, authority);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Error && 'code' in error && error.code === 'bad-setting') throw error;
        if (isFirst) deps.logger.warn({ error }, 'virt-api cannot serve before the cluster can be asked: trying again');
        await deps.clock.wait(RETRY_MS, signal);
      }
    }
  }

  /** What the TLS server is given. Which client certificates count is decided by request: none is refused here. */
  get context(): SecureContextOptions {
    return {
      cert: this.#certificate.certificate,
      key: this.#certificate.key,
      // Left out, it would mean all that the system trusts.
      ca: this.#callers === '' ? [] : [this.#callers],
      minVersion: 'TLSv1.2',
      // A session that is resumed would outlive a change of the authority.
      secureOptions: constants.SSL_OP_NO_TICKET,
    };
  }

  /** Uses what has changed, and has API servers told whom to trust, until the signal fires. */
  async follow(server: Pick<Server, 'setSecureContext'>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#look(server, signal);
        this.#trouble = '';
        this.#deps.metrics.setCaredFor(true);
      } catch (error) {
        this.#complain(error, signal);
      }
      await this.#deps.clock.wait(this.#trouble === '' ? LOOK_MS : RETRY_MS, signal).catch(() => undefined);
    }
  }

  async #look(server: Pick<Server, 'setSecureContext'>, signal: AbortSignal): Promise<void> {
    const { source, frontProxy, client, logger, metrics } = this.#deps;
    const certificate = await source.read(signal);
    // Who calls us has to trust the new authority before we show what it has signed.
    if (certificate.authority !== '') this.#tellMissing(await publishAuthority(client, certificate.authority, signal));
    const { authority: callers } = await frontProxy.get();
    const isNew = JSON.stringify(certificate) !== JSON.stringify(this.#certificate);
    if (!isNew && callers === this.#callers) return;
    this.#certificate = certificate;
    this.#callers = callers;
    server.setSecureContext(this.context);
    metrics.show(certificate.certificate);
    if (isNew) logger.info({}, 'virt-api shows a new certificate');
  }

  #tellMissing(missing: readonly string[]): void {
    const names = missing.join(', ');
    if (names !== '' && names !== this.#missing) {
      const next = 'apply deploy/helm/smalt/files/virt-api, else nothing asks virt-api';
      this.#deps.logger.warn({ missing: names }, `objects by which API servers find virt-api are not there: ${next}`);
    }
    this.#missing = names;
  }

  #complain(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#deps.metrics.setCaredFor(false);
    if (messageOf(error) === this.#trouble) return;
    this.#trouble = messageOf(error);
    this.#deps.logger.warn(
      { error },
      'the certificate of virt-api cannot be looked after; what there was before stays',
    );
  }
}
