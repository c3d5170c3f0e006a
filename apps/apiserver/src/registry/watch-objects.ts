import { printJson } from '@smalt/json';
import { INITIAL_EVENTS_END } from '@smalt/kubernetes';
import type { Resource } from '@smalt/resource';

import { expiredError, tooLargeResourceVersionError } from '../errors/make-status-error.ts';
import type { Concern } from '../store/listeners.ts';
import type { StoreEvent } from '../store/store-event.ts';
import { StoredObject } from '../store/stored-object.ts';
import { checkWatchOptions } from './check-watch-options.ts';
import type { ObjectEvent, ObjectEvents, WatchScope } from './object-events.ts';
import { apiVersionOf } from './object-metadata.ts';
import { objectSelector, type SelectorText } from './object-selector.ts';
import { parseStartVersion } from './parse-resource-version.ts';
import type { RegistryDependencies } from './registry-dependencies.ts';
import { storageName } from './storage-name.ts';

export interface WatchOptions extends SelectorText {
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  readonly allowBookmarks?: boolean | undefined;
}

/** Takes the events of one commit, oldest first. It must not wait. */
export type EventSink = (events: readonly ObjectEvent[]) => void;

export interface WatchSubscription {
  /** What comes before everything that goes to the sink. */
  readonly initial: readonly ObjectEvent[];
  /** A bookmark that says that everything up to now was delivered. */
  readonly bookmark: () => ObjectEvent;
  readonly close: () => void;
}

export interface WatchDependencies extends RegistryDependencies {
  readonly events: ObjectEvents;
}

interface Start {
  readonly initial: readonly ObjectEvent[];
  /** The watcher has seen everything up to here. */
  readonly resourceVersion: number;
}

/**
 * Tells the sink of every durable change from a point in time on, each exactly once, until the subscription is closed.
 * Throws 410 when that point is too far in the past, and when it is in the future, as after the store was put back to an
 * older state: what the watcher has seen then never was, so it has to list again. Kubernetes would let it wait, without a word.
 */
export async function watchObjects(
  deps: WatchDependencies,
  resource: Resource,
  options: WatchOptions,
  sink: EventSink,
): Promise<WatchSubscription> {
  checkWatchOptions(options);
  const scope = scopeOf(resource, options);
  const asked = parseStartVersion(options.resourceVersion) ?? 0;
  if (asked > 0 && options.sendInitialEvents !== true) {
    const start = resume(deps, scope, asked);
    return subscribe(deps, scope, { ...start, resourceVersion: Math.max(asked, start.resourceVersion) }, sink);
  }
  for (;;) {
    const start = startNow(deps, scope, options, asked);
    const settled = deps.store.settled();
    const pending: StoreEvent[] = [];
    const unsubscribe = deps.store.subscribe(storageName(resource), (events) => pending.push(...events));
    const isDurable = settled === undefined || (await settled);
    unsubscribe();
    if (!isDurable) continue;
    const late = pending.filter((event) => event.resourceVersion > start.resourceVersion);
    const initial = [...start.initial, ...seenBy(deps, scope, late)];
    const resourceVersion = Math.max(start.resourceVersion, deps.store.durableResourceVersion);
    return subscribe(deps, scope, { initial, resourceVersion }, sink);
  }
}

function scopeOf(resource: Resource, options: WatchOptions): WatchScope {
  const selector = objectSelector(resource, options);
  const namespace = options.namespace === '' ? (selector.namespace ?? '') : options.namespace;
  return { resource, selector, keyPrefix: resource.isNamespaced && namespace !== '' ? `${namespace}/` : '' };
}

function resume(deps: WatchDependencies, scope: WatchScope, asked: number): Start {
  const name = storageName(scope.resource);
  const { resourceVersion: current } = deps.store;
  if (asked > current) throw expiredError(`too large resource version: ${asked}, current: ${current}`);
  const missed = deps.store.eventsAfter(name, asked);
  if (missed === undefined) {
    throw expiredError(`too old resource version: ${asked} (${deps.store.compactedTo(name)})`);
  }
  return { initial: seenBy(deps, scope, missed), resourceVersion: deps.store.durableResourceVersion };
}

