import { setTimeout as delay } from 'node:timers/promises';

import { telemetryLimits } from '@smalt/ha-telemetry';
import type { Outbox, OutboxEntry } from '@smalt/outbox';
import type { Logger } from '@smalt/service-runtime';

import { batchJson, type BatchHead } from './batch-of.ts';
import { decideAfterPush, type AfterPush } from './decide-after-push.ts';
import { Doorbell } from './doorbell.ts';
import type { HaMetrics } from './ha-metrics.ts';
import type { PushFailure, PushResult } from './push-result.ts';

const MOST_RECORDS = telemetryLimits.batchRecords;
/** A batch has a head, too. */
const MOST_BYTES = telemetryLimits.batchBytes - 4096;
/** One failed push is nothing to tell people about: the next one comes within a second. */
const FAILURES_OF_AN_OUTAGE = 2;

export interface Outage {
  readonly since: Date;
  readonly failure: PushFailure;
  readonly why: string;
}

export interface PusherDeps {
  readonly outbox: Pick<Outbox, 'acknowledge' | 'beginEpoch' | 'epoch' | 'peek' | 'setAside'>;
  readonly link: { push(body: string, signal: AbortSignal): Promise<PushResult> };
  readonly head: Omit<BatchHead, 'epoch'>;
  readonly metrics: Pick<HaMetrics, 'dropped' | 'pushes' | 'records'>;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly random: () => number;
  /** Called after each push, when what can be told about the service may have changed. */
  readonly onPushed: () => void;
}

/** Brings what is in the outbox to the service, one batch at a time, in order. */
export class Pusher {
  readonly #deps: PusherDeps;
  readonly #bell = new Doorbell();
  #failures = 0;
  #firstFailure: Outage | undefined;
  #mostRecords: number = MOST_RECORDS;
  #hasDelivered = false;
  #sent: Pick<BatchHead, 'epoch'> & { readonly last: number } = { epoch: '', last: 0 };
  #hasRenumbered = false;
  #setAsideInARow = 0;

  constructor(deps: PusherDeps) {
    this.#deps = deps;
  }

  get hasDelivered(): boolean {
    return this.#hasDelivered;
  }

  get outage(): Outage | undefined {
    return this.#failures >= FAILURES_OF_AN_OUTAGE ? this.#firstFailure : undefined;
  }

  /** Asks for a push within this time, unless the service is being left alone for a while. */
  ring(delayMs: number): void {
    this.#bell.ring(delayMs);
  }

  /** Pushes until `stop` fires, and once more then. No request outlives `deadline`. */
  async run(stop: AbortSignal, deadline: AbortSignal): Promise<void> {
    this.ring(0);
    do {
      await this.#bell.wait(stop);
      await this.#drain(stop, deadline);
    } while (!stop.aborted);
  }

  async #drain(stop: AbortSignal, deadline: AbortSignal): Promise<void> {
    while (!deadline.aborted) {
      const entries = consecutive(this.#deps.outbox.peek({ items: this.#mostRecords, bytes: MOST_BYTES }));
      if (entries.length === 0) return;
      const isLast = stop.aborted;
      const after = await this.#push(entries, deadline);
      this.#act(after, entries);
      this.#deps.onPushed();
      if (after.kind !== 'wait') continue;
      if (isLast) return;
      await pause(after.pauseMs, stop);
    }
  }

  async #push(entries: readonly OutboxEntry[], signal: AbortSignal): Promise<AfterPush> {
    const { outbox, link, head, random } = this.#deps;
    const { epoch } = outbox;
    const last = entries.at(-1)?.sequence ?? 0;
    this.#sent = { epoch, last: this.#sent.epoch === epoch ? Math.max(this.#sent.last, last) : last };
    const result = await link.push(batchJson({ ...head, epoch }, entries), signal);
    this.#deps.metrics.pushes.cell([result.kind === 'failed' ? result.failure : result.kind]).add();
    return decideAfterPush(result, {
      epoch,
      entries,
      lastSent: this.#sent.last,
      hasRenumbered: this.#hasRenumbered,
      setAsideInARow: this.#setAsideInARow,
      failures: this.#failures,
      random: random(),
    });
  }

  #act(after: AfterPush, entries: readonly OutboxEntry[]): void {
    const { outbox, logger } = this.#deps;
    switch (after.kind) {
      case 'wait':
        this.#fail(after);
        if (after.failure === 'too-large') this.#sendFewer(entries.length / 2);
        return;
      case 'release':
        this.#release(after.through, entries);
        return;
      case 'pass-over':
        outbox.acknowledge(after.through);
        return;
      case 'renumber':
        logger.error({ epoch: outbox.epoch }, 'the HA service knows numbers that were never sent, a new epoch begins');
        this.#hasRenumbered = true;
        outbox.beginEpoch();
        return;
      case 'set-aside':
        this.#setAside(after, entries);
        return;
      case 'shrink': {
        const { why } = after;
        logger.warn({ records: entries.length, why }, 'the HA service refuses a batch, fewer are sent at once');
        this.#sendFewer(entries.length / 2);
        return;
      }
    }
  }

  #release(through: number, entries: readonly OutboxEntry[]): void {
    const { outbox, metrics } = this.#deps;
    this.#succeed();
    outbox.acknowledge(through);
    metrics.records.cell([]).add(entries.filter(({ kind, sequence }) => kind === 'item' && sequence <= through).length);
    this.#hasDelivered = true;
    this.#mostRecords = Math.min(MOST_RECORDS, this.#mostRecords * 2);
  }

  #setAside(
    { sequence, why }: { readonly sequence: number; readonly why: string },
    entries: readonly OutboxEntry[],
  ): void {
    const { outbox, logger, metrics } = this.#deps;
    logger.error({ sequence, why }, 'the HA service refuses a record, it is set aside');
    metrics.dropped.cell(['refused']).add();
    outbox.setAside(sequence, why);
    this.#setAsideInARow++;
    // What comes before it is sent alone: that it is taken shows that the service does not refuse everything.
    const before = entries.findIndex((entry) => entry.sequence === sequence);
    if (before > 0) this.#sendFewer(before);
  }

  #sendFewer(count: number): void {
    this.#mostRecords = Math.max(1, Math.floor(count));
  }

  #fail({ failure, why }: Pick<Outage, 'failure' | 'why'>): void {
    const since = this.#firstFailure?.since ?? this.#deps.now();
    this.#failures++;
    this.#firstFailure = { since, failure, why };
    if (this.#failures === 1) this.#deps.logger.warn({ why }, 'the HA service could not be told, it is tried again');
  }

  #succeed(): void {
    if (this.#firstFailure !== undefined) {
      const { since } = this.#firstFailure;
      this.#deps.logger.info({ since, failures: this.#failures }, 'the HA service is told again');
    }
    this.#failures = 0;
    this.#firstFailure = undefined;
    this.#hasRenumbered = false;
    this.#setAsideInARow = 0;
  }
}

/** The entries up to the first hole. There is none unless the file was meddled with; a batch must not have one. */
function consecutive(entries: readonly OutboxEntry[]): readonly OutboxEntry[] {
  const end = entries.findIndex((entry, index) => {
    const before = entries[index - 1];
    return (
      before !== undefined && (entry.kind === 'gap' ? entry.firstSequence : entry.sequence) !== before.sequence + 1
    );
  });
  return end < 0 ? entries : entries.slice(0, end);
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
