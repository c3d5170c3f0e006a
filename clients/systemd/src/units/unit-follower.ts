import type { DBusMessage } from '@smalt/dbus';

import type { BusConnection } from '../bus/bus-connection.ts';
import type { MatchRules } from '../bus/match-rules.ts';
import type { Follower } from '../bus/service-following.ts';
import { isSystemdError } from '../systemd-error.ts';
import { MANAGER } from './manager.ts';
import type { UnitChanges } from './unit-changes.ts';
import { unitAtPath, unitPath } from './unit-path.ts';

const UNIT_INTERFACE = 'org.freedesktop.systemd1.Unit';
const PROPERTIES_INTERFACE = 'org.freedesktop.DBus.Properties';

/** Turns the signals of systemd into changes of the units that somebody watches. */
export class UnitFollower implements Follower {
  readonly service: string = MANAGER.destination;
  readonly #names: readonly string[];
  readonly #changes: UnitChanges;
  /** The watched names by the name that systemd uses, which for an alias is another. */
  readonly #watched: Map<string, string[]> = new Map();

  constructor(names: readonly string[], changes: UnitChanges) {
    this.#names = names;
    this.#changes = changes;
  }

  /**
   * A unit that systemd did not have in memory is not announced by a change of its properties when it is started, but
   * the end of the job is; a reload may bring or take any unit. New and removed units are of no use: asking for a
   * state makes systemd load and drop it, so one would wake oneself up for ever.
   */
  async greet(connection: BusConnection, rules: MatchRules, signal: AbortSignal): Promise<void> {
    const manager = { sender: MANAGER.destination, path: MANAGER.path, interface: MANAGER.interface };
    await rules.add({ ...manager, member: 'JobRemoved' }, signal);
    await rules.add({ ...manager, member: 'Reloading' }, signal);
    await subscribe(connection, signal);
    this.#watched.clear();
    for (const name of this.#names) await this.#watch(name, { connection, rules, signal });
    this.#changes.resubscribed();
  }

  onSignal({ path = '', interface: from, member, body = [] }: DBusMessage): void {
    if (from === PROPERTIES_INTERFACE && member === 'PropertiesChanged') this.#tell(unitAtPath(path));
    if (from !== MANAGER.interface) return;
    if (member === 'JobRemoved') this.#tell(body[2]);
    if (member === 'Reloading' && body[0] === false) this.#changes.anyChanged();
  }

  #tell(unit: unknown): void {
    if (typeof unit !== 'string') return;
    for (const name of this.#watched.get(unit) ?? []) this.#changes.changed(name);
  }

  async #watch(name: string, { connection, rules, signal }: Greeting): Promise<void> {
    const path = await loadUnit(connection, name, signal);
    await rules.add(
      {
        sender: MANAGER.destination,
        path,
        interface: PROPERTIES_INTERFACE,
        member: 'PropertiesChanged',
        arguments: { 0: UNIT_INTERFACE },
      },
      signal,
    );
    const unit = unitAtPath(path) ?? name;
    this.#watched.set(unit, [...(this.#watched.get(unit) ?? []), name]);
  }
}

interface Greeting {
  readonly connection: BusConnection;
  readonly rules: MatchRules;
  readonly signal: AbortSignal;
}

/** Without it systemd sends no signals at all. */
async function subscribe(connection: BusConnection, signal: AbortSignal): Promise<void> {
  try {
    await connection.call({ ...MANAGER, member: 'Subscribe' }, signal);
  } catch (error) {
    const isDone = isSystemdError(error) && error.remoteName === 'org.freedesktop.systemd1.AlreadySubscribed';
    if (!isDone) throw error;
  }
}

/** Where a unit lies, under its first name. */
async function loadUnit(connection: BusConnection, name: string, signal: AbortSignal): Promise<string> {
  try {
    const call = { ...MANAGER, member: 'LoadUnit', signature: 's', body: [name] };
    const { body: [path] = [] } = await connection.call(call, signal);
    return typeof path === 'string' ? path : unitPath(name);
  } catch (error) {
    if (isSystemdError(error, 'refused', 'no-such-unit')) return unitPath(name);
    throw error;
  }
}
