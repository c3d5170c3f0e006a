import type { Clock } from './clock.ts';

/** How long a connection may be quiet. */
export interface LivenessLimits {
  /** How long nothing may be heard before the other side is asked. */
  readonly echoMs: number;
  /** How long it may take to answer before it is silent. */
  readonly echoTimeoutMs: number;
  /** How long it may be silent before the connection is given up. */
  readonly silentLimitMs: number;
}

/** What is known at one moment. `askedAt` is when it was asked and has said nothing since. */
export interface LivenessView {
  readonly now: number;
  readonly heardAt: number;
  readonly askedAt: number | undefined;
}

/** What to do now; `forMs` is when to look again. */
export type LivenessStep =
  | { readonly kind: 'wait'; readonly forMs: number }
  | { readonly kind: 'ask' }
  | { readonly kind: 'silent'; readonly forMs: number }
  | { readonly kind: 'dead' };

/** Decides what to do about a connection, and when to look again. */
export function decideLiveness(view: LivenessView, limits: LivenessLimits): LivenessStep {
  const { now, heardAt, askedAt } = view;
  if (askedAt === undefined) {
    const forMs = heardAt + limits.echoMs - now;
    return forMs > 0 ? { kind: 'wait', forMs } : { kind: 'ask' };
  }
  const waitedMs = now - askedAt;
  if (waitedMs < limits.echoTimeoutMs) return { kind: 'wait', forMs: limits.echoTimeoutMs - waitedMs };
  const deadInMs = limits.echoTimeoutMs + limits.silentLimitMs - waitedMs;
  return deadInMs > 0 ? { kind: 'silent', forMs: deadInMs } : { kind: 'dead' };
}

/** What is watched by, and who learns of it. */
export interface LivenessWatch {
  readonly clock: Clock;
  readonly limits: LivenessLimits;
  readonly ask: () => void;
  /** Nothing was answered; asked for the first time at `since`. */
  readonly onSilent: (since: number) => void;
  readonly onHeardAgain: () => void;
  readonly onDead: () => void;
}

/** Watches one connection: asks when it is quiet, tells when it is silent, heard again, or beyond hope. */
export class Liveness implements Disposable {
  readonly #watch: LivenessWatch;
  #heardAt: number;
  #askedAt: number | undefined;
  #isSilent = false;
  #cancel: () => void = () => undefined;

  constructor(watch: LivenessWatch) {
    this.#watch = watch;
    this.#heardAt = watch.clock.now();
    this.#look();
  }

  heard(): void {
    this.#heardAt = this.#watch.clock.now();
    if (this.#askedAt === undefined) return;
    this.#askedAt = undefined;
    const wasSilent = this.#isSilent;
    this.#isSilent = false;
    this.#cancel();
    this.#look();
    if (wasSilent) this.#watch.onHeardAgain();
  }

  [Symbol.dispose](): void {
    this.#cancel();
  }

  #look(): void {
    const { clock, limits } = this.#watch;
    const step = decideLiveness({ now: clock.now(), heardAt: this.#heardAt, askedAt: this.#askedAt }, limits);
    switch (step.kind) {
      case 'wait':
        this.#lookAgain(step.forMs);
        return;
      case 'ask':
        this.#askedAt = clock.now();
        this.#lookAgain(limits.echoTimeoutMs);
        this.#watch.ask();
        return;
      case 'silent':
        this.#lookAgain(step.forMs);
        this.#tellSilent();
        return;
      case 'dead':
        this.#watch.onDead();
    }
  }

  #lookAgain(afterMs: number): void {
    // Timers may fire a little early.
    this.#cancel = this.#watch.clock.schedule(() => this.#look(), Math.max(1, afterMs));
  }

  #tellSilent(): void {
    if (this.#isSilent || this.#askedAt === undefined) return;
    this.#isSilent = true;
    this.#watch.onSilent(this.#askedAt);
  }
}
