import { createHash } from 'node:crypto';

import { isAlreadyExists, isNotFound, type KubeClient, type ResourceClient } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

import { systemClock, type Clock } from './clock.ts';

/** The part of core/v1 Event that is written here. */
export interface EventObject extends KubernetesObject {
  readonly involvedObject: Readonly<Record<string, string | undefined>>;
  readonly reason: string;
  readonly message: string;
  readonly type: 'Normal' | 'Warning';
  readonly count: number;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly source: { readonly component: string; readonly host?: string };
  readonly reportingComponent: string;
  readonly reportingInstance: string;
}

const events: KindReference<EventObject> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  isNamespaced: true,
};

const MOST_REMEMBERED = 4096;
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
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

interface Remembered {
  readonly name: string;
  readonly namespace: string;
  readonly count: number;
  readonly writtenAt: number;
}

/** Writes events about objects. An event that comes again counts up the first one; one object cannot flood the rest. */
export class EventRecorder {
  readonly #client: ResourceClient<EventObject>;
  readonly #options: RecorderOptions;
  readonly #clock: Clock;
  readonly #remembered = new Map<string, Remembered>();
  readonly #budgets = new Map<string, { tokens: number; at: number }>();

  constructor(client: KubeClient, options: RecorderOptions) {
    this.#client = client.resource(events);
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Says that something happened to an object: `reason` is one CamelCase word, `message` a sentence. Never throws. */
  async record(object: KubernetesObject, type: 'Normal' | 'Warning', reason: string, message: string): Promise<void> {
    const id = eventId(object, type, reason, message);
    const now = this.#clock.now();
    const known = this.#remembered.get(id);
    if (known !== undefined && now - known.writtenAt < QUIET_MS) {
      this.#remember(id, { ...known, count: known.count + 1 });
      return;
    }
    if (!this.#mayWrite(object.metadata.uid ?? object.metadata.name, now)) return;
    try {
      await this.#write(id, known, this.#eventFor(object, type, reason, message));
    } catch (error) {
      this.#options.onFailure?.(error);
    }
  }

  async #write(id: string, known: Remembered | undefined, event: EventObject): Promise<void> {
    const { name, namespace = '' } = event.metadata;
    const count = (known?.count ?? 0) + 1;
    this.#remember(id, { name, namespace, count, writtenAt: this.#clock.now() });
    if (known !== undefined) {
      try {
        await this.#client.patch(known.name, 'merge', { count, lastTimestamp: event.lastTimestamp }, { namespace });
        this.#remember(id, { ...known, count, writtenAt: this.#clock.now() });
        return;
      } catch (error) {
        // The server forgets events after an hour; then it is a new one.
        if (!isNotFound(error)) throw error;
      }
    }
    try {
      await this.#client.create({ ...event, count: 1 }, { namespace });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
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
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${now.toString(16)}${eventId(object, type, reason, message).slice(0, 6)}`, namespace },
      involvedObject: {
        apiVersion: object.apiVersion,
        kind: object.kind,
        name,
        namespace: object.metadata.namespace,
        uid,
        resourceVersion,
      },
      reason,
      message: message.slice(0, 1024),
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
