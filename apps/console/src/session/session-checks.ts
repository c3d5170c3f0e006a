import type { Ignore } from '@smalt/service-runtime';

import type { ConsoleClock } from '../console-clock.ts';
import { isConsoleError } from '../console-error.ts';
import type { Session } from './session.ts';

export interface SessionChecksDeps {
  /** Asks the API server whose a token is. Rejects with `signed-out` when it knows nobody by it. */
  readonly ask: (token: string) => Promise<unknown>;
  readonly clock: ConsoleClock;
  readonly ignore: Ignore;
  /** From 0 to 1. */
  readonly random: () => number;
  /** The longest that is waited from one question to the next; the shortest is half of it. */
  readonly everyMs: number;
}

/** Kubernetes refuses a token as well while it cannot look it up, such as when its store is away for a moment. */
const REFUSALS = 2;

interface Checked {
  readonly told: Set<() => void>;
  /** Fires when nothing of the session is open any more. */
  readonly stop: AbortController;
  /** Ends the wait for the next question; undefined while that must not be. */
  hurry: AbortController | undefined;
}

/**
 * Asks the API server now and then whether it still knows the user of each session that has something open: it lets a watch or a
 * tunnel go on that it has once let in, whatever becomes of the account.
 */
export class SessionChecks {
  readonly #deps: SessionChecksDeps;
  readonly #checked = new Map<string, Checked>();

  constructor(deps: SessionChecksDeps) {
    this.#deps = deps;
  }

  /** Calls back when nobody is known by the token of the session any more, until what it returns is disposed of. */
  begin(session: Session, tell: () => void): Disposable {
    const checked = this.#checked.get(session.id) ?? this.#check(session);
    checked.told.add(tell);
    return {
      [Symbol.dispose]: () => {
        checked.told.delete(tell);
        if (checked.told.size === 0) this.#end(session, checked);
      },
    };
  }

  /**
   * Asks at once, because a call with the token was refused. Where one question was refused already the next has its time: two
   * that follow each other at once may fall into the same moment.
   */
  hasten({ id }: Session): void {
    this.#checked.get(id)?.hurry?.abort(new Error('there is a doubt'));
  }

  #check(session: Session): Checked {
    const checked: Checked = { told: new Set(), stop: new AbortController(), hurry: undefined };
    this.#checked.set(session.id, checked);
    void this.#run(session, checked);
    return checked;
  }

  async #run(session: Session, checked: Checked): Promise<void> {
    let refusals = 0;
    while (await this.#waits(checked, refusals === 0)) {
      refusals = (await this.#isRefused(session)) ? refusals + 1 : 0;
      if (refusals === REFUSALS) return this.#lose(session, checked);
    }
  }

  #lose(session: Session, checked: Checked): void {
    const told = [...checked.told];
    this.#end(session, checked);
    for (const tell of told) tell();
  }

  /** False when it was ended meanwhile. Sessions that began together, as after a restart, are not to ask together for ever. */
  async #waits(checked: Checked, mayHurry: boolean): Promise<boolean> {
    const { clock, everyMs, random } = this.#deps;
    const hurry = new AbortController();
    checked.hurry = mayHurry ? hurry : undefined;
    const signal = AbortSignal.any([checked.stop.signal, hurry.signal]);
    // Either it is over, or it is time to ask.
    await clock.wait(everyMs * (0.5 + random() / 2), signal).catch(() => undefined);
    checked.hurry = undefined;
    return !checked.stop.signal.aborted;
  }

  async #isRefused({ token }: Session): Promise<boolean> {
    try {
      await this.#deps.ask(token);
      return false;
    } catch (error) {
      if (isConsoleError(error, 'signed-out')) return true;
      this.#deps.ignore(error, 'whether a user is still known is asked again');
      return false;
    }
  }

  #end({ id }: Session, checked: Checked): void {
    if (this.#checked.get(id) === checked) this.#checked.delete(id);
    checked.stop.abort(new Error('nothing of the session is open'));
  }
}
