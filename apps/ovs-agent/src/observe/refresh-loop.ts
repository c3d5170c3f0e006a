import { WakeUp, type Clock } from '@smalt/controller-runtime';

import { planRefresh, restAfter, type RefreshOutcome, type RefreshResult, type RefreshScope } from './plan-refresh.ts';

/** Ports come in bursts, and their flows after them. */
const SETTLE_MS = 500;
/** A bridge that is new is asked after as long as ovs-vswitchd takes to make it. */
const BRIDGE_MS = 50;

export interface RefreshLoopParts {
  readonly clock: Clock;
  readonly refreshMs: number;
  /** Asks; never rejects for what is not answered. */
  readonly refresh: (scope: RefreshScope, signal: AbortSignal) => Promise<RefreshResult>;
  /** Told after each refresh. */
  readonly onRefreshed: () => void;
}

/** Refreshes what no event tells: now and then, seldomer where ovs-vswitchd is slow, and at once when something has come back. */
export class RefreshLoop {
  readonly #parts: RefreshLoopParts;
  readonly #due: WakeUp;
  /** When something was asked for to happen, by what shall be refreshed then. */
  readonly #wishes = new Map<RefreshScope, number>();
  /** How long ovs-vswitchd is left in peace unless something has happened to it. */
  #restMs = 0;

  constructor(parts: RefreshLoopParts) {
    this.#parts = parts;
    this.#due = new WakeUp(parts.clock);
  }

  /** Something is back: all of it is asked for at once. */
  recovered(): void {
    this.#restMs = 0;
    this.#wish('all', 0);
  }

  /** Ports came or went: their flows are counted when they have settled, as soon as ovs-vswitchd has had its rest. */
  portsChanged(): void {
    this.#wish('all', Math.max(SETTLE_MS, this.#restMs));
  }

  /** A bridge is new, or was made anew: it alone is asked for, which costs little. */
  bridgeAppeared(): void {
    this.#wish('unanswered', BRIDGE_MS);
  }

  /** Refreshes once, whenever that is due, until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, refreshMs, refresh, onRefreshed } = this.#parts;
    let allAt = clock.monotonic();
    let outcome: RefreshOutcome = 'gaps';
    while (!signal.aborted) {
      const ageMs = clock.monotonic() - allAt;
      const scope = await this.#wait(planRefresh({ outcome, refreshMs, restMs: this.#restMs, ageMs }), signal);
      if (signal.aborted) return;
      if (scope === undefined) continue;
      const result = await refresh(scope, signal);
      outcome = result.outcome;
      onRefreshed();
      if (scope === 'unanswered') continue;
      allAt = clock.monotonic();
      this.#restMs = restAfter(result, this.#restMs);
    }
  }

  #wish(scope: RefreshScope, inMs: number): void {
    const at = this.#parts.clock.monotonic() + inMs;
    this.#wishes.set(scope, Math.min(this.#wishes.get(scope) ?? Infinity, at));
    this.#due.ring();
  }

  /** Waits for what is planned or wished for, whichever comes first. Undefined where a new wish has to be looked at. */
  async #wait(
    plan: { readonly scope: RefreshScope; readonly inMs: number },
    signal: AbortSignal,
  ): Promise<RefreshScope | undefined> {
    const { clock } = this.#parts;
    const planned = [plan.scope, clock.monotonic() + plan.inMs] as const;
    const [scope, at] = [...this.#wishes, planned].reduce((first, next) => (next[1] < first[1] ? next : first));
    const waitMs = at - clock.monotonic();
    if (waitMs > 0) {
      await this.#due.wait(waitMs, signal);
      if (clock.monotonic() < at) return undefined;
    }
    this.#wishes.delete(scope);
    // Whoever asks for everything asks for what was not answered, too.
    if (scope === 'all') this.#wishes.clear();
    return scope;
  }
}
