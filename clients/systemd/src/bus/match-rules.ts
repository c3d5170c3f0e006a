import { renderMatchRule, type MatchRule } from '@smalt/dbus';

import { BUS, type BusConnection } from './bus-connection.ts';

/** Rules that are in force on a connection until they are dropped. */
export class MatchRules {
  readonly #connection: BusConnection;
  readonly #texts: Set<string> = new Set();

  constructor(connection: BusConnection) {
    this.#connection = connection;
  }

  /** Resolves when the bus has confirmed the rule. One that is in force already is not added again. */
  async add(rule: MatchRule, signal: AbortSignal): Promise<void> {
    const text = renderMatchRule(rule);
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    await this.#connection.call({ ...BUS, member: 'AddMatch', signature: 's', body: [text] }, signal);
  }

  /** The bus counts equal rules, so those of others stay in force. */
  dropAll(): void {
    for (const text of this.#texts) {
      this.#connection.tell({ ...BUS, member: 'RemoveMatch', signature: 's', body: [text] });
    }
    this.#texts.clear();
  }
}
