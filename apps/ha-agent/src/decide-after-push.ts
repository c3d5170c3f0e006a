import type { OutboxEntry } from '@smalt/outbox';

import type { PushFailure, PushResult } from './push-result.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A service that asks for more patience is asked again all the same. */
const LONGEST_RETRY_AFTER_MS = 300_000;
/** So many records in a row may be refused before it is taken for trouble of the service. */
const MOST_SET_ASIDE = 10;

export type AfterPush =
  /** All up to this number are with the service. */
  | { readonly kind: 'release'; readonly through: number }
  /** The service knows numbers that were never sent: the queue, or the service's memory, is an old copy of itself. */
  | { readonly kind: 'renumber' }
  /** The service does not want to know what is missing up to this number. */
  | { readonly kind: 'pass-over'; readonly through: number }
  /** The service will never take this record. */
  | { readonly kind: 'set-aside'; readonly sequence: number; readonly why: string }
  /** The service will never take one of them; fewer at a time will tell which. */
  | { readonly kind: 'shrink'; readonly why: string }
  | { readonly kind: 'wait'; readonly pauseMs: number; readonly failure: PushFailure; readonly why: string };

export interface PushContext {
  readonly epoch: string;
  /** What was sent; not empty. */
  readonly entries: readonly OutboxEntry[];
  /** The newest number of the epoch that was sent in this run. */
  readonly lastSent: number;
  /** Whether the epoch began because of a number that was never sent, and nothing was taken since. */
  readonly hasRenumbered: boolean;
  /** How many records were set aside since one was taken. */
  readonly setAsideInARow: number;
  /** How many pushes have failed before this one, in a row. */
  readonly failures: number;
  /** From 0 to 1: many agents must not come back at the same moment. */
  readonly random: number;
}

/** Decides what follows from the fate of a batch. */
export function decideAfterPush(result: PushResult, context: PushContext): AfterPush {
  switch (result.kind) {
    case 'taken':
      return afterTaken(result, context);
    case 'refused':
      return afterRefusal(result, context);
    case 'failed': {
      const { failure, why, retryAfterMs = 0 } = result;
      return wait(failure, why, context, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS));
    }
  }
}

function afterTaken(
  { epoch, acknowledged }: Extract<PushResult, { readonly kind: 'taken' }>,
  context: PushContext,
): AfterPush {
  const { entries, lastSent } = context;
  const [first] = entries;
  if (epoch !== context.epoch) return wait('unclear-answer', `it answered for the epoch ${epoch}`, context);
  if (acknowledged > lastSent) {
    const why = `it acknowledged ${acknowledged} of an epoch in which ${lastSent} is the newest number`;
    return context.hasRenumbered ? wait('unclear-answer', why, context) : { kind: 'renumber' };
  }
  const begin = first?.kind === 'gap' ? first.firstSequence : (first?.sequence ?? 0);
  if (acknowledged < begin) {
    return wait('unclear-answer', `it took a batch from ${begin} and acknowledged ${acknowledged} only`, context);
  }
  // What it has beyond this batch is sent once more and dropped there by its number.
  return { kind: 'release', through: Math.min(acknowledged, entries.at(-1)?.sequence ?? 0) };
}

function afterRefusal(
  { epoch, why, sequence }: Extract<PushResult, { readonly kind: 'refused' }>,
  context: PushContext,
): AfterPush {
  const { entries, setAsideInARow } = context;
  if (epoch !== context.epoch) return wait('unclear-answer', `it refused something of the epoch ${epoch}`, context);
  const named = entries.find((entry) => entry.sequence === sequence);
  const culprit = named ?? (entries.length === 1 ? entries[0] : undefined);
  if (culprit === undefined) return { kind: 'shrink', why };
  // Then it is not the records that are wrong, and nothing more may be lost.
  if (setAsideInARow >= MOST_SET_ASIDE) {
    return wait('refused', `it refused ${setAsideInARow} records in a row, the next is kept: ${why}`, context);
  }
  if (culprit.kind === 'item') return { kind: 'set-aside', sequence: culprit.sequence, why };
  // Who does not even want to know what is missing cannot be helped.
  return culprit === entries[0] ? { kind: 'pass-over', through: culprit.sequence } : { kind: 'shrink', why };
}

function wait(failure: PushFailure, why: string, { failures, random }: PushContext, leastMs = 0): AfterPush {
  const backOffMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 16)) * (0.5 + random / 2);
  return { kind: 'wait', pauseMs: Math.max(leastMs, backOffMs), failure, why };
}
