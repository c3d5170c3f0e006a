import type { KubernetesObject } from '@smalt/kubernetes';
import type { Logger } from '@smalt/service-runtime';

import { systemClock, type Clock } from './clock.ts';
import type { ControllerCounters, ReconcileResult } from './controller-metrics.ts';
import type { Informer } from './informer.ts';
import type { ObjectChange } from './object-cache.ts';
import { splitKey, type ObjectKey } from './object-key.ts';
import type { Outcome } from './outcome.ts';
import { BackOff, type BackOffOptions } from './rate-limiter.ts';
import { WorkQueue } from './work-queue.ts';

/** Looks at an object and does what is missing. It gets a key, not an event: it must work from what is there now. */
export type Reconcile = (key: ObjectKey, signal: AbortSignal) => Promise<Outcome>;

/** Which keys a change of some object concerns. */
export type KeyMapper<T> = (change: ObjectChange<T>) => readonly ObjectKey[];

/** Objects whose changes a controller wants to know of. */
export interface ControllerSource {
  readonly informer: { readonly hasSynced: boolean; whenSynced(signal: AbortSignal): Promise<void> };
  subscribe(add: (key: ObjectKey) => void): void;
}

export interface ControllerOptions {
  readonly name: string;
  readonly sources: readonly ControllerSource[];
  readonly reconcile: Reconcile;
  /** How many keys are worked on at a time. */
  readonly concurrency?: number | undefined;
  readonly backOff?: BackOffOptions | undefined;
  /** How long one reconcile may take before its signal fires. */
  readonly timeoutMs?: number | undefined;
}

/** The objects that the controller is for; `isRelevant` sorts out changes that cannot matter. */
export function source<T extends KubernetesObject>(
  informer: Informer<T>,
  isRelevant: (change: ObjectChange<T>) => boolean = () => true,
): ControllerSource {
  return mappedSource(informer, (change) => (isRelevant(change) ? [change.key] : []));
}

/** Objects of which each belongs to others: its changes concern those. */
export function mappedSource<T extends KubernetesObject>(
  informer: Informer<T>,
  mapKeys: KeyMapper<T>,
): ControllerSource {
  return {
    informer,
    subscribe: (add) => informer.onChange((change) => mapKeys(change).forEach(add)),
  };
}

/** Objects that the controller has made: their changes concern the owner of the kind that it is for. */
export function ownedSource<T extends KubernetesObject>(
  informer: Informer<T>,
  owner: { readonly group: string; readonly kind: string; readonly isNamespaced: boolean },
): ControllerSource {
  return mappedSource(informer, ({ old, current }) => {
    const keys = [old, current].flatMap((object) => (object === undefined ? [] : ownerKeys(object, owner)));
    return [...new Set(keys)];
  });
}

function ownerKeys(
  { metadata }: KubernetesObject,
  owner: { readonly group: string; readonly kind: string; readonly isNamespaced: boolean },
): readonly ObjectKey[] {
  const references = metadata.ownerReferences ?? [];
  return references
    .filter(({ kind, apiVersion }) => kind === owner.kind && groupOf(apiVersion) === owner.group)
    .map(({ name }) => (owner.isNamespaced ? `${metadata.namespace ?? ''}/${name}` : name));
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}

interface ControllerParts {
  readonly logger: Logger;
  readonly counters: ControllerCounters;
  readonly clock?: Clock | undefined;
}

/** Calls `reconcile` for every key whose objects changed, and again after failures, later each time. */
export class Controller {
  readonly name: string;
  readonly #options: ControllerOptions;
  readonly #parts: ControllerParts;
  readonly #clock: Clock;
  readonly #queue: WorkQueue<ObjectKey>;

  constructor(options: ControllerOptions, parts: ControllerParts) {
    this.name = options.name;
    this.#options = options;
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
    this.#queue = new WorkQueue({
      clock: this.#clock,
      rateLimiter: new BackOff(this.#clock, options.backOff),
      observer: parts.counters.queue,
    });
    parts.counters.watchQueue(this.#queue);
  }

  /** Asks for a reconcile, for reasons that are no change of an object. */
  enqueue(key: ObjectKey): void {
    this.#queue.add(key);
  }

  /** Runs until the signal fires, then waits for what is being worked on; that is told by its own signal. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#options.sources.map(({ informer }) => informer.whenSynced(signal)));
    for (const each of this.#options.sources) each.subscribe((key) => this.#queue.add(key));
    const onAbort = (): void => this.#queue.close();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const workers = Array.from({ length: this.#options.concurrency ?? 1 }, () => this.#work(signal));
    await Promise.all(workers);
  }

  async #work(signal: AbortSignal): Promise<void> {
    for (;;) {
      const key = await this.#queue.take();
      if (key === undefined) return;
      try {
        await this.#reconcile(key, signal);
      } finally {
        this.#queue.finish(key);
      }
    }
  }

  async #reconcile(key: ObjectKey, stopping: AbortSignal): Promise<void> {
    const { counters } = this.#parts;
    const { timeoutMs } = this.#options;
    const signal = timeoutMs === undefined ? stopping : AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]);
    const startedAt = this.#clock.now();
    counters.reconcileStarted();
    let result: ReconcileResult = 'error';
    try {
      result = this.#follow(key, await this.#options.reconcile(key, signal));
    } catch (error) {
      if (!stopping.aborted) this.#retry(key, error);
    } finally {
      counters.reconcileEnded(result, this.#clock.now() - startedAt);
    }
  }

  #follow(key: ObjectKey, outcome: Outcome): ReconcileResult {
    this.#queue.forget(key);
    switch (outcome.kind) {
      case 'done':
        return 'success';
      case 'requeue':
        this.#queue.addAfter(key, outcome.afterMs);
        return 'requeue_after';
    }
  }

  #retry(key: ObjectKey, error: unknown): void {
    const delayMs = this.#queue.addRateLimited(key);
    this.#parts.logger.error({ controller: this.name, ...splitKey(key), err: error, delayMs }, 'reconcile failed');
  }
}
