import {
  apiVersionOf,
  INITIAL_EVENTS_END,
  type KubernetesList,
  type KubernetesObject,
  type WatchEvent,
} from '@smalt/kubernetes';

import { systemClock, type Clock } from './clock.ts';
import { isKubeError, KubeError } from './kube-error.ts';
import type { PatientOptions, WatchOptions } from './request-options.ts';
import type { ResourceClient } from './resource-client.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
const LONGEST_WATCH_SECONDS = 600;
/** A watch that ends sooner, without a word, is a failure: to ask again at once would be a storm. */
const SHORTEST_WATCH_MS = 1_000;
/** The quick retries of one request take less; who waits longer should know that nothing is heard meanwhile. */
const NOTICEABLE_MS = 2_000;
/** Whatever a server has at hand. */
const ANY_VERSION = '0';

export interface FollowOptions extends Omit<WatchOptions, 'sendInitialEvents' | 'onOpen' | 'onRetry'> {
  /** What was seen last. Without it all objects come first, then a bookmark that says so. */
  readonly resourceVersion?: string | undefined;
  /** A version that was seen earlier, for one that begins with all objects: they are no older, whichever server sends them. */
  readonly notOlderThan?: string | undefined;
  /** Told of each version up to which everything was seen; not while initial objects are still to come. */
  readonly onSeen?: ((resourceVersion: string) => void) | undefined;
  /** Told of each failure that a new watch will follow, and of each put-off of one; `delayMs` is how long until the next try. */
  readonly onFailure?: ((error: KubeError, delayMs: number) => void) | undefined;
  /** Told when a watch is there: after all initial objects, and each time that one goes on where the last one ended. */
  readonly onReady?: (() => void) | undefined;
  /** Told when a watch has ended in good order. The next one is asked for at once; it is there when `onReady` says so. */
  readonly onEnd?: (() => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/**
 * A watch without an end: when the server or the network ends one, the next goes on after the last event or bookmark, so
 * that nothing is missed and nothing comes twice. The only bookmark that is handed on is the one after the initial
 * objects; a batch is empty when there was only another. Where a server cannot begin a watch with all objects these are
 * listed, and look the same. Ends when the signal fires. Throws a KubeError with the code
 * `expired` when the server no longer knows what came after the last event: then list again. Refusals are thrown as well,
 * whatever happens before all initial objects were there, and `aborted` when the client was disposed of.
 */
export async function* follow<T extends KubernetesObject>(
  client: ResourceClient<T>,
  options: FollowOptions,
): AsyncGenerator<readonly WatchEvent<T>[], void> {
  const { clock = systemClock, random = Math.random } = options;
  const place: Place = { resourceVersion: options.resourceVersion, isFilling: options.resourceVersion === undefined };
  let failures = 0;
  while (!hasFired(options.signal)) {
    try {
      // Servers and everything between drop watches; ending them at a time of our own is the gentler way.
      const timeoutSeconds = options.timeoutSeconds ?? Math.ceil(LONGEST_WATCH_SECONDS * (0.5 + random() / 2));
      const watchOptions = { ...options, timeoutSeconds, onRetry: slowRetriesTo(options.onFailure, clock) };
      const part = place.isFilling ? fill : watchOnce;
      for await (const events of part(client, watchOptions, place, clock)) {
        failures = 0;
        yield events;
      }
      options.onEnd?.();
    } catch (error) {
      if (hasFired(options.signal)) return;
      if (place.isFilling || !isPassing(error)) throw error;
      const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures) * (0.5 + random() / 2);
      failures++;
      options.onFailure?.(error, delayMs);
      await clock.wait(delayMs, options.signal).catch(() => undefined);
    }
  }
}

/** Tells of a retry unless it is one of the quick ones that heal what lasts for a moment. */
function slowRetriesTo(onFailure: FollowOptions['onFailure'], clock: Clock): PatientOptions['onRetry'] {
  const startedAt = clock.monotonic();
  return (error, delayMs) => {
    if (clock.monotonic() - startedAt + delayMs >= NOTICEABLE_MS) onFailure?.(error, delayMs);
  };
}

/** What a part of following knows, one watch or one list. */
type PartOptions = FollowOptions & PatientOptions;

interface Place {
  resourceVersion: string | undefined;
  /** Whether initial objects are still to come. */
  isFilling: boolean;
}

/** A watch that begins with all objects; only these, from a list, where the server cannot do that. */
async function* fill<T extends KubernetesObject>(
  client: ResourceClient<T>,
  options: PartOptions,
  place: Place,
  clock: Clock,
): AsyncGenerator<readonly WatchEvent<T>[], void> {
  let hasBegun = false;
  try {
    for await (const events of watchOnce(client, options, place, clock)) {
      hasBegun = true;
      yield events;
    }
  } catch (error) {
    // Some servers refuse such a watch; others fail at it because their storage is too old for it.
    if (hasBegun || !isKubeError(error, 'bad-request', 'invalid', 'server', 'unsupported')) throw error;
    yield* listOnce(client, options, place);
  }
}

/** All objects as if a watch had begun with them; the place is after them. */
async function* listOnce<T extends KubernetesObject>(
  client: ResourceClient<T>,
  options: PartOptions,
  place: Place,
): AsyncGenerator<readonly WatchEvent<T>[], void> {
  let resourceVersion = '';
  for await (const { metadata, items } of pagesOf(client, options)) {
    resourceVersion = metadata.resourceVersion ?? resourceVersion;
    yield items.map((object) => ({ type: 'ADDED', object }));
  }
  place.resourceVersion = resourceVersion;
  place.isFilling = false;
  options.onSeen?.(resourceVersion);
  const annotations = { [INITIAL_EVENTS_END]: 'true' };
  const type = { apiVersion: apiVersionOf(client.kind), kind: client.kind.kind };
  yield [{ type: 'BOOKMARK', object: { ...type, metadata: { name: '', resourceVersion, annotations } } }];
}

/** The pages of a list; those of a search from a server's cache, unless that is behind what was seen already. */
async function* pagesOf<T extends KubernetesObject>(
  client: ResourceClient<T>,
  options: PartOptions,
): AsyncGenerator<KubernetesList<T>, void> {
  const { namespace, labelSelector, fieldSelector, signal, onRetry, notOlderThan } = options;
  const select = { namespace, labelSelector, fieldSelector, signal, onRetry };
  if (!isSearch(options)) return yield* client.pages(select);
  if (notOlderThan === undefined) return yield* client.pages({ ...select, resourceVersion: ANY_VERSION });
  let hasBegun = false;
  const atLeast = { resourceVersion: notOlderThan, resourceVersionMatch: 'NotOlderThan' } as const;
  try {
    for await (const page of client.pages({ ...select, ...atLeast })) {
      hasBegun = true;
      yield page;
    }
  } catch (error) {
    if (hasBegun || !isTooNew(error)) throw error;
    yield* client.pages(select);
  }
}

/** Whether a server does not have what was asked for: its cache is behind, or its storage was put back to an older state. */
function isTooNew(error: unknown): boolean {
  if (isKubeError(error, 'expired')) return true;
  const causes = isKubeError(error, 'timeout') ? (error.status?.details?.causes ?? []) : [];
  return causes.some(({ reason }) => reason === 'ResourceVersionTooLarge');
}

/**
 * Whether a few objects are looked for among all of their kind. A server reads and decodes every one of them from its storage
 * for that, for each who asks; from its cache it finds them at once, as they were a moment ago, and the watch brings the rest.
 */
function isSearch({ labelSelector, fieldSelector }: WatchOptions): boolean {
  const fields = fieldSelector?.requirements ?? [];
  const isNamed = fields.some(({ field, isEqual }) => field === 'metadata.name' && isEqual);
  return !isNamed && (fields.length > 0 || (labelSelector?.requirements.length ?? 0) > 0);
}

/** One watch from a place on; the place moves with it. */
async function* watchOnce<T extends KubernetesObject>(
  client: ResourceClient<T>,
  options: PartOptions,
  place: Place,
  clock: Clock,
): AsyncGenerator<readonly WatchEvent<T>[], void> {
  const startedAt = clock.monotonic();
  let isSilent = true;
  const { resourceVersion, isFilling } = place;
  const onOpen = isFilling ? undefined : options.onReady;
  for await (const events of client.watch({ ...options, resourceVersion, sendInitialEvents: isFilling, onOpen })) {
    isSilent = false;
    const isFull = place.isFilling && events.some(isInitialEnd);
    if (isFull) place.isFilling = false;
    place.resourceVersion = lastVersion(events) ?? place.resourceVersion;
    if (!place.isFilling && place.resourceVersion !== undefined) options.onSeen?.(place.resourceVersion);
    yield events.filter((event) => event.type !== 'BOOKMARK' || isInitialEnd(event));
    if (isFull) options.onReady?.();
  }
  const what = `watch ${client.kind.plural}`;
  if (place.isFilling) throw new KubeError('bad-answer', `${what}: it ended before all objects had come`);
  if (isSilent && clock.monotonic() - startedAt < SHORTEST_WATCH_MS) {
    throw new KubeError('bad-answer', `${what}: it ended at once`);
  }
}

/** Whether an event is the bookmark after the initial objects. */
export function isInitialEnd<T extends KubernetesObject>(event: WatchEvent<T>): boolean {
  return event.type === 'BOOKMARK' && event.object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true';
}

// A property would be taken for one that cannot change meanwhile.
function hasFired(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function isPassing(error: unknown): error is KubeError {
  return isKubeError(error, 'bad-answer', 'connection', 'server', 'timeout', 'too-many-requests', 'unauthorized');
}

function lastVersion<T extends KubernetesObject>(events: readonly WatchEvent<T>[]): string | undefined {
  const last = events.at(-1);
  return last === undefined || last.type === 'ERROR' ? undefined : last.object.metadata.resourceVersion;
}
