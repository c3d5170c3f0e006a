import type { MetricsRegistry } from './metrics-registry.ts';

/** Adds what Prometheus expects of every process: memory, CPU, start time, and how busy it is. */
export function addProcessMetrics(metrics: MetricsRegistry): void {
  const resident = metrics.gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory size in bytes.',
  });
  const heap = metrics.gauge({ name: 'nodejs_heap_size_used_bytes', help: 'Process heap size used in bytes.' });
  const cpu = metrics.gauge({
    name: 'process_cpu_seconds_total',
    help: 'Total user and system CPU time spent in seconds.',
  });
  const start = metrics.gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process since unix epoch in seconds.',
  });
  const busy = metrics.gauge({
    name: 'nodejs_eventloop_utilization',
    help: 'The share of the time since the last scrape in which the event loop was at work.',
  });
  let before = performance.eventLoopUtilization();
  start.cell([]).set(Math.round(performance.timeOrigin) / 1_000);
  metrics.onCollect(() => {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    resident.cell([]).set(rss);
    heap.cell([]).set(heapUsed);
    cpu.cell([]).set((user + system) / 1e6);
    const now = performance.eventLoopUtilization();
    busy.cell([]).set(performance.eventLoopUtilization(now, before).utilization);
    before = now;
  });
}
