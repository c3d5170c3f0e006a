import { isOver, itemBytes, type OutboxLimits, type OutboxTotals } from './outbox-entry.ts';
import { OutboxError } from './outbox-error.ts';

/** What is to be put in. */
export interface OutboxDraft {
  readonly body: string;
  /** Whether it goes first when there is no room. */
  readonly isExpendable?: boolean | undefined;
}

export interface WaitingAppend {
  readonly drafts: readonly OutboxDraft[];
  readonly done: PromiseWithResolvers<readonly number[]>;
}

/** What has no number yet: usually for a turn, and for long only while the disk was never writable. */
export class WaitingDrafts {
  readonly #limits: OutboxLimits;
  #appends: WaitingAppend[] = [];
  #dropped = 0;
  #totals: OutboxTotals = { items: 0, bytes: 0 };

  constructor(limits: OutboxLimits) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#appends.length === 0 && this.#dropped === 0;
  }

  get totals(): OutboxTotals {
    return this.#totals;
  }

  add(drafts: readonly OutboxDraft[]): Promise<readonly number[]> {
    const done = Promise.withResolvers<readonly number[]>();
    this.#appends.push({ drafts, done });
    this.#count(drafts, 1);
    return done.promise;
  }

  /** Makes room, oldest first, if these have to wait on. Tells how many went. */
  shrink(): number {
    const before = this.#dropped;
    while (isOver(this.#totals, this.#limits)) {
      const oldest = this.#appends.shift();
      if (oldest === undefined) break;
      this.#count(oldest.drafts, -1);
      this.#dropped += oldest.drafts.length;
      oldest.done.reject(new OutboxError('dropped', 'the disk cannot be written, and there was no room in memory'));
    }
    return this.#dropped - before;
  }

  /** Takes all out, with the count of those that went. */
  take(): { readonly appends: readonly WaitingAppend[]; readonly dropped: number } {
    const taken = { appends: this.#appends, dropped: this.#dropped };
    this.#appends = [];
    this.#dropped = 0;
    this.#totals = { items: 0, bytes: 0 };
    return taken;
  }

  rejectAll(error: OutboxError): void {
    for (const { done } of this.take().appends) done.reject(error);
  }

  #count(drafts: readonly OutboxDraft[], sign: 1 | -1): void {
    const bytes = drafts.reduce((sum, { body }) => sum + itemBytes(body), 0);
    this.#totals = { items: this.#totals.items + sign * drafts.length, bytes: this.#totals.bytes + sign * bytes };
  }
}
