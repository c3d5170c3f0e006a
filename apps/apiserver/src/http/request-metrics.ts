import type { Counter, Gauge, Histogram, MetricFamily, MetricsRegistry } from '@smalt/service-runtime';

import type { RequestInfo } from './request-info.ts';

const DURATIONS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
/** Bytes, as Kubernetes has them. */
const EVENT_SIZES = [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072];
const RESOURCE_LABELS = ['verb', 'group', 'version', 'resource', 'subresource', 'scope'];
const KNOWN_VERBS: ReadonlySet<string> = new Set([
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'connect',
]);
/** They last as long as the client wants. */
const STREAMING_VERBS: ReadonlySet<string> = new Set(['watch', 'connect']);

/** A finished request, as the metrics count it. */
export interface CountedRequest {
  readonly info: RequestInfo;
  /** Whether there is such a resource. Names that a client made up must not become labels: they would stay for good. */
  readonly isKnown: boolean;
  readonly code: number;
  readonly durationSeconds: number;
}

interface SentEvent {
  readonly object: { readonly byteLength: number };
}

/** Counts requests and watches under the names that Kubernetes uses. */
export class RequestMetrics {
  readonly #totals: MetricFamily<Counter>;
  readonly #durations: MetricFamily<Histogram>;
  readonly #reading: Gauge;
  readonly #mutating: Gauge;
  readonly #watches: Gauge;
  readonly #watchEvents: Counter;
  readonly #eventSizes: MetricFamily<Histogram>;
  readonly #slowWatchers: Counter;

  constructor(registry: MetricsRegistry) {
    const total = { name: 'apiserver_request_total', help: 'Requests by verb, resource and HTTP code.' };
    this.#totals = registry.counter({ ...total, labelNames: [...RESOURCE_LABELS, 'code'] });
    const duration = { name: 'apiserver_request_duration_seconds', help: 'How long requests took, streams left out.' };
    this.#durations = registry.histogram({ ...duration, labelNames: RESOURCE_LABELS, buckets: DURATIONS });
    const current = { name: 'apiserver_current_inflight_requests', help: 'Requests that are being worked on.' };
    const inFlight = registry.gauge({ ...current, labelNames: ['request_kind'] });
    this.#reading = inFlight.cell(['readOnly']);
    this.#mutating = inFlight.cell(['mutating']);
    const open = { name: 'apiserver_longrunning_requests', help: 'Requests that stay open, such as watches.' };
    this.#watches = registry.gauge({ ...open, labelNames: ['verb'] }).cell(['WATCH']);
    const events = { name: 'apiserver_watch_events_total', help: 'Events sent to watchers.' };
    this.#watchEvents = registry.counter(events).cell([]);
    const sizes = { name: 'apiserver_watch_events_sizes', help: 'Bytes of the objects in events sent to watchers.' };
    const labelNames = ['group', 'version', 'resource'];
    this.#eventSizes = registry.histogram({ ...sizes, labelNames, buckets: EVENT_SIZES });
    const slow = { name: 'apiserver_terminated_watchers_total', help: 'Watchers closed because they did not keep up.' };
    this.#slowWatchers = registry.counter(slow).cell([]);
  }

  /** Requests that are being worked on, watches left out. */
  get inFlight(): number {
    return this.#reading.value + this.#mutating.value;
  }

  begin(isReading: boolean): void {
    (isReading ? this.#reading : this.#mutating).add(1);
  }

  end(isReading: boolean): void {
    (isReading ? this.#reading : this.#mutating).add(-1);
  }

  watchOpened(): void {
    this.#watches.add(1);
  }

  watchClosed(): void {
    this.#watches.add(-1);
  }

  watcherWasTooSlow(): void {
    this.#slowWatchers.add();
  }

  /** Counts what was sent to one watcher. */
  countWatchEvents({ group, version, plural }: RequestInfo, events: readonly SentEvent[]): void {
    this.#watchEvents.add(events.length);
    const sizes = this.#eventSizes.cell([group, version, plural]);
    for (const { object } of events) sizes.observe(object.byteLength);
  }

  count(request: CountedRequest): void {
    const labels = labelsOf(request);
    this.#totals.cell([...labels, String(request.code)]).add();
    if (!STREAMING_VERBS.has(request.info.verb)) this.#durations.cell(labels).observe(request.durationSeconds);
  }
}

function labelsOf({ info, isKnown }: CountedRequest): readonly string[] {
  const verb = KNOWN_VERBS.has(info.verb) ? info.verb.toUpperCase() : 'other';
  if (!isKnown) return [verb, '', '', '', '', ''];
  return [verb, info.group, info.version, info.plural, info.subresource, scopeOf(info)];
}

function scopeOf({ name, namespace }: RequestInfo): string {
  if (name !== '') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
