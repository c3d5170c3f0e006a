import type { StoredEvent } from '@smalt/ha-service';

import type { Stage } from './stage.ts';

/** A crash that an agent has told, and how much was in the journal when it was stored. */
interface ToldCrash {
  readonly instanceId: string;
  readonly journalLength: number;
  readonly storedAt: number;
}

/** How long it may take until it is read and said what becomes of it: some looks, and answers that are lost. */
const HEARD_WITHIN_MS = 120_000;

/** Follows each event that was accepted until somebody has said what became of it. */
export class EventWatch {
  readonly #stage: Stage;
  readonly #crashes: ToldCrash[] = [];
  #seen = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Notes what was stored since the last time. */
  look(): void {
    const { signals, journal } = this.#stage.store;
    const storedAt = this.#stage.scheduler.now;
    for (const { event } of signals.events(String(this.#seen), 1_000, (at) => at)) {
      this.#seen += 1;
      if (isCrash(event))
        this.#crashes.push({ instanceId: event.domain.uuid, journalLength: journal.length, storedAt });
    }
  }

  /** Each was recovered, left alone for a reason, or told to a person: the journal says which. */
  check(): void {
    this.look();
    const { store, story, scheduler } = this.#stage;
    for (const { instanceId, journalLength, storedAt } of this.#crashes) {
      if (scheduler.now - storedAt < HEARD_WITHIN_MS) continue;
      const isTold = store.journal
        .slice(journalLength)
        .some((entry) => entry.kind === 'instance-recovery' && entry.instanceId === instanceId);
      if (!isTold) story.violate(`the crash of ${instanceId} was accepted, and nobody has heard what became of it`);
    }
  }
}

function isCrash(event: StoredEvent['event']): boolean {
  return event.kind === 'lifecycle' && event.event === 'crashed';
}
