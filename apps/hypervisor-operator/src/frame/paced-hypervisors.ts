import type { ControllerSource, Informer, ObjectChange, ObjectKey, Outcome } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';

import { isRetry } from '../hosts/compute-failure.ts';
import { isMoreThanWords, type OwnPart } from './is-more-than-words.ts';
import { isWorthALook } from './slim-hypervisor.ts';

/**
 * The hypervisors as a source of one controller. One that has failed waits until it is its turn again: what the failure
 * itself has changed in the status does not bring it back at once, whatever the words.
 */
export class PacedHypervisors implements ControllerSource {
  readonly informer: Informer<Hypervisor>;
  readonly #own: OwnPart;
  readonly #listeners = new Set<(key: ObjectKey) => void>();
  readonly #working = new Set<ObjectKey>();
  readonly #failing = new Set<ObjectKey>();
  /** Changed during a pass, by words alone: they count if the pass succeeds. */
  readonly #held = new Set<ObjectKey>();

  constructor(informer: Informer<Hypervisor>, own: OwnPart) {
    this.informer = informer;
    this.#own = own;
  }

  subscribe(add: (key: ObjectKey) => void): () => void {
    this.#listeners.add(add);
    const stop = this.informer.onChange((change) => {
      if (this.#isReason(change)) add(change.key);
    });
    return () => {
      stop();
      this.#listeners.delete(add);
    };
  }

  /** Whether the last pass over it failed. */
  isFailing(key: ObjectKey): boolean {
    return this.#failing.has(key);
  }

  /** Runs one pass over a hypervisor, and notes how it ends. */
  async pass(key: ObjectKey, look: () => Promise<Outcome>): Promise<Outcome> {
    this.#working.add(key);
    let hasFailed = true;
    try {
      const outcome = await look();
      hasFailed = isRetry(outcome);
      return outcome;
    } finally {
      this.#working.delete(key);
      this.#note(key, hasFailed);
    }
  }

  #note(key: ObjectKey, hasFailed: boolean): void {
    const isHeld = this.#held.delete(key);
    if (hasFailed) {
      this.#failing.add(key);
      return;
    }
    this.#failing.delete(key);
    if (isHeld) for (const add of this.#listeners) add(key);
  }

  #isReason(change: ObjectChange<Hypervisor>): boolean {
    const { key, current } = change;
    if (current === undefined) this.#failing.delete(key);
    if (!isWorthALook(change)) return false;
    if (isMoreThanWords(change, this.#own)) return true;
    if (this.#working.has(key)) {
      this.#held.add(key);
      return false;
    }
    return !this.#failing.has(key);
  }
}
