import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { writeFileSafely } from '@smalt/files';
import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { isAlreadyExists, type KubeClient, type KubeConfig } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { messageOf, type Logger } from '@smalt/service-runtime';

import { SmaltError } from '../smalt-error.ts';
import { installRoles } from './install-roles.ts';

/** Where the parts that run virtual machines have their accounts. */
export const SYSTEM_NAMESPACE = 'smalt-system';
/** Where OVS agents have theirs, and keep their objects. */
export const SWITCH_NAMESPACE = 'ovn-system';

const TOKEN_SECONDS = 3_600;
const RENEW_MS = 1_200_000;
const LOOK_MS = 10_000;

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

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
  /** Makes the Node of a host again that somebody has deleted. Without it, tokens that are bound to it wait for others to. */
  readonly registerNode?: ((name: string, signal: AbortSignal) => Promise<void>) | undefined;
  /** How often it is looked for tokens that have to be renewed. */
  readonly lookMs?: number | undefined;
}

/** An account whose token is kept fresh. */
interface KeptAccount {
  readonly account: Account;
  /** The Node that its token is bound to: with that Node it ends. */
  nodeUid: string | undefined;
  /** By a clock that cannot be set. */
  renewAt: number;
  /** How often it could not be renewed, in a row. */
  failures: number;
}

/**
 * The accounts that the parts of this process act as: admission tells by them who writes, so that a person cannot write what
 * only a part may. Each has the rights of `deploy/`. Their tokens are short-lived, and renewed in files.
 */
export class MachineAccounts {
  readonly #deps: MachineAccountsDeps;
  readonly #kept: KeptAccount[] = [];

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
    const { nodeName } = account;
    const node =
      nodeName === undefined ? undefined : await this.#deps.client.resource(nodeKind).get(nodeName, { signal });
    const kept = { account, nodeUid: node?.metadata.uid, renewAt: 0, failures: 0 };
    const path = await this.#renew(kept, signal);
    this.#kept.push(kept);
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

  /**
   * Renews tokens long before they end, and soon after the Node that they are bound to has become another one, until the signal
   * fires. One that cannot be renewed is tried again, and holds up no other.
   */
  async keepFresh(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(this.#deps.lookMs ?? LOOK_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#renewDue(signal);
    }
  }

  async #renewDue(signal: AbortSignal): Promise<void> {
    const nodes = await this.#findNodes(signal);
    const due = this.#kept.filter((kept) => {
      const { nodeName } = kept.account;
      if (nodes === undefined || nodeName === undefined) return kept.renewAt <= performance.now();
      // A Node that was made again is another one, and the tokens of the one before are refused.
      const isOther = nodes.get(nodeName) !== kept.nodeUid;
      kept.nodeUid = nodes.get(nodeName);
      return isOther || kept.renewAt <= performance.now();
    });
    await Promise.all(due.map((kept) => this.#tryRenew(kept, signal)));
  }

  /** The uids of the Nodes, by name, with those made again that tokens are bound to. Undefined when they are not told. */
  async #findNodes(signal: AbortSignal): Promise<ReadonlyMap<string, string> | undefined> {
    const { log, registerNode } = this.#deps;
    const names = new Set(this.#kept.flatMap(({ account }) => account.nodeName ?? []));
    if (names.size === 0) return undefined;
    try {
      const found = await this.#nodeUids(signal);
      const gone = [...names].filter((name) => !found.has(name));
      if (gone.length === 0 || registerNode === undefined) return found;
      log.warn({ nodes: gone }, 'Nodes of hosts are gone: making them again');
      for (const result of await Promise.allSettled(gone.map((name) => registerNode(name, signal)))) {
        if (result.status === 'rejected') this.#warn(result.reason, 'a Node could not be made again', signal);
      }
      return await this.#nodeUids(signal);
    } catch (error) {
      this.#warn(error, 'whether Nodes are still there is not known', signal);
      return undefined;
    }
  }

  async #nodeUids(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { items } = await this.#deps.client.resource(nodeKind).list({ signal });
    return new Map(items.map(({ metadata }) => [metadata.name, metadata.uid ?? '']));
  }

  async #tryRenew(kept: KeptAccount, signal: AbortSignal): Promise<void> {
    try {
      await this.#renew(kept, signal);
    } catch (error) {
      kept.renewAt = 0;
      kept.failures += 1;
      const { account, failures } = kept;
      this.#warn(error, 'a token could not be renewed; trying again', signal, { account, failures });
    }
  }

  #warn(error: unknown, message: string, signal: AbortSignal, facts: object = {}): void {
    if (!signal.aborted) this.#deps.log.warn({ ...facts, error: messageOf(error) }, message);
  }

  async #renew(kept: KeptAccount, signal: AbortSignal): Promise<string> {
    const { account } = kept;
    const token = await this.makeToken(account, TOKEN_SECONDS, signal);
    const words = [account.name, account.nodeName, account.audience].filter((word) => word !== undefined);
    const path = join(this.#deps.directory, `${words.join('.')}.token`);
    // Whoever starts after a loss of power gets new ones.
    await writeFileSafely(path, token, { isDurable: false });
    kept.renewAt = performance.now() + RENEW_MS;
    kept.failures = 0;
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
