import type { RequestCount, WatchCount } from '../fleet-result.ts';

/** What an API server has counted since it started. */
export interface ServerCounters {
  /** By verb and resource, separated by a blank. */
  readonly requests: ReadonlyMap<string, number>;
  readonly watchEvents: ReadonlyMap<string, number>;
  readonly watchBytes: ReadonlyMap<string, number>;
  readonly openWatches: number;
}

const SERIES = /^(?<name>[a-z_]+)\{(?<labels>[^}]*)\} (?<value>\S+)$/u;
const LABEL = /(?<name>[a-z_]+)="(?<value>[^"]*)"/gu;

/** Reads the text of `/metrics`: ours has the names of Kubernetes. */
export function readServerMetrics(text: string): ServerCounters {
  const [requests, watchEvents, watchBytes] = [new Map<string, number>(), new Map(), new Map()];
  let openWatches = 0;
  for (const line of text.split('\n')) {
    if (!line.startsWith('apiserver_')) continue;
    const { name = '', labels: inner = '', value = '0' } = SERIES.exec(line)?.groups ?? {};
    const labels = labelsIn(inner);
    const resource = labels.get('resource') ?? labels.get('kind') ?? '';
    if (name === 'apiserver_request_total') add(requests, requestKey(labels), Number(value));
    if (name === 'apiserver_watch_events_sizes_count') add(watchEvents, resource, Number(value));
    if (name === 'apiserver_watch_events_sizes_sum') add(watchBytes, resource, Number(value));
    if (name === 'apiserver_longrunning_requests' && labels.get('verb') === 'WATCH') openWatches += Number(value);
  }
  return { requests, watchEvents, watchBytes, openWatches };
}

/** What was counted between two readings, the most first. */
export function requestsBetween(before: ServerCounters, after: ServerCounters): readonly RequestCount[] {
  return grown(before.requests, after.requests).map(([key, count]) => {
    const [verb = '', resource = ''] = key.split(' ');
    return { verb, resource, count };
  });
}

/** What was written to watches between two readings, the most bytes first. */
export function watchesBetween(before: ServerCounters, after: ServerCounters): readonly WatchCount[] {
  return grown(before.watchBytes, after.watchBytes).map(([resource, bytes]) => {
    const events = (after.watchEvents.get(resource) ?? 0) - (before.watchEvents.get(resource) ?? 0);
    return { resource, events, bytes };
  });
}

function grown(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): readonly (readonly [string, number])[] {
  const differences = Array.from(after, ([key, value]) => [key, value - (before.get(key) ?? 0)] as const);
  return differences.filter(([, count]) => count > 0).toSorted(([, one], [, other]) => other - one);
}

function requestKey(labels: ReadonlyMap<string, string>): string {
  const [resource = '', subresource = ''] = [labels.get('resource'), labels.get('subresource')];
  return `${labels.get('verb') ?? ''} ${[resource, subresource].filter(Boolean).join('/')}`;
}

function labelsIn(text: string): ReadonlyMap<string, string> {
  return new Map(Array.from(text.matchAll(LABEL), ({ groups }) => [groups?.['name'] ?? '', groups?.['value'] ?? '']));
}

function add(counts: Map<string, number>, key: string, value: number): void {
  counts.set(key, (counts.get(key) ?? 0) + value);
}
