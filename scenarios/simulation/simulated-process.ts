import type { ServiceClock } from '@smalt/ha-service';

import type { Dice } from './dice.ts';
import type { Network } from './network.ts';
import type { Scheduler } from './scheduler.ts';
import type { Story } from './story.ts';

export interface ProcessOptions {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly dice: Dice;
  readonly network: Network;
  readonly story: Story;
  /** How far its clock is from true time, for its whole life. */
  readonly clockOffsetMs: number;
}

/** One call to the outside. */
export interface Call<T> {
  readonly what: string;
  readonly path: string;
  /** What the other side does when the request arrives; it may throw what it answers with. */
  readonly effect: () => T;
  /** How long the way there and back takes, at least and at most. */
  readonly delayMs: readonly [number, number];
  readonly deadlineMs: number;
  /** How often the answer is lost although everything works. */
  readonly lossProbability: number;
  /** What the caller is told when no answer came. */
  readonly unanswered: (message: string) => Error;
  /** Told when the caller hears of it: when the other side did it, or undefined when that failed or nobody knows. */
  readonly heard?: (effectAt: number | undefined) => void;
}

/** When a process is to die, counted in its calls: before the request has an effect, or after it and without the answer. */
export interface Doom {
  readonly call: number;
  readonly when: 'before' | 'after';
  readonly die: () => void;
}

/**
 * One run of the program under test. It can be killed at any await, and its requests may arrive all the same; or it can be
 * stopped for minutes and go on where it was.
 */
export class SimulatedProcess {
  readonly name: string;
  readonly clock: ServiceClock;
  readonly bornAt: number;
  readonly #options: ProcessOptions;
  readonly #waiting: (() => void)[] = [];
  #isDead = false;
  #isStalled = false;
  #stalledAt = 0;
  #wallErrorMs = 0;
  #lostMs = 0;
  #calls = 0;
  #doom: Doom | undefined;

  constructor(options: ProcessOptions) {
    this.name = options.name;
    this.#options = options;
    this.bornAt = options.scheduler.now;
    this.clock = {
      now: () => this.now(),
      wallNow: () => this.wallNow(),
      wait: (milliseconds, signal) => this.#wait(milliseconds, signal),
    };
  }

  get isRunning(): boolean {
    return !this.#isDead && !this.#isStalled;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** Its own idea of the time. */
  now(): number {
    return this.#options.scheduler.now + this.#options.clockOffsetMs;
  }

  /** The clock on its wall, which somebody may have set. */
  wallNow(): number {
    return this.now() + this.#wallErrorMs;
  }

  /** The time by a clock that stands still when the process does. */
  timeOfOwnLife(): number {
    return this.now() - this.#lostMs;
  }

  /** Somebody sets the clock on the wall; the steady one goes on as before. */
  setWallClock(errorMs: number): void {
    this.#wallErrorMs = errorMs;
  }

  kill(): void {
    this.#isDead = true;
    this.#waiting.length = 0;
  }

  stall(): void {
    this.#isStalled = true;
    this.#stalledAt = this.#options.scheduler.now;
  }

  /** Goes on: all that came in the meantime comes now, one after the other. */
  wake(): void {
    this.#isStalled = false;
    const { scheduler } = this.#options;
    this.#lostMs += scheduler.now - this.#stalledAt;
    for (const deliver of this.#waiting.splice(0)) scheduler.after(0, () => this.deliver(deliver));
  }

  /** Dies so many calls from now. */
  doom(calls: number, when: Doom['when'], die: () => void): void {
    this.#doom = { call: this.#calls + calls, when, die };
  }

  /** Hands something to the program, now or when it runs again; never to one that is dead. */
  deliver(run: () => void): void {
    if (this.#isDead) return;
    if (this.#isStalled) {
      this.#waiting.push(run);
      return;
    }
    this.#options.scheduler.answered();
    run();
  }

  call<T>(call: Call<T>, signal: AbortSignal): Promise<T> {
    const { scheduler, dice } = this.#options;
    this.#calls += 1;
    const doom = this.#doom?.call === this.#calls ? this.#doom : undefined;
    const [least, most] = call.delayMs;
    const [thereMs, backMs] = [dice.between(least, most), dice.between(least, most)];
    const arrivesAnyway = dice.chance(0.5);
    const isLost = dice.chance(call.lossProbability);
    const startedAt = scheduler.now;
    return new Promise<T>((resolve, reject) => {
      const answer = this.#answerOnce(signal, reject);
      if (answer === undefined) return;
      const lose = () => {
        const error = call.unanswered(`${call.what} was not answered within ${call.deadlineMs} ms`);
        const fail = () => {
          call.heard?.(undefined);
          reject(error);
        };
        scheduler.at(startedAt + call.deadlineMs, () => answer(fail));
      };
      scheduler.after(thereMs, () => {
        if (doom?.when === 'before') doom.die();
        if (this.#isDead && !arrivesAnyway) return;
        if (!this.#options.network.isWhole(call.path)) return lose();
        const effectAt = scheduler.now;
        const outcome = settled(call.effect);
        if (doom?.when === 'after') doom.die();
        if (isLost || thereMs + backMs > call.deadlineMs) return lose();
        scheduler.after(backMs, () => {
          if (!this.#options.network.isWhole(call.path)) return lose();
          answer(() => {
            call.heard?.('error' in outcome ? undefined : effectAt);
            if ('error' in outcome) reject(outcome.error);
            else resolve(outcome.value);
          });
        });
      });
    });
  }

  /** What settles the call for good, whichever comes first: the answer, its deadline, or the caller's signal. */
  #answerOnce(signal: AbortSignal, reject: (reason: unknown) => void): Answer | undefined {
    if (signal.aborted) {
      reject(signal.reason);
      return undefined;
    }
    let isSettled = false;
    const abort = () => {
      isSettled = true;
      this.#options.scheduler.answered();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    return (deliver) => {
      // Nobody is given a turn for what is over: most of what is planned are deadlines that never come to anything.
      if (isSettled) return;
      this.deliver(() => {
        if (isSettled) return;
        isSettled = true;
        signal.removeEventListener('abort', abort);
        deliver();
      });
    };
  }

  #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const answer = this.#answerOnce(signal, reject);
      if (answer !== undefined) this.#options.scheduler.after(milliseconds, () => answer(resolve));
    });
  }
}

type Answer = (deliver: () => void) => void;

function settled<T>(effect: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: effect() };
  } catch (error) {
    return { error };
  }
}
