import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { isAlreadyExists, type KubeClient, type KubeConfig } from '@smalt/kube';
import type { Logger } from '@smalt/service-runtime';

import { SmaltError } from '../smalt-error.ts';
import { installRoles } from './install-roles.ts';

/** Where the parts that run virtual machines have their accounts. */
export const SYSTEM_NAMESPACE = 'smalt-system';

const TOKEN_SECONDS = 3_600;
const RENEW_MS = 1_200_000;
const RETRY_MS = 10_000;
const ACCOUNTS = `/api/v1/namespaces/${SYSTEM_NAMESPACE}/serviceaccounts`;

interface Account {
  readonly name: string;
  /** The node that its token is bound to: a handler may write about the guests of its own node alone. */
  readonly nodeName?: string | undefined;
}

export interface MachineAccountsDeps {
  /** The administrator of this machine's API server. */
  readonly client: KubeClient;
  /** Holds the tokens, for root alone. */
  readonly directory: string;
  readonly log: Logger;
}

/**
 * The accounts that the parts of this process act as: admission tells by them who writes, so that a person cannot write what
 * only a part may. Each has the rights of `deploy/`. Their tokens are short-lived, and renewed in files.
 */
export class MachineAccounts {
  readonly #deps: MachineAccountsDeps;
  readonly #accounts: Account[] = [];

  constructor(deps: MachineAccountsDeps) {
    this.#deps = deps;
  }

  async open(signal: AbortSignal): Promise<void> {
    await mkdir(this.#deps.directory, { recursive: true, mode: 0o700 });
    await this.#ensure('/api/v1/namespaces', { metadata: { name: SYSTEM_NAMESPACE } }, signal);
    await installRoles(this.#deps.client, signal);
  }

  /** How a part reaches the API as itself: with one of the accounts of `deploy/`, and the rights that it has there. */
  async join(account: Account, signal: AbortSignal): Promise<KubeConfig> {
    const path = await this.#renew(account, signal);
    this.#accounts.push(account);
    return { ...this.#deps.client.config, identity: { kind: 'token', token: { kind: 'file', path } } };
  }

  /** Renews tokens long before they end, until the signal fires. */
  async keepFresh(signal: AbortSignal): Promise<void> {
    let pauseMs = RENEW_MS;
    while (!signal.aborted) {
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        for (const account of this.#accounts) await this.#renew(account, signal);
        pauseMs = RENEW_MS;
      } catch (error) {
        this.#deps.log.warn({ error }, 'tokens could not be renewed; trying again');
        pauseMs = RETRY_MS;
      }
    }
  }

  async #renew({ name, nodeName }: Account, signal: AbortSignal): Promise<string> {
    const bound = nodeName === undefined ? {} : { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: nodeName } };
    const body = JSON.stringify({ spec: { expirationSeconds: TOKEN_SECONDS, ...bound } });
    const answer = await this.#deps.client.request({ method: 'POST', path: `${ACCOUNTS}/${name}/token`, body, signal });
    const path = join(this.#deps.directory, `${name}.token`);
    // Whoever reads it never sees half of it.
    await writeFile(`${path}.new`, tokenIn(answer), { mode: 0o600 });
    await rename(`${path}.new`, path);
    return path;
  }

  async #ensure(path: string, object: JsonObject, signal: AbortSignal): Promise<void> {
    try {
      await this.#deps.client.request({ method: 'POST', path, body: JSON.stringify(object), signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}

function tokenIn(answer: JsonValue): string {
  const status = isJsonObject(answer) ? answer['status'] : undefined;
  const token = isJsonObject(status) ? status['token'] : undefined;
  if (typeof token === 'string') return token;
  throw new SmaltError('start-failed', 'the API server answers a request for a token with something else');
}
