import type { KubeClient } from '@smalt/kube';
import { CallersError, fieldOf, type CallersClock } from '@smalt/kubernetes-callers';

/** By what an API server shows that a request comes from it, and where it tells whose request it was. */
export interface FrontProxySettings {
  /** The authority of the API server's client certificate, PEM; empty where the cluster has no aggregation. */
  readonly authority: string;
  /** The common names that such a certificate may have; none means that every one of that authority counts. */
  readonly allowedNames: readonly string[];
  /** In lower case, as Node has them. */
  readonly userHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
}

export interface FrontProxyAuthorityDeps {
  readonly client: Pick<KubeClient, 'request'>;
  readonly clock: CallersClock;
}

const PATH = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const KEEP_MS = 60_000;
const RETRY_MS = 2_000;
const READ_MS = 10_000;

/** How the cluster's API servers pass requests on, read anew once a minute. */
export class FrontProxyAuthority {
  readonly #deps: FrontProxyAuthorityDeps;
  #kept: { readonly settings: Promise<FrontProxySettings>; until: number } | undefined;

  constructor(deps: FrontProxyAuthorityDeps) {
    this.#deps = deps;
  }

  /** Rejects with `unavailable` while the cluster cannot be asked: nobody is let in by chance. */
  async get(): Promise<FrontProxySettings> {
    const now = this.#deps.clock.now();
    if (this.#kept === undefined || now >= this.#kept.until) {
      const kept = { settings: this.#read(), until: now + KEEP_MS };
      kept.settings.catch(() => (kept.until = this.#deps.clock.now() + RETRY_MS));
      this.#kept = kept;
    }
    return await this.#kept.settings;
  }

  async #read(): Promise<FrontProxySettings> {
    try {
      const request = { method: 'GET', path: PATH, signal: AbortSignal.timeout(READ_MS) } as const;
      return readFrontProxySettings(fieldOf(await this.#deps.client.request(request), 'data'));
    } catch (error) {
      const message = 'the cluster cannot be asked how it passes requests on: try again in a moment';
      throw new CallersError('unavailable', message, { cause: error });
    }
  }
}

/** Reads the data of the ConfigMap `extension-apiserver-authentication`. */
export function readFrontProxySettings(data: unknown): FrontProxySettings {
  const lower = (name: string): readonly string[] => textsAt(data, name).map((text) => text.toLowerCase());
  const authority = fieldOf(data, 'requestheader-client-ca-file');
  return {
    authority: typeof authority === 'string' ? authority : '',
    allowedNames: textsAt(data, 'requestheader-allowed-names'),
    userHeaders: lower('requestheader-username-headers'),
    groupHeaders: lower('requestheader-group-headers'),
    uidHeaders: lower('requestheader-uid-headers'),
    extraPrefixes: lower('requestheader-extra-headers-prefix'),
  };
}

/** The lists in the ConfigMap are JSON in a text. */
function textsAt(data: unknown, name: string): readonly string[] {
  const text = fieldOf(data, name);
  const value: unknown = typeof text === 'string' && text !== '' ? JSON.parse(text) : [];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
