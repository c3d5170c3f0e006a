import { VirtHandlerError } from '../../virt-handler-error.ts';

/** A place at a console or display; disposing of it makes room. */
export interface StreamPlace extends Disposable {
  /** Fires when somebody else takes the place. */
  readonly signal: AbortSignal;
}

/** One caller at a time at each console and each display: the next one takes it over. */
export class ExclusiveStreams {
  readonly #held = new Map<string, AbortController>();

  /** Takes a place over, or throws `conflict` where it is held and the caller would not disturb anybody. */
  take(key: string, mayDisturb: boolean): StreamPlace {
    const before = this.#held.get(key);
    if (before !== undefined && !mayDisturb) {
      throw new VirtHandlerError('conflict', 'Active VNC connection. Request denied.');
    }
    before?.abort(new VirtHandlerError('conflict', 'somebody else has opened it'));
    const mine = new AbortController();
    this.#held.set(key, mine);
    return {
      signal: mine.signal,
      [Symbol.dispose]: () => {
        if (this.#held.get(key) === mine) this.#held.delete(key);
      },
    };
  }
}
