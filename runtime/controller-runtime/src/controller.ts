import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import type { Logger } from '@smalt/service-runtime';

import { systemClock, type Clock } from './clock.ts';
import type { ControllerCounters, ReconcileResult } from './controller-metrics.ts';
import { Deadline } from './deadline.ts';
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

type Watched<T extends KubernetesObject> = Pick<Informer<T>, 'onChange' | 'whenSynced'>;

/** Objects whose changes a controller wants to know of. */
export interface ControllerSource {
  readonly informer: { whenSynced(signal: AbortSignal): Promise<void> };
  /** Hands on the keys of all objects that are known, and then of those that change, until the result is called. */
  subscribe(add: (key: ObjectKey) => void): () => void;
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
  informer: Watched<T>,
  isRelevant: (change: ObjectChange<T>) => boolean = () => true,
): ControllerSource {
  return mappedSource(informer, (change) => (isRelevant(change) ? [change.key] : []));
}

/** Objects of which each belongs to others: its changes concern those. */
export function mappedSource<T extends KubernetesObject>(
  informer: Watched<T>,
  mapKeys: KeyMapper<T>,
): ControllerSource {
  return {
    informer,
    subscribe: (add) => informer.onChange((change) => mapKeys(change).forEach(add)),
  };
}

/** Objects that the controller looks up in its reconciles: none of their changes concerns it, but it begins only once they are known. */
export function readSource<T extends KubernetesObject>(informer: Watched<T>): ControllerSource {
  return { informer, subscribe: () => () => undefined };
}

/** Objects that the controller has made: their changes concern the owner of the kind that it is for. */
export function ownedSource<T extends KubernetesObject>(informer: Watched<T>, owner: OwnerKind): ControllerSource {
  return mappedSource(informer, ({ old, current }) => {
    const keys = [old, current].flatMap((object) => (object === undefined ? [] : ownerKeys(object, owner)));
    return [...new Set(keys)];
  });
}

type OwnerKind = Pick<KindReference, 'group' | 'kind' | 'isNamespaced'>;

function ownerKeys({ metadata }: KubernetesObject, owner: OwnerKind): readonly ObjectKey[] {
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

  /** Whether nothing is being worked on. */
  get isIdle(): boolean {
    return this.#queue.workingMs().length === 0;
  }

  /** Runs until the signal fires, then waits for what is being worked on; that is told by its own signal. Runs once. */
  async run(signal: AbortSignal): Promise<void> {
    const onAbort = (): void => this.#queue.close();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const { sources, concurrency = 1 } = this.#options;
    using subscriptions = new DisposableStack();
    if (!(await areSynced(sources, signal))) return;
    for (const each of sources) subscriptions.defer(each.subscribe((key) => this.#queue.add(key)));
    await Promise.all(Array.from({ length: concurrency }, () => this.#work(signal)));
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
    using deadline = new Deadline(stopping, this.#options.timeoutMs, this.#clock);
    const startedAt = this.#clock.monotonic();
    counters.reconcileStarted();
    let result: ReconcileResult = 'error';
    try {
      result = this.#follow(key, await this.#options.reconcile(key, deadline.signal));
    } catch (error) {
      if (deadline.hasPassed) counters.reconcileTimedOut();
      if (!stopping.aborted) this.#retry(key, error);
    } finally {
      counters.reconcileEnded(result, this.#clock.monotonic() - startedAt);
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
    this.#parts.logger.error({ controller: this.name, ...splitKey(key), error, delayMs }, 'reconcile failed');
  }
}

async function areSynced(sources: readonly ControllerSource[], signal: AbortSignal): Promise<boolean> {
  try {
    await Promise.all(sources.map(({ informer }) => informer.whenSynced(signal)));
    return !signal.aborted;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
