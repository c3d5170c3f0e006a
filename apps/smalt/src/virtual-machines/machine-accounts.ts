import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { writeFileSafely } from '@smalt/files';
import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { isAlreadyExists, type KubeClient, type KubeConfig } from '@smalt/kube';
import type { Logger } from '@smalt/service-runtime';

import { SmaltError } from '../smalt-error.ts';
import { installRoles } from './install-roles.ts';

/** Where the parts that run virtual machines have their accounts. */
export const SYSTEM_NAMESPACE = 'smalt-system';
/** Where OVS agents have theirs, and keep their objects. */
export const SWITCH_NAMESPACE = 'ovn-system';

const TOKEN_SECONDS = 3_600;
const RENEW_MS = 1_200_000;
const RETRY_MS = 10_000;

export interface Account {
  readonly name: string;
  /** `smalt-system` if not given. */
  readonly namespace?: string | undefined;
  /** The node that its token is bound to: a handler may write about the guests of its own node alone. */
  readonly nodeName?: string | undefined;
  /** Whom the token is shown, if that is not the API server. */
  readonly audience?: string | undefined;
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
    for (const name of [SYSTEM_NAMESPACE, SWITCH_NAMESPACE]) {
      await this.#ensure('/api/v1/namespaces', { metadata: { name } }, signal);
    }
    await installRoles(this.#deps.client, signal);
  }

  /** How a part reaches the API as itself: with one of the accounts of `deploy/`, and the rights that it has there. */
  async join(account: Account, signal: AbortSignal): Promise<KubeConfig> {
    const path = await this.tokenFile(account, signal);
    return { ...this.#deps.client.config, identity: { kind: 'token', token: { kind: 'file', path } } };
  }

  /** The file with the token of an account, which is renewed as long as `keepFresh` runs. */
  async tokenFile(account: Account, signal: AbortSignal): Promise<string> {
    const path = await this.#renew(account, signal);
    this.#accounts.push(account);
    return path;
  }

  /** A token that nobody renews. */
  async makeToken(account: Account, seconds: number, signal: AbortSignal): Promise<string> {
    const { name, namespace = SYSTEM_NAMESPACE, nodeName, audience } = account;
    const bound = nodeName === undefined ? {} : { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: nodeName } };
    const audiences = audience === undefined ? {} : { audiences: [audience] };
    const body = JSON.stringify({ spec: { expirationSeconds: seconds, ...bound, ...audiences } });
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
    return tokenIn(await this.#deps.client.request({ method: 'POST', path, body, signal }));
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

  async #renew(account: Account, signal: AbortSignal): Promise<string> {
    const token = await this.makeToken(account, TOKEN_SECONDS, signal);
    const words = [account.name, account.nodeName, account.audience].filter((word) => word !== undefined);
    const path = join(this.#deps.directory, `${words.join('.')}.token`);
    // Whoever starts after a loss of power gets new ones.
    await writeFileSafely(path, token, { isDurable: false });
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
