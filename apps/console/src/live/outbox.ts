import type { ConsoleClock } from '../console-clock.ts';
import { WaitingChanges } from './waiting-changes.ts';

export interface OutboxDeps {
  /** Sends one frame; resolves when the socket took it. */
  readonly send: (frame: string) => Promise<void>;
  readonly clock: ConsoleClock;
  readonly limits: { readonly mostWaitingBytes: number; readonly patienceMs: number };
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Told when a frame could not be sent: the connection is lost. */
  readonly onFailure: (error: unknown) => void;
}

const GATHER_MS = 50;
const MOST_OBJECTS = 250;
const MOST_FRAME_BYTES = 262_144;
const MOST_TOLD_ONCE = 1_000;

/**
 * What is on its way to one browser. Changes are gathered for a moment, and of an object that changes faster than they can be sent only
 * the last state is. What waits is bounded as long as those who put something in ask `room` before.
 */
export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #slots = new Set<WaitingChanges>();
  readonly #once = new Set<WaitingChanges>();
  #freed = Promise.withResolvers<void>();
  #sendingBytes = 0;
  #isAwake = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /** A place for what one follow has to tell; to be closed when it is forgotten. */
  open(id: number): WaitingChanges {
    const slot = new WaitingChanges(id);
    this.#slots.add(slot);
    return slot;
  }

  /** Tells something that belongs to no follow that goes on. */
  tell(id: number, fields: Readonly<Record<string, unknown>>): void {
    if (this.#once.size >= MOST_TOLD_ONCE) return this.#deps.onFailure(new Error('the browser does not listen'));
    const slot = this.open(id);
    this.#once.add(slot);
    slot.notice(fields);
    this.wake();
  }

  close(slot: WaitingChanges): void {
    slot.clear();
    this.#slots.delete(slot);
  }

  /** To be called after something was put into a place. */
  wake(): void {
    if (this.#isAwake || this.#deps.signal.aborted) return;
    this.#isAwake = true;
    this.#run().catch((error: unknown) => {
      if (!this.#deps.signal.aborted) this.#deps.onFailure(error);
    });
  }

  /** Resolves with true once there is room for more; with false when the browser took nothing for too long. */
  async room(signal: AbortSignal): Promise<boolean> {
    while (this.#waitingBytes() >= this.#deps.limits.mostWaitingBytes) {
      if (!(await this.#progress(signal))) return false;
    }
    return true;
  }

  /** Resolves when nothing waits any more. Rejects when the signal fires. */
  async drained(signal: AbortSignal): Promise<void> {
    const fired = Promise.withResolvers<never>();
    const giveUp = (): void => fired.reject(signal.reason);
    signal.throwIfAborted();
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      while (this.#waitingBytes() > 0) await Promise.race([this.#freed.promise, fired.promise]);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  async #progress(signal: AbortSignal): Promise<boolean> {
    const { clock, limits } = this.#deps;
    const over = new AbortController();
    const late = clock.wait(limits.patienceMs, AbortSignal.any([signal, over.signal])).then(
      () => false,
      () => true,
    );
    const isFreed = await Promise.race([this.#freed.promise.then(() => true), late]);
    over.abort();
    signal.throwIfAborted();
    return isFreed;
  }

  async #run(): Promise<void> {
    const { clock, signal, send } = this.#deps;
    do {
      await clock.wait(GATHER_MS, signal);
      for (let frame = this.#take(); frame !== undefined; frame = frame.isFull ? this.#take() : undefined) {
        this.#sendingBytes = frame.text.length;
        await send(frame.text);
        this.#sendingBytes = 0;
        this.#freed.resolve();
        this.#freed = Promise.withResolvers();
      }
    } while (this.#hasMore());
    this.#isAwake = false;
  }

  #take(): { readonly text: string; readonly isFull: boolean } | undefined {
    const messages: string[] = [];
    let [objects, bytes] = [MOST_OBJECTS, MOST_FRAME_BYTES];
    for (const slot of this.#slots) {
      if (slot.isEmpty) continue;
      if (objects <= 0 || bytes <= 0) break;
      const taken = slot.take({ objects, bytes });
      messages.push(...taken.messages);
      objects -= taken.objects;
      bytes -= taken.bytes;
      if (this.#once.delete(slot)) this.#slots.delete(slot);
      if (slot.isEmpty) continue;
      // Others have their turn before it.
      this.#slots.delete(slot);
      this.#slots.add(slot);
      return { text: `[${messages.join(',')}]`, isFull: true };
    }
    return messages.length === 0 ? undefined : { text: `[${messages.join(',')}]`, isFull: objects <= 0 || bytes <= 0 };
  }

  #hasMore(): boolean {
    return Array.from(this.#slots).some((slot) => !slot.isEmpty);
  }

  #waitingBytes(): number {
    let bytes = this.#sendingBytes;
    for (const slot of this.#slots) bytes += slot.bytes;
    return bytes;
  }
}
