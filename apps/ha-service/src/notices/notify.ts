import { isDeepStrictEqual } from 'node:util';

import { messageOf, type Logger } from '@smalt/service-runtime';

import type { HaStore } from '../ports/ha-store.ts';
import type { StoredJournalEntry } from '../ports/incident-store.ts';
import type { ServiceClock } from '../ports/service-clock.ts';
import type { WebhookSettings } from '../settings/ha-service-settings.ts';
import { isWanted } from './is-wanted.ts';
import { forgetCursors, NoticeCursor } from './notice-cursor.ts';
import { NoticeSender } from './send-notice.ts';

const LOOK_MS = 1_000;
const PAGE = 100;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

export interface NotifyDeps {
  readonly store: Pick<HaStore, 'journal' | 'documents'>;
  readonly clock: ServiceClock;
  /** The wall clock, which receivers compare with theirs. */
  readonly wallNow: () => number;
  readonly logger: Logger;
  readonly webhooks: () => readonly WebhookSettings[];
  /** Told how each try ended. */
  readonly onDelivery: (webhook: string, result: 'delivered' | 'failed') => void;
}

/**
 * Tells every receiver of what is written into the journal, in its order and at least once, until the signal fires. One
 * that does not answer is tried for as long as it takes, and holds up no other. Only the leader does this.
 */
export async function notify(deps: NotifyDeps, signal: AbortSignal): Promise<void> {
  const running = new Map<string, Receiver>();
  let names: string | undefined;
  try {
    while (!signal.aborted) {
      await adjust(running, deps, signal);
      const now = [...running.keys()].join(' ');
      if (now !== names && (await forgotten(deps, [...running.keys()], signal))) names = now;
      await deps.clock.wait(LOOK_MS, signal).catch(() => undefined);
    }
  } finally {
    await Promise.all([...running.values()].map((receiver) => receiver.stop()));
  }
}

async function forgotten(
  { store, logger }: NotifyDeps,
  names: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await forgetCursors(store.documents, names, signal);
    return true;
  } catch (error) {
    if (!signal.aborted) logger.warn({ error }, 'places of receivers that are gone are forgotten later');
    return false;
  }
}

interface Receiver {
  readonly webhook: WebhookSettings;
  readonly stop: () => Promise<void>;
}

/** Starts receivers that are new, and ends those that are gone or have changed. */
async function adjust(running: Map<string, Receiver>, deps: NotifyDeps, signal: AbortSignal): Promise<void> {
  const wanted = new Map(deps.webhooks().map((webhook) => [webhook.name, webhook]));
  for (const [name, receiver] of running) {
    if (isDeepStrictEqual(wanted.get(name), receiver.webhook)) continue;
    running.delete(name);
    await receiver.stop();
  }
  for (const [name, webhook] of wanted) {
    if (!running.has(name)) running.set(name, begin(deps, webhook, signal));
  }
}

function begin(deps: NotifyDeps, webhook: WebhookSettings, signal: AbortSignal): Receiver {
  const stop = new AbortController();
  const ended = serve(deps, webhook, AbortSignal.any([signal, stop.signal]));
  return {
    webhook,
    stop: async () => {
      stop.abort(new Error('the receiver is not told any more'));
      await ended;
    },
  };
}

/** Tells one receiver for as long as it is configured; never rejects. */
async function serve(deps: NotifyDeps, webhook: WebhookSettings, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await using sender = await NoticeSender.open(webhook);
      await follow({ ...deps, sender, webhook, onSuccess: () => (failures = 0) }, signal);
    } catch (error) {
      if (signal.aborted) return;
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++);
      deps.onDelivery(webhook.name, 'failed');
      deps.logger.warn({ webhook: webhook.name, reason: messageOf(error), failures, pauseMs }, 'a notice has to wait');
      await deps.clock.wait(pauseMs, signal).catch(() => undefined);
    }
  }
}

interface Following extends NotifyDeps {
  readonly sender: NoticeSender;
  readonly webhook: WebhookSettings;
  readonly onSuccess: () => void;
}

/** Goes through the journal until something fails, which is thrown. */
async function follow(following: Following, signal: AbortSignal): Promise<never> {
  const { store, clock, webhook } = following;
  const cursor = await NoticeCursor.load(store.documents, webhook.name, signal);
  for (;;) {
    const { after } = cursor;
    // A receiver that is new is told of what comes, not of all that ever was.
    const entries = await store.journal.list(after, { limit: after === undefined ? 1 : PAGE }, signal);
    for (const entry of entries) {
      if (after !== undefined && isWanted(entry, webhook)) await send(following, entry, signal);
      if (!(await cursor.moveTo(entry.id, signal))) throw new Error('another replica tells this receiver');
    }
    following.onSuccess();
    if (entries.length < PAGE) await clock.wait(LOOK_MS, signal);
  }
}

async function send(
  { sender, webhook, wallNow, onDelivery, onSuccess }: Following,
  entry: StoredJournalEntry,
  signal: AbortSignal,
): Promise<void> {
  const delivery = await sender.send(entry, Math.floor(wallNow() / 1_000), signal);
  if (delivery.kind === 'failed') throw new Error(delivery.message);
  onDelivery(webhook.name, 'delivered');
  onSuccess();
}
