import { isCertificateFailure } from './certificate-failure.ts';
import { systemClock, type Clock } from './clock.ts';
import { ExecCredentials } from './exec-credential.ts';
import { FileContent } from './file-content.ts';
import type { KubeConfig } from './kube-config.ts';
import type { KubeError } from './kube-error.ts';

/** How one request shows who makes it. */
export interface Access {
  readonly authorization: string | undefined;
  readonly tls: TlsAccess;
}

/** What a connection is made with; a change means new connections. */
export interface TlsAccess {
  readonly authority: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

export interface CredentialsOptions {
  readonly clock?: Clock | undefined;
  /** What a credential plugin is run with. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Knows who we are at any moment: tokens and certificates are renewed while a program runs. */
export class Credentials {
  readonly #config: KubeConfig;
  readonly #authority: FileContent | undefined;
  readonly #token: FileContent | undefined;
  readonly #certificate: FileContent | undefined;
  readonly #key: FileContent | undefined;
  readonly #exec: ExecCredentials | undefined;

  constructor(config: KubeConfig, { clock = systemClock, environment = {} }: CredentialsOptions = {}) {
    this.#config = config;
    const { identity, tls } = config;
    this.#authority = tls.authority && new FileContent(tls.authority, clock);
    this.#token = identity.kind === 'token' ? new FileContent(identity.token, clock) : undefined;
    this.#certificate = identity.kind === 'certificate' ? new FileContent(identity.certificate, clock) : undefined;
    this.#key = identity.kind === 'certificate' ? new FileContent(identity.key, clock) : undefined;
    this.#exec =
      identity.kind === 'exec' ? new ExecCredentials(identity.plugin, config, clock, environment) : undefined;
  }

  async access(): Promise<Access> {
    const [authority, token, certificate, key, plugin] = await Promise.all([
      this.#authority?.read(),
      this.#token?.read(),
      this.#certificate?.read(),
      this.#key?.read(),
      this.#exec?.read(),
    ]);
    return {
      authorization: this.#authorization(token?.trim() ?? plugin?.token),
      tls: { authority, certificate: certificate ?? plugin?.certificate, key: key ?? plugin?.key },
    };
  }

  /** The server did not accept what it was shown, or we not what it showed: look again before the next request. */
  expire(): void {
    for (const content of [this.#authority, this.#token, this.#certificate, this.#key]) content?.expire();
    this.#exec?.expire();
  }

  /** Whether a look again could bring something else, with which that would not have failed. */
  canChangeAfter(failure: KubeError): boolean {
    const { identity, tls } = this.#config;
    const isRenewed =
      identity.kind === 'exec' || (identity.kind === 'certificate' && identity.certificate.kind === 'file');
    if (isCertificateFailure(failure)) return isRenewed || tls.authority?.kind === 'file';
    const isTokenRenewed = identity.kind === 'token' && identity.token.kind === 'file';
    return failure.code === 'unauthorized' && (isRenewed || isTokenRenewed);
  }

  #authorization(token: string | undefined): string | undefined {
    if (token !== undefined) return `Bearer ${token}`;
    const { identity } = this.#config;
    if (identity.kind !== 'password') return undefined;
    return `Basic ${Buffer.from(`${identity.username}:${identity.password}`).toString('base64')}`;
  }
}
