import type { Clock } from '../clock.ts';

/** When a silent daemon is asked whether it lives, and when it is given up. */
export interface KeepaliveOptions {
  /** How long the daemon may be silent before it is asked. Default 5000. */
  readonly intervalMs?: number;
  /** How many questions may stay unanswered. Default 5. */
  readonly count?: number;
}

export interface KeepaliveActions {
  readonly clock: Clock;
  readonly ping: () => void;
  readonly onDead: (silentMs: number) => void;
}

/** Watches that the daemon is heard of. Anything it sends counts, not only answers to a ping. */
export class Keepalive {
  readonly #intervalMs: number;
  readonly #count: number;
  readonly #actions: KeepaliveActions;
  #heardAt: number;
  #unanswered = 0;
  #isSuspended = false;
  #cancel: (() => void) | undefined;

  constructor(options: KeepaliveOptions, actions: KeepaliveActions) {
    this.#intervalMs = options.intervalMs ?? 5000;
    this.#count = options.count ?? 5;
    this.#actions = actions;
    this.#heardAt = actions.clock.now();
    this.#schedule(this.#intervalMs);
  }

  /** Something arrived. */
  heard(): void {
    this.#heardAt = this.#actions.clock.now();
    this.#unanswered = 0;
  }

  /**
   * While reading is suspended the daemon cannot be heard, so its silence counts for nothing. Pings go on: the daemon
   * would otherwise take this side for dead.
   */
  suspend(isSuspended: boolean): void {
    this.#isSuspended = isSuspended;
    this.heard();
  }

  stop(): void {
    this.#cancel?.();
  }

  #check(): void {
    const silentMs = this.#actions.clock.now() - this.#heardAt;
    if (silentMs < this.#intervalMs) {
      this.#schedule(this.#intervalMs - silentMs);
      return;
    }
    if (this.#unanswered >= this.#count) {
      this.#actions.onDead(silentMs);
      return;
    }
    if (!this.#isSuspended) this.#unanswered++;
    this.#actions.ping();
    this.#schedule(this.#intervalMs);
  }

  #schedule(delayMs: number): void {
    this.#cancel = this.#actions.clock.schedule(() => this.#check(), delayMs);
  }
}
