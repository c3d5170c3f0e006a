import { Wakeup } from '../bus/wakeup.ts';
import type { UnitChange } from '../systemd.ts';

/** Changes that wait to be read: each unit at most once, so no flood of signals makes it grow. */
export class UnitChanges {
  readonly #names: Set<string> = new Set();
  readonly #wakeup: Wakeup = new Wakeup();
  #isAny = false;
  #isResubscribed = false;

  changed(name: string): void {
    this.#names.add(name);
    this.#wakeup.wake();
  }

  /** Any of the units may have changed. */
  anyChanged(): void {
    this.#isAny = true;
    this.#wakeup.wake();
  }

  resubscribed(): void {
    this.#isResubscribed = true;
    this.#wakeup.wake();
  }

  /** The next change to tell; nothing while there is none. What asks for everything makes single ones needless. */
  take(): UnitChange | undefined {
    if (this.#isResubscribed || this.#isAny) {
      const kind = this.#isResubscribed ? 'resubscribed' : 'unit-changed';
      this.#isResubscribed = false;
      this.#isAny = false;
      this.#names.clear();
      return { kind };
    }
    const [name] = this.#names;
    if (name === undefined) return undefined;
    this.#names.delete(name);
    return { kind: 'unit-changed', name };
  }

  wake(): void {
    this.#wakeup.wake();
  }

  /** Resolves when there may be something to take. */
  async wait(): Promise<void> {
    await this.#wakeup.wait();
  }
}
