import type { DBusMessage } from '@smalt/dbus';

import { isSystemdError } from '../systemd-error.ts';
import { backOffDelayMs } from './back-off.ts';
import { BUS, type BusConnection } from './bus-connection.ts';
import type { Bus } from './bus.ts';
import { MatchRules } from './match-rules.ts';
import { pause } from './pause.ts';
import { Wakeup } from './wakeup.ts';

/** Somebody who wants to know what a service says. */
export interface Follower {
  /** The name that the service has on the bus. */
  readonly service: string;
  /** Asks for the signals it wants; done anew each time the bus or the service came back. */
  greet(connection: BusConnection, rules: MatchRules, signal: AbortSignal): Promise<void>;
  /** A signal that the service has sent, for whatever rule. */
  onSignal(message: DBusMessage): void;
}

/** A service followed over one connection. */
export class ServiceFollowing {
  readonly #bus: Bus;
  readonly #connection: BusConnection;
  readonly #follower: Follower;
  readonly #rules: MatchRules;
  readonly #changed: Wakeup = new Wakeup();
  /** The unique name of who owns the service's name; `null` until that is known. */
  #owner: string | undefined | null = null;

  constructor(bus: Bus, connection: BusConnection, follower: Follower) {
    this.#bus = bus;
    this.#connection = connection;
    this.#follower = follower;
    this.#rules = new MatchRules(connection);
  }

  /** Returns when the connection has ended or the signal fired; throws what the bus or the service refuses. */
  async run(signal: AbortSignal): Promise<void> {
    const wake = (): void => this.#changed.wake();
    signal.addEventListener('abort', wake, { once: true });
    const stops = [this.#connection.onSignal((message) => this.#hear(message)), this.#connection.onEnd(wake)];
    try {
      const owner = await this.#bus.within('GetNameOwner', signal, (limited) => this.#findOwner(limited));
      // A change may have been told between the answer and this moment.
      if (this.#owner === null) this.#owner = owner;
      for (let rounds = 0; this.#isOn(signal); rounds += 1) {
        const greeted = await this.#greet(signal);
        const isQuiet = (): boolean => this.#owner === greeted || this.#owner === undefined;
        if (isQuiet()) rounds = 0;
        while (this.#isOn(signal) && isQuiet()) await this.#changed.wait();
        await this.#rest(rounds, signal);
      }
    } finally {
      signal.removeEventListener('abort', wake);
      for (const stop of stops) stop();
      this.#rules.dropAll();
    }
  }

  #isOn(signal: AbortSignal): boolean {
    return !signal.aborted && this.#connection.reason === undefined;
  }

  #hear(message: DBusMessage): void {
    const change = ownerChange(message, this.#follower.service);
    if (change) {
      this.#owner = change.owner;
      this.#changed.wake();
      return;
    }
    // Anybody may send us a signal directly, so what counts is that it comes from who owns the name.
    if (message.sender !== undefined && message.sender === this.#owner) this.#follower.onSignal(message);
  }

  async #findOwner(signal: AbortSignal): Promise<string | undefined> {
    const { service } = this.#follower;
    await this.#rules.add({ sender: BUS.destination, member: 'NameOwnerChanged', arguments: { 0: service } }, signal);
    try {
      const call = { ...BUS, member: 'GetNameOwner', signature: 's', body: [service] };
      const { body: [owner] = [] } = await this.#connection.call(call, signal);
      return typeof owner === 'string' ? owner : undefined;
    } catch (error) {
      if (isSystemdError(error, 'no-service')) return undefined;
      throw error;
    }
  }

  /** Greets the service until it stays the same one meanwhile; gives who that was, nobody if there is none. */
  async #greet(signal: AbortSignal): Promise<string | undefined | null> {
    for (let rounds = 1; ; rounds += 1) {
      const before = this.#owner;
      try {
        await this.#bus.within('Subscribing', signal, (limited) =>
          this.#follower.greet(this.#connection, this.#rules, limited),
        );
      } catch (error) {
        if (!isSystemdError(error, 'no-service')) throw error;
        return undefined;
      }
      // From nobody to somebody is a service that was started because we spoke to it.
      if (before === this.#owner || before === undefined) return this.#owner;
      await this.#rest(rounds, signal);
    }
  }

  /** A service that comes and goes all the time must not keep us, and the bus, busy with greetings. */
  async #rest(rounds: number, signal: AbortSignal): Promise<void> {
    if (rounds > 0 && this.#isOn(signal)) await pause(backOffDelayMs(rounds, {}, 1), signal);
  }
}

/** Who owns the name of a service now, if the bus says that this has changed. */
function ownerChange(message: DBusMessage, service: string): { readonly owner: string | undefined } | undefined {
  if (message.sender !== BUS.destination || message.member !== 'NameOwnerChanged') return undefined;
  const [name, , owner] = message.body ?? [];
  if (name !== service || typeof owner !== 'string') return undefined;
  return { owner: owner === '' ? undefined : owner };
}
