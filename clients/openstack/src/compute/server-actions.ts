import type { JsonObject, JsonValue } from '@smalt/json';

import type { AnswerReader } from '../answer-reader.ts';
import type { Listing } from '../listing.ts';
import type { VersionSpan } from '../microversion.ts';
import type { CallOptions, ListOptions, ServiceCall, ServiceClient } from '../service-client.ts';

export interface LiveMigrateOptions extends CallOptions {
  /** Where to; Nova chooses by default. It checks the choice either way. */
  readonly host?: string | undefined;
  /** Whether to copy local disks; found out by default. */
  readonly blockMigration?: 'auto' | boolean | undefined;
}

export interface ColdMigrateOptions extends CallOptions {
  readonly host?: string | undefined;
}

export interface EvacuateOptions extends CallOptions {
  readonly host?: string | undefined;
  /** Whether the server is not started at its new place. Nova of 2023.1 or newer can do that. */
  readonly isLeftStopped?: boolean | undefined;
}

export interface LockOptions extends CallOptions {
  readonly reason?: string | undefined;
}

export interface ConsoleOptions extends CallOptions {
  /** How many lines, counted from the end; all of them by default. */
  readonly lines?: number | undefined;
}

/** Something that was done to a server. */
export interface ServerAction {
  readonly action: string;
  /** The request that asked for it; as in the errors and exchanges of this client. */
  readonly requestId: string;
  /** Who asked for it; nobody if Nova did so itself, as when it finds that a guest has stopped. */
  readonly userId: string | undefined;
  readonly startedAt: string | undefined;
  readonly updatedAt: string | undefined;
  /** What went wrong, if something did. */
  readonly message: string | undefined;
}

const ANY: VersionSpan = { least: '2.1', most: '2.93' };
/** From 2.30 on the scheduler checks a host that was asked for. */
const LIVE_MIGRATE_VERSIONS: VersionSpan = { least: '2.30', most: '2.93' };
const COLD_MIGRATE_TO_VERSIONS: VersionSpan = { least: '2.56', most: '2.93' };
/** From 2.29 on the scheduler checks a host that was asked for. */
const EVACUATE_VERSIONS: VersionSpan = { least: '2.29', most: '2.94' };
const EVACUATE_STOPPED_VERSIONS: VersionSpan = { least: '2.95', most: '2.96' };
const LOCK_REASON_VERSIONS: VersionSpan = { least: '2.73', most: '2.93' };
const HISTORY_VERSIONS: VersionSpan = { least: '2.58', most: '2.93' };

/**
 * What can be done to a server. Nova only says that it was asked: how a move goes, and that it has ended, is told by the
 * migration alone, neither by the answer nor by the state of the server.
 */
export class ServerActions {
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  async liveMigrate(server: string, options: LiveMigrateOptions = {}): Promise<void> {
    const { host = null, blockMigration = 'auto' } = options;
    const body = { 'os-migrateLive': { host, block_migration: blockMigration } };
    await this.#act(server, body, { versions: LIVE_MIGRATE_VERSIONS, ...options });
  }

  /** Stops a server, moves it, and waits in VERIFY_RESIZE for `confirmResize` or `revertResize`. */
  async coldMigrate(server: string, options: ColdMigrateOptions = {}): Promise<void> {
    const isTo = options.host !== undefined;
    const body = { migrate: isTo ? { host: options.host } : null };
    await this.#act(server, body, { versions: isTo ? COLD_MIGRATE_TO_VERSIONS : ANY, ...options });
  }

  async confirmResize(server: string, options: CallOptions = {}): Promise<void> {
    await this.#act(server, { confirmResize: null }, options);
  }

  async revertResize(server: string, options: CallOptions = {}): Promise<void> {
    await this.#act(server, { revertResize: null }, options);
  }

  /**
   * Rebuilds a server of a host that is down somewhere else. Nova accepts this twice, and the second time ruins the
   * server: look for an evacuation that is under way first, and never repeat a call whose fate is unknown.
   */
  async evacuate(server: string, { host, isLeftStopped, signal }: EvacuateOptions = {}): Promise<void> {
    const versions = isLeftStopped === true ? EVACUATE_STOPPED_VERSIONS : EVACUATE_VERSIONS;
    const body = { evacuate: { ...(host !== undefined && { host }) } };
    await this.#act(server, body, { versions, isOnce: true, signal });
  }

  async start(server: string, options: CallOptions = {}): Promise<void> {
    await this.#act(server, { 'os-start': null }, options);
  }

  async stop(server: string, options: CallOptions = {}): Promise<void> {
    await this.#act(server, { 'os-stop': null }, options);
  }

  async reboot(server: string, kind: 'soft' | 'hard', options: CallOptions = {}): Promise<void> {
    await this.#act(server, { reboot: { type: kind === 'soft' ? 'SOFT' : 'HARD' } }, options);
  }

  /** Makes Nova believe that a server is well, or in ERROR. */
  async resetState(server: string, state: 'active' | 'error', options: CallOptions = {}): Promise<void> {
    await this.#act(server, { 'os-resetState': { state } }, options);
  }

  async lock(server: string, { reason, signal }: LockOptions = {}): Promise<void> {
    const body = { lock: reason === undefined ? null : { locked_reason: reason } };
    await this.#act(server, body, { versions: reason === undefined ? ANY : LOCK_REASON_VERSIONS, signal });
  }

  async unlock(server: string, options: CallOptions = {}): Promise<void> {
    await this.#act(server, { unlock: null }, options);
  }

  /** What the guest has written to its console. */
  async consoleOutput(server: string, { lines, signal }: ConsoleOptions = {}): Promise<string> {
    const body = { 'os-getConsoleOutput': { ...(lines !== undefined && { length: lines }) } };
    const answer = await this.#client.read(actionCall(server, body, { signal }));
    return answer.optionalText('output') ?? '';
  }

  /** What was done to a server, the newest first. */
  history(server: string, { pageSize, signal }: ListOptions = {}): Listing<ServerAction> {
    return this.#client.list({
      path: '/servers/{server}/os-instance-actions',
      ids: { server },
      query: { limit: pageSize },
      versions: HISTORY_VERSIONS,
      signal,
      field: 'instanceActions',
      linksField: 'links',
      read: readAction,
      idOf: ({ requestId }) => requestId,
    });
  }

  async #act(server: string, body: JsonObject, options: ActionOptions): Promise<void> {
    await this.#client.act(actionCall(server, body, options));
  }
}

interface ActionOptions extends CallOptions {
  readonly versions?: VersionSpan | undefined;
  readonly isOnce?: boolean | undefined;
}

function actionCall(server: string, body: JsonValue, { versions = ANY, ...options }: ActionOptions): ServiceCall {
  const path = '/servers/{server}/action';
  return { method: 'POST', path, ids: { server }, body, versions, isOnce: options.isOnce, signal: options.signal };
}

function readAction(item: AnswerReader): ServerAction {
  return {
    action: item.text('action'),
    requestId: item.text('request_id'),
    userId: item.optionalText('user_id'),
    startedAt: item.optionalTime('start_time'),
    updatedAt: item.optionalTime('updated_at'),
    message: item.optionalText('message'),
  };
}