function startNow(deps: WatchDependencies, scope: WatchScope, options: WatchOptions, asked: number): Start {
  const { resourceVersion } = deps.store;
  if (asked > resourceVersion) throw tooLargeResourceVersionError(String(asked), String(resourceVersion));
  if (options.sendInitialEvents === false) return { initial: [], resourceVersion };
  const initial: ObjectEvent[] = [];
  const { resource, selector } = scope;
  const { from, to } = keysOf(scope);
  for (const stored of deps.store.range(storageName(resource), from, to)) {
    const object = deps.served.view(resource, stored);
    if (selector.isEmpty || selector.matches(object)) initial.push({ type: 'ADDED', object });
  }
  // A watch without a resourceVersion gets this bookmark too, as it gets the initial events.
  const isAskedFor = options.sendInitialEvents === true || (options.resourceVersion ?? '') === '';
  if (isAskedFor && options.allowBookmarks === true) initial.push(makeBookmark(resource, resourceVersion, true));
  return { initial, resourceVersion };
}

/** Agents watch single objects, thousands of them at once after a restart: what they cannot match is not even looked at. */
function keysOf({ keyPrefix, resource, selector }: WatchScope): { readonly from: string; readonly to?: string } {
  if (selector.name !== undefined && (keyPrefix !== '' || !resource.isNamespaced)) {
    const key = `${keyPrefix === '' ? '/' : keyPrefix}${selector.name}`;
    return { from: key, to: `${key}\0` };
  }
  return keyPrefix === '' ? { from: '' } : { from: keyPrefix, to: `${keyPrefix.slice(0, -1)}0` };
}

function subscribe(deps: WatchDependencies, scope: WatchScope, start: Start, sink: EventSink): WatchSubscription {
  const listener = (events: readonly StoreEvent[]): void => {
    const first = events[0];
    if (first === undefined) return;
    const isNew = first.resourceVersion > start.resourceVersion;
    const fresh = isNew ? events : events.filter((event) => event.resourceVersion > start.resourceVersion);
    const seen = seenBy(deps, scope, fresh);
    if (seen.length > 0) sink(seen);
  };
  const close = deps.store.subscribe(storageName(scope.resource), listener, concernOf(deps, scope));
  return {
    initial: start.initial,
    bookmark: () => {
      const resourceVersion = Math.max(start.resourceVersion, deps.store.durableResourceVersion);
      return makeBookmark(scope.resource, resourceVersion, false);
    },
    close,
  };
}

/** Objects may be kept in another version than the one that the selector speaks of. */
function concernOf(deps: WatchDependencies, { resource, selector }: WatchScope): Concern | undefined {
  const { concern } = selector;
  if (concern === undefined || (!resource.isBuiltIn && resource.versions === undefined)) return concern;
  const name = `${resource.version} ${concern.name}`;
  return { name, value: concern.value, read: (object) => concern.read(deps.served.view(resource, object)) };
}

function seenBy(deps: WatchDependencies, scope: WatchScope, events: readonly StoreEvent[]): ObjectEvent[] {
  const seen: ObjectEvent[] = [];
  for (const event of events) {
    const own = deps.events.seen(scope, event);
    if (own !== undefined) seen.push(own);
  }
  return seen;
}

function makeBookmark(resource: Resource, resourceVersion: number, endsInitialEvents: boolean): ObjectEvent {
  const annotations = endsInitialEvents ? { annotations: { [INITIAL_EVENTS_END]: 'true' } } : {};
  const value = {
    kind: resource.kind,
    apiVersion: apiVersionOf(resource),
    metadata: { resourceVersion: String(resourceVersion), ...annotations },
  };
  const bytes = Buffer.from(printJson(value));
  return { type: 'BOOKMARK', object: new StoredObject({ key: '/', resourceVersion, bytes, value, shape: resource }) };
}
