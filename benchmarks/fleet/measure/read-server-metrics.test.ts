import { expect, it } from 'vitest';

import { readServerMetrics, requestsBetween, watchesBetween } from './read-server-metrics.ts';

it('tells what was asked for and what watches got between two readings, the most first', () => {
  const before = readServerMetrics(metrics({ puts: 10, bytes: 2_000, events: 2 }));
  const after = readServerMetrics(metrics({ puts: 17, bytes: 9_000, events: 5 }));

  expect(requestsBetween(before, after)).toEqual([{ verb: 'PUT', resource: 'leases', count: 7 }]);
  expect(watchesBetween(before, after)).toEqual([{ resource: 'nodes', events: 3, bytes: 7_000 }]);
  expect(after.openWatches).toBe(12);
});

it('adds up the answers to one kind of request, and names the subresource', () => {
  const { requests } = readServerMetrics(metrics({ puts: 1, bytes: 0, events: 0 }));

  expect(Object.fromEntries(requests)).toEqual({ 'PUT leases': 1, 'APPLY nodes/status': 7 });
});

function metrics({ puts, bytes, events }: { puts: number; bytes: number; events: number }): string {
  return [
    '# TYPE apiserver_request_total counter',
    `apiserver_request_total{code="200",resource="leases",subresource="",verb="PUT"} ${puts}`,
    'apiserver_request_total{code="200",resource="nodes",subresource="status",verb="APPLY"} 4',
    'apiserver_request_total{code="409",resource="nodes",subresource="status",verb="APPLY"} 3',
    `apiserver_watch_events_sizes_sum{group="",version="v1",resource="nodes"} ${bytes}`,
    `apiserver_watch_events_sizes_count{group="",version="v1",resource="nodes"} ${events}`,
    'apiserver_watch_events_sizes_bucket{group="",version="v1",resource="nodes",le="1024"} 1',
    'apiserver_longrunning_requests{verb="WATCH",resource="nodes"} 4',
    'apiserver_longrunning_requests{verb="WATCH",resource="pods"} 8',
    'apiserver_longrunning_requests{verb="CONNECT",resource="pods"} 8',
    'etcd_requests_total{operation="get"} 4',
  ].join('\n');
}
