import { once } from 'node:events';

import { startTestDaemon } from '@smalt/bed-libvirt';
import { systemClock } from '@smalt/controller-runtime';
import { openSession } from '@smalt/libvirt';
import { createIgnore, createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { MigrationMetrics } from './migration-metrics.ts';
import { MigrationWatcher } from './migration-watcher.ts';
import type { PendingRecord } from './pending-record.ts';

it('watches a driver that knows neither jobs nor monitors, and tells what was lost of a migration before', async () => {
  await using daemon = await startTestDaemon();
  await using session = openSession(daemon.uri);
  const registry = new MetricsRegistry();
  const logged: Record<string, unknown>[] = [];
  const logger = createLogger({
    name: 'test',
    destination: { write: (line) => logged.push(Object(JSON.parse(line))) },
  });
  const reports = new EventTarget();
  const told: PendingRecord[] = [];
  const watcher = new MigrationWatcher(
    {
      session,
      host: 'a',
      logger,
      ignore: createIgnore(registry, logger),
      metrics: new MigrationMetrics(registry),
      clock: systemClock,
      now: () => new Date(),
      pollMs: 50,
    },
    (report) => {
      told.push(report);
      reports.dispatchEvent(new Event('report'));
    },
  );
  const stop = new AbortController();
  const reported = once(reports, 'report', { signal: AbortSignal.timeout(10_000) });

  watcher.resume(departure());
  const running = watcher.run(stop.signal);
  await reported;
  stop.abort();
  await running;

  expect(told.map(({ observation }) => observation.result)).toEqual([
    { kind: 'failed', error: 'the guest is gone from its origin, and its end was not seen' },
  ]);
  expect(logged).toContainEqual(expect.objectContaining({ msg: 'watching for migrations' }));
  expect(registry.expose()).toContain('smalt_migrations_total{role="origin",result="failed"} 1');
});

function departure(): PendingRecord {
  return {
    guest: 'gone',
    observation: {
      instance: crypto.randomUUID(),
      role: 'origin',
      host: 'a',
      startedAtMs: Date.now() - 60_000,
      isEstimated: false,
      elapsedMs: 1000,
      progress: {},
    },
  };
}
