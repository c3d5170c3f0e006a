/** Something that will happen. It may be called off. */
export interface Appointment {
  readonly at: number;
  readonly order: number;
  run: (() => void) | undefined;
}

/**
 * How many turns are taken before others of this process get theirs. A tick that is asked for by a microtask comes after all
 * that was settled has been followed up, however long those chains are, and costs less than an immediate.
 */
const TURNS_PER_BREATH = 500;

/**
 * Virtual time. What is due at the same moment happens in the order in which it was planned, and what the program under
 * test does about one event is over before the next one happens.
 */
export class Scheduler {
  readonly #heap: Appointment[] = [];
  #now = 0;
  #order = 0;
  #isAnswered = false;

  get now(): number {
    return this.#now;
  }

  at(time: number, run: () => void): Appointment {
    this.#order += 1;
    const appointment: Appointment = { at: Math.max(time, this.#now), order: this.#order, run };
    this.#push(appointment);
    return appointment;
  }

  after(milliseconds: number, run: () => void): Appointment {
    return this.at(this.#now + milliseconds, run);
  }

  /** Happens again and again until it says that it is over. */
  every(intervalMs: number, run: () => 'on' | 'over'): void {
    const again = () => {
      if (run() === 'on') this.after(intervalMs, again);
    };
    this.after(intervalMs, again);
  }

  /** To be called when the program under test was answered, so that it is given its turn before the next event. */
  answered(): void {
    this.#isAnswered = true;
  }

  /** Lets everything happen up to a moment. */
  async run(until: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let turns = 0;
    const turn = () => {
      try {
        if (!this.#step(until)) return resolve();
        turns += 1;
        if (turns % TURNS_PER_BREATH === 0) setImmediate(turn);
        else queueMicrotask(() => process.nextTick(turn));
      } catch (error) {
        reject(error);
      }
    };
    setImmediate(turn);
    await promise;
    this.#now = until;
  }

  /** Goes on until the program under test has something to do; false when the time is over. */
  #step(until: number): boolean {
    for (;;) {
      const next = this.#heap[0];
      if (next === undefined || next.at > until) return false;
      this.#pop();
      this.#now = next.at;
      this.#isAnswered = false;
      next.run?.();
      if (this.#isAnswered) return true;
    }
  }

  #push(appointment: Appointment): void {
    const heap = this.#heap;
    let place = heap.length;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, appointment)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = appointment;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const child = this.#smallerChild(place);
      const below = heap[child];
      if (below === undefined || isBefore(last, below)) break;
      heap[place] = below;
      place = child;
    }
    heap[place] = last;
  }

  #smallerChild(place: number): number {
    const left = 2 * place + 1;
    const [first, second] = [this.#heap[left], this.#heap[left + 1]];
    return first !== undefined && second !== undefined && isBefore(second, first) ? left + 1 : left;
  }
}

function isBefore(a: Appointment, b: Appointment): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
