import { readFile } from 'node:fs/promises';

import type { JsonObject } from '@smalt/json';

import { askForPower } from '../ask-for-power.ts';
import { BmcError } from '../bmc-error.ts';
import { checkSetting } from '../check-setting.ts';
import { systemClock, type Clock } from '../clock.ts';
import type { PowerController, PowerReading } from '../power-controller.ts';
import { withinDeadline } from '../within-deadline.ts';
import { findSystem, type FoundSystem } from './find-system.ts';
import { openSession } from './open-session.ts';
import { readPowerState } from './read-power-state.ts';
import { RedfishConnection } from './redfish-connection.ts';
import {
  checkRedfishSettings,
  DEFAULT_REDFISH_TIMEOUT_MS,
  type RedfishOptions,
  type RedfishSettings,
} from './redfish-settings.ts';
import { resetSystem } from './reset-system.ts';

const ROOT = '/redfish/v1/';

type SystemWork<T> = (connection: RedfishConnection, system: FoundSystem, signal: AbortSignal) => Promise<T>;

/**
 * The power switch of a host whose controller speaks Redfish. Each call has a connection and a session of its own.
 * Disposing of it waits until the sessions of calls that ended early are closed.
 */
export class RedfishController implements PowerController, AsyncDisposable {
  readonly method: string;
  readonly #settings: RedfishSettings;
  readonly #origin: string;
  readonly #clock: Clock;
  readonly #ignore: (error: unknown, why: string) => void;
  readonly #underWay = new Set<Promise<unknown>>();

  /** Throws `bad-setting`. */
  constructor(settings: RedfishSettings, options: RedfishOptions = {}) {
    this.#origin = checkRedfishSettings(settings);
    this.#settings = settings;
    this.#clock = options.clock ?? systemClock;
    this.#ignore = options.ignore ?? (() => undefined);
    this.method = `redfish ${this.#origin}${settings.systemPath ?? ''}`;
  }

  readPower(signal: AbortSignal): Promise<PowerReading> {
    return this.#withSystem('power state', signal, (_connection, { path, document }) => {
      const state = readPowerState(document, path);
      return Promise.resolve({ state, method: `redfish ${this.#origin}${path}` });
    });
  }

  powerOff(signal: AbortSignal): Promise<void> {
    return this.#ask('off', signal);
  }

  powerOn(signal: AbortSignal): Promise<void> {
    return this.#ask('on', signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  #ask(wanted: 'on' | 'off', signal: AbortSignal): Promise<void> {
    return this.#withSystem(`power ${wanted}`, signal, (connection, system, inner) =>
      askForPower(
        wanted,
        () => {
          // A process that stood still is told of its deadline only later, but a caller may know already.
          if (signal.aborted) throw new BmcError('aborted', `${this.method}: power ${wanted}: given up by the caller`);
          return resetSystem(connection, system, wanted, inner);
        },
        async () => readPowerState(await connection.get(system.path, inner), system.path),
      ),
    );
  }

  #withSystem<T>(what: string, signal: AbortSignal, work: SystemWork<T>): Promise<T> {
    const { timeoutMs = DEFAULT_REDFISH_TIMEOUT_MS } = this.#settings;
    return withinDeadline({ what: `${this.method}: ${what}`, timeoutMs, signal }, (inner) => {
      const running = this.#run(inner, work);
      const forget = (): void => void this.#underWay.delete(running);
      this.#underWay.add(running);
      running.then(forget, forget);
      return running;
    });
  }

  async #run<T>(signal: AbortSignal, work: SystemWork<T>): Promise<T> {
    const { user, serverName } = this.#settings;
    const password = this.#settings.password.reveal();
    await using connection = new RedfishConnection({
      origin: this.#origin,
      authority: await this.#authority(),
      serverName,
      clock: this.#clock,
      secrets: [password],
    });
    const root = await connection.get(ROOT, signal);
    await using _session = await this.#authenticate(connection, root, { user, password }, signal);
    return await work(connection, await findSystem(connection, root, this.#settings, signal), signal);
  }

  async #authenticate(
    connection: RedfishConnection,
    root: JsonObject,
    who: { readonly user: string; readonly password: string },
    signal: AbortSignal,
  ): Promise<AsyncDisposable | undefined> {
    if (this.#settings.authentication !== 'basic') {
      return await openSession(connection, root, { ...who, ignore: this.#ignore }, signal);
    }
    const credentials = Buffer.from(`${who.user}:${who.password}`).toString('base64');
    connection.authorize('authorization', `Basic ${credentials}`);
    return undefined;
  }

  async #authority(): Promise<string | undefined> {
    const { authorityFile } = this.#settings;
    if (authorityFile === undefined) return undefined;
    const text = await readFile(authorityFile, 'utf8').catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new BmcError('bad-setting', `authorityFile cannot be read: ${reason}`, { cause: error });
    });
    const isPem = text.includes('-----BEGIN CERTIFICATE-----');
    checkSetting(isPem, 'authorityFile', `has to hold certificates as PEM; ${authorityFile} has none`);
    return text;
  }
}
