import { createHash } from 'node:crypto';

import { isNotFound, type Fields, type ResourceClient } from '@smalt/kube';
import type { KubernetesObject } from '@smalt/kubernetes';

import { systemClock, type Clock } from './clock.ts';
import type { EventObject } from './event.ts';

const MOST_REMEMBERED = 4096;
/** So much of the object's name goes into that of the event; names have 253 characters at most. */
const LONGEST_NAME = 230;
const LONGEST_MESSAGE = 1024;
/** How often one object may get an event: so many at once, then one in that time. */
const BURST = 25;
const REFILL_MS = 300_000;
/** The same event again within this time is not worth a write. */
const QUIET_MS = 10_000;

export interface RecorderOptions {
  /** Who reports: the controller's name. */
  readonly component: string;
  readonly host?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Told of events that could not be written; an event is never worth a failed reconcile. */
  readonly onFailure: (error: unknown) => void;
}

/** Where events go: `client.resource(eventKind)`. */
export type EventClient = Pick<ResourceClient<EventObject>, 'create' | 'patch'>;

interface Remembered {
  readonly name: string;
  readonly count: number;
  readonly writtenAt: number;
}

/** Writes events about objects. An event that comes again counts up the first one; one object cannot flood the rest. */
export class EventRecorder {
  readonly #client: EventClient;
  readonly #options: RecorderOptions;
  readonly #clock: Clock;
  readonly #remembered = new Map<string, Remembered>();
  readonly #budgets = new Map<string, { tokens: number; at: number }>();

  constructor(client: EventClient, options: RecorderOptions) {
    this.#client = client;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Says that something happened to an object: `reason` is one CamelCase word, `message` a sentence. Never throws. */
  async record(object: KubernetesObject, type: 'Normal' | 'Warning', reason: string, message: string): Promise<void> {
    const id = eventId(object, type, reason, message);
    const now = this.#clock.monotonic();
    const known = this.#remembered.get(id);
    if (known !== undefined && now - known.writtenAt < QUIET_MS) {
      this.#remember(id, { ...known, count: known.count + 1 });
      return;
    }
    if (!this.#mayWrite(object.metadata.uid ?? object.metadata.name, now)) return;
    try {
      await this.#write(id, known, this.#eventFor(object, type, reason, message));
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  async #write(id: string, known: Remembered | undefined, event: EventObject): Promise<void> {
    const { name, namespace = '' } = event.metadata;
    const writtenAt = this.#clock.monotonic();
    if (known !== undefined) {
      const count = known.count + 1;
      // Remembered before it is sent: what comes meanwhile must not be sent beside it.
      this.#remember(id, { ...known, count, writtenAt });
      const { lastTimestamp } = event;
      if (await this.#countUp(known.name, { count, lastTimestamp }, namespace)) return;
    }
    this.#remember(id, { name, count: 1, writtenAt });
    await this.#client.create(event, { namespace });
  }

  /** Returns false when the event is gone: the server forgets them after an hour. */
  async #countUp(name: string, fields: Fields, namespace: string): Promise<boolean> {
    try {
      await this.#client.patch(name, 'merge', fields, { namespace });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  #remember(id: string, remembered: Remembered): void {
    this.#remembered.delete(id);
    this.#remembered.set(id, remembered);
    if (this.#remembered.size > MOST_REMEMBERED) forgetOldest(this.#remembered);
  }

  #mayWrite(object: string, now: number): boolean {
    const budget = this.#budgets.get(object) ?? { tokens: BURST, at: now };
    const tokens = Math.min(BURST, budget.tokens + (now - budget.at) / REFILL_MS);
    this.#budgets.delete(object);
    this.#budgets.set(object, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    if (this.#budgets.size > MOST_REMEMBERED) forgetOldest(this.#budgets);
    return tokens >= 1;
  }

  #eventFor(object: KubernetesObject, type: 'Normal' | 'Warning', reason: string, message: string): EventObject {
    const { component, host } = this.#options;
    const { name, namespace = 'default', uid, resourceVersion } = object.metadata;
    const now = this.#clock.now();
    const time = `${new Date(now).toISOString().slice(0, 19)}Z`;
    const suffix = `${now.toString(16)}${eventId(object, type, reason, message).slice(0, 6)}`;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name.slice(0, LONGEST_NAME)}.${suffix}`, namespace },
      involvedObject: {
        apiVersion: object.apiVersion,
        kind: object.kind,
        name,
        namespace: object.metadata.namespace,
        uid,
        resourceVersion,
      },
      reason,
      message: message.slice(0, LONGEST_MESSAGE),
      type,
      count: 1,
      firstTimestamp: time,
      lastTimestamp: time,
      source: { component, ...(host !== undefined && { host }) },
      reportingComponent: component,
      reportingInstance: host ?? '',
    };
  }
}

function eventId(object: KubernetesObject, type: string, reason: string, message: string): string {
  const { name, namespace = '', uid = '' } = object.metadata;
  const words = [object.apiVersion, object.kind, namespace, name, uid, type, reason, message];
  return createHash('sha256').update(words.join('\u0000')).digest('hex');
}

function forgetOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
