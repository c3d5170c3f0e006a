import type { ShutdownDelay, Systemd } from '@smalt/systemd';

import type { RebootState } from './evacuation-condition.ts';
import type { EvacuationOutcome } from './decide-evacuation.ts';

const REASON = { who: 'smalt-node-agent', why: 'Guests move away before the host goes down.' } as const;

export interface GuardParts {
  readonly nodeName: string;
  readonly systemd: Pick<Systemd, 'watchShutdown' | 'delayShutdown'>;
  /** How long logind lets a shutdown be held back; nothing where it does not say. Never throws. */
  readonly readLimitMs: (signal: AbortSignal) => Promise<number | undefined>;
  /** `allowedMs` is what logind allows, where that is known. */
  readonly evacuate: (allowedMs: number | undefined, signal: AbortSignal) => Promise<EvacuationOutcome>;
  /** Takes back what an evacuation asked for, when no shutdown is under way. Never throws. */
  readonly withdraw: () => void;
  readonly tell: (state: RebootState) => void;
}

/**
 * Holds every shutdown of the host back until the evacuation has ended, whichever way, and takes its lock again when the
 * shutdown is called off. Returns when the signal fires; throws when there is no way to hold a shutdown back.
 */
export async function guardShutdowns(parts: GuardParts, signal: AbortSignal): Promise<void> {
  const ending = new AbortController();
  const until = AbortSignal.any([signal, ending.signal]);
  // Asked for before the lock is taken: a shutdown that begins right after that must be heard of.
  const shutdowns = parts.systemd.watchShutdown(until)[Symbol.asyncIterator]();
  const first = shutdowns.next();
  first.catch(() => undefined);
  await using guard = new Guard(parts, () => ending.abort());
  try {
    await guard.arm(until);
    for (let next = await first; next.done !== true; next = await shutdowns.next()) {
      if (next.value) guard.begin(until);
      else await guard.callOff(until);
    }
  } catch (error) {
    if (!until.aborted) throw error;
  } finally {
    ending.abort();
  }
  if (guard.hasLostLock) throw new Error('logind has dropped the lock that holds a shutdown back');
  // Without a word of shutdowns the lock is of no use, and to come back at once would be a circle.
  if (!signal.aborted) throw new Error('logind tells no more of shutdowns');
}

class Guard implements AsyncDisposable {
  readonly #parts: GuardParts;
  readonly #onLost: () => void;
  #lock: ShutdownDelay | undefined;
  #hasLostLock = false;
  #allowedMs: number | undefined;
  #evacuation: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;

  constructor(parts: GuardParts, onLost: () => void) {
    this.#parts = parts;
    this.#onLost = onLost;
  }

  get hasLostLock(): boolean {
    return this.#hasLostLock;
  }

  async arm(signal: AbortSignal): Promise<void> {
    const lock = await this.#parts.systemd.delayShutdown(REASON, signal);
    this.#lock = lock;
    void this.#noticeLoss(lock);
    // Asked each time: an administrator may have changed it.
    this.#allowedMs = await this.#parts.readLimitMs(signal);
    this.#parts.tell({ kind: 'armed', allowedMs: this.#allowedMs });
    this.#parts.withdraw();
  }

  /** A shutdown begins; it goes on when the evacuation has ended. */
  begin(signal: AbortSignal): void {
    if (this.#evacuation !== undefined) return;
    const stop = new AbortController();
    this.#parts.tell({ kind: 'evacuating', nodeName: this.#parts.nodeName });
    this.#evacuation = { stop, ended: this.#evacuate(AbortSignal.any([signal, stop.signal])) };
  }

  async callOff(signal: AbortSignal): Promise<void> {
    await this.#stop();
    await this.arm(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }

  async #noticeLoss(lock: ShutdownDelay): Promise<void> {
    await lock.released;
    if (this.#lock !== lock) return;
    this.#hasLostLock = true;
    this.#onLost();
  }

  async #stop(): Promise<void> {
    const evacuation = this.#evacuation;
    evacuation?.stop.abort();
    try {
      await evacuation?.ended;
    } finally {
      this.#evacuation = undefined;
      await this.#release();
    }
  }

  async #evacuate(signal: AbortSignal): Promise<void> {
    try {
      const outcome = await this.#parts.evacuate(this.#allowedMs, signal);
      this.#parts.tell({ kind: 'released', outcome });
    } catch (error) {
      if (signal.aborted) return;
      this.#parts.tell({ kind: 'released', outcome: { kind: 'failed', why: String(error) } });
    } finally {
      await this.#release();
    }
  }

  async #release(): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    await lock?.[Symbol.asyncDispose]();
  }
}
