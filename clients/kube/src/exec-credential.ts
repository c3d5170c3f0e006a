import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

import { isJsonObject, parseJson, type JsonObject } from '@smalt/json';

import type { Clock } from './clock.ts';
import type { ExecPlugin, KubeConfig } from './kube-config.ts';
import { KubeError } from './kube-error.ts';

const API_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const TIMEOUT_MS = 60_000;

/** What a plugin hands out: a token, a client certificate, or both. */
export interface ExecCredential {
  readonly token?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  readonly expiresAt: number;
}

/** Runs the program of a kubeconfig that prints credentials, and keeps what it printed until it expires. */
export class ExecCredentials {
  readonly #plugin: ExecPlugin;
  readonly #config: KubeConfig;
  readonly #clock: Clock;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  #credential: Promise<ExecCredential> | undefined;

  constructor(
    plugin: ExecPlugin,
    config: KubeConfig,
    clock: Clock,
    environment: Readonly<Record<string, string | undefined>>,
  ) {
    this.#plugin = plugin;
    this.#config = config;
    this.#clock = clock;
    this.#environment = environment;
  }

  async read(): Promise<ExecCredential> {
    const earlier = this.#credential;
    const known = await earlier;
    if (known !== undefined && known.expiresAt > this.#clock.now()) return known;
    // Requests that come together share one run.
    if (this.#credential === earlier) this.#credential = this.#run();
    const current = this.#credential ?? this.#run();
    try {
      return await current;
    } catch (error) {
      if (this.#credential === current) this.#credential = undefined;
      throw error;
    }
  }

  /** Makes the next read run the program again: the server did not accept what it gave. */
  expire(): void {
    this.#credential = undefined;
  }

  async #run(): Promise<ExecCredential> {
    const { command, args, environment, apiVersion } = this.#plugin;
    if (!API_VERSIONS.includes(apiVersion)) throw this.#failed(`apiVersion "${apiVersion}" is not known`);
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...this.#environment, ...environment, KUBERNETES_EXEC_INFO: JSON.stringify(this.#execInfo()) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('close', resolve);
      child.once('error', reject);
    });
    try {
      const [output, status] = await Promise.all([text(child.stdout), ended]);
      if (status !== 0) throw this.#failed(`it ended with ${String(status)}`);
      return this.#readCredential(output);
    } catch (error) {
      if (error instanceof KubeError) throw error;
      throw this.#failed(error instanceof Error ? error.message : String(error), error);
    }
  }

  #execInfo(): JsonObject {
    const { server, tls } = this.#config;
    const cluster = {
      server,
      'insecure-skip-tls-verify': tls.isInsecure,
      ...(tls.serverName !== undefined && { 'tls-server-name': tls.serverName }),
      ...(tls.authority?.kind === 'text' && {
        'certificate-authority-data': Buffer.from(tls.authority.text).toString('base64'),
      }),
    };
    const spec = { interactive: false, ...(this.#plugin.isClusterInfoProvided && { cluster }) };
    return { apiVersion: this.#plugin.apiVersion, kind: 'ExecCredential', spec };
  }

  #readCredential(output: string): ExecCredential {
    const value = parseJson(output);
    const status = isJsonObject(value) && value['kind'] === 'ExecCredential' ? value['status'] : undefined;
    if (!isJsonObject(status)) throw this.#failed('it did not print an ExecCredential with a status');
    const { token, clientCertificateData, clientKeyData, expirationTimestamp } = status;
    const expiresAt =
      typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) : Number.POSITIVE_INFINITY;
    const credential = {
      token: typeof token === 'string' ? token : undefined,
      certificate: typeof clientCertificateData === 'string' ? clientCertificateData : undefined,
      key: typeof clientKeyData === 'string' ? clientKeyData : undefined,
      expiresAt,
    };
    if (credential.token === undefined && credential.certificate === undefined) {
      throw this.#failed('it printed neither a token nor a client certificate');
    }
    return credential;
  }

  #failed(what: string, cause?: unknown): KubeError {
    const { command, installHint } = this.#plugin;
    const hint = installHint === undefined ? '' : `\n${installHint}`;
    return new KubeError('bad-config', `the credential plugin ${command} failed: ${what}${hint}`, { cause });
  }
}
