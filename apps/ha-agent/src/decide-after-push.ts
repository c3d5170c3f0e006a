import type { OutboxEntry } from '@smalt/outbox';

import type { PushFailure, PushResult } from './push-result.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A service that asks for more patience is asked again all the same. */
const LONGEST_RETRY_AFTER_MS = 300_000;

export type AfterPush =
  /** All up to this number are with the service. */
  | { readonly kind: 'release'; readonly through: number }
  /** The service knows numbers that were never given: the queue is an old copy of itself. */
  | { readonly kind: 'renumber' }
  /** The service will never take this record. */
  | { readonly kind: 'set-aside'; readonly sequence: number; readonly why: string }
  /** The service will never take one of them; fewer at a time will tell which. */
  | { readonly kind: 'shrink'; readonly why: string }
  | { readonly kind: 'wait'; readonly pauseMs: number; readonly failure: PushFailure; readonly why: string };

export interface PushContext {
  readonly epoch: string;
  /** What was sent; not empty. */
  readonly entries: readonly OutboxEntry[];
  /** The newest number that was ever given. */
  readonly lastSequence: number;
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
      return afterRefusal(result, context.entries);
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
  const [first] = context.entries;
  if (epoch !== context.epoch) return wait('unclear-answer', `it answered for the epoch ${epoch}`, context);
  if (acknowledged > context.lastSequence) return { kind: 'renumber' };
  const begin = first?.kind === 'gap' ? first.firstSequence : (first?.sequence ?? 0);
  if (acknowledged < begin) {
    return wait('unclear-answer', `it took a batch from ${begin} and acknowledged ${acknowledged} only`, context);
  }
  return { kind: 'release', through: acknowledged };
}

function afterRefusal(
  { why, sequence }: Extract<PushResult, { readonly kind: 'refused' }>,
  entries: readonly OutboxEntry[],
): AfterPush {
  const named = entries.find((entry) => entry.sequence === sequence);
  const culprit = named ?? (entries.length === 1 ? entries[0] : undefined);
  if (culprit === undefined) return { kind: 'shrink', why };
  if (culprit.kind === 'item') return { kind: 'set-aside', sequence: culprit.sequence, why };
  // Who does not even want to know what is missing cannot be helped.
  return culprit === entries[0] ? { kind: 'release', through: culprit.sequence } : { kind: 'shrink', why };
}

function wait(failure: PushFailure, why: string, { failures, random }: PushContext, leastMs = 0): AfterPush {
  const backOffMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 16)) * (0.5 + random / 2);
  return { kind: 'wait', pauseMs: Math.max(leastMs, backOffMs), failure, why };
}
