import { itemBytes, type OutboxTotals } from './outbox-entry.ts';

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

/** What was put in during this turn and has no number yet. */
export class WaitingDrafts {
  #appends: WaitingAppend[] = [];

  get totals(): OutboxTotals {
    const drafts = this.#appends.flatMap((append) => append.drafts);
    return { items: drafts.length, bytes: drafts.reduce((sum, { body }) => sum + itemBytes(body), 0) };
  }

  add(drafts: readonly OutboxDraft[]): Promise<readonly number[]> {
    const done = Promise.withResolvers<readonly number[]>();
    this.#appends.push({ drafts, done });
    return done.promise;
  }

  /** Takes all out. */
  take(): readonly WaitingAppend[] {
    const taken = this.#appends;
    this.#appends = [];
    return taken;
  }
}
