import type { Clock } from '@smalt/controller-runtime';
import type { DatabaseFacts } from '@smalt/switch-health';

import type { SwitchDatabase } from './switch-database.ts';

/** Tells how the session with the database is, with times of the clock of the facts. */
export class DatabaseWatch {
  readonly #database: Pick<SwitchDatabase, 'state' | 'schema'>;
  readonly #clock: Clock;
  #since = { moment: Number.NaN, at: 0 };

  constructor(database: Pick<SwitchDatabase, 'state' | 'schema'>, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  get facts(): DatabaseFacts {
    const { state, schema } = this.#database;
    if (this.#since.moment !== state.since) {
      // The client measures from some moment, facts from 1970.
      const at = Math.round(this.#clock.now() - (this.#clock.monotonic() - state.since));
      this.#since = { moment: state.since, at };
    }
    return {
      state: state.kind,
      since: this.#since.at,
      ...(state.why !== undefined && { why: state.why }),
      ...(schema !== undefined && { schemaVersion: schema.version }),
    };
  }
}
