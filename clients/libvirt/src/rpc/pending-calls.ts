import type { Clock } from '../clock.ts';
import type { LibvirtError } from '../libvirt-error.ts';
import { timedOut } from './call-errors.ts';
import type { PendingCall } from './pending-call.ts';

/** The calls that wait for a reply. All their deadlines share one timer, and calls without one cost no timer at all. */
export class PendingCalls {
  readonly #calls = new Map<number, PendingCall>();
  readonly #clock: Clock;
  readonly #onExpired: (call: PendingCall) => void;
  #wakeAt = Infinity;
  #cancelWake: (() => void) | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(clock: Clock, onExpired: (call: PendingCall) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  get size(): number {
    return this.#calls.size;
  }

  add(call: PendingCall): void {
    this.#calls.set(call.serial, call);
    if (call.deadline < this.#wakeAt) this.#wake(call.deadline);
  }

  get(serial: number): PendingCall | undefined {
    return this.#calls.get(serial);
  }

  delete(serial: number): boolean {
    const wasThere = this.#calls.delete(serial);
    if (this.#onEmpty !== undefined && this.#calls.size === 0) this.#onEmpty();
    return wasThere;
  }

  /** Empties the table, failing each call with an error of its own. */
  failAll(errorFor: (call: PendingCall) => LibvirtError): void {
    this.#cancelWake?.();
    this.#wakeAt = Infinity;
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) call.fail(errorFor(call));
    this.#onEmpty?.();
  }

  /** Resolves when no call waits any more. */
  async whenEmpty(): Promise<void> {
    if (this.#calls.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    await promise;
  }

  #wake(at: number): void {
    this.#cancelWake?.();
    this.#wakeAt = at;
    this.#cancelWake = this.#clock.schedule(() => this.#expire(), Math.max(0, at - this.#clock.now()));
  }

  #expire(): void {
    const now = this.#clock.now();
    let next = Infinity;
    this.#wakeAt = Infinity;
    for (const call of this.#calls.values()) {
      if (call.deadline > now) next = Math.min(next, call.deadline);
      else this.#giveUp(call);
    }
    if (next < this.#wakeAt) this.#wake(next);
  }

  #giveUp(call: PendingCall): void {
    this.delete(call.serial);
    this.#onExpired(call);
    call.giveUp(timedOut(call.procedure.name, call.timeoutMs));
  }
}
