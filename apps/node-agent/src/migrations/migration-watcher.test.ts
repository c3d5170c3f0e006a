import { once } from 'node:events';

import { startTestDaemon } from '@smalt/bed-libvirt';
import { systemClock } from '@smalt/controller-runtime';
import { openSession, type LibvirtSession } from '@smalt/libvirt';
import { createIgnore, createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { MigrationMetrics } from './migration-metrics.ts';
import { MigrationWatcher } from './migration-watcher.ts';
import type { PendingRecord } from './pending-record.ts';

const GONE = { kind: 'failed', error: 'the guest is gone from its origin, and its end was not seen' } as const;

it('watches a driver that knows neither jobs nor monitors, and tells what was lost of a migration before', async () => {
  await using bed = await startWatcherBed();
  const reported = once(bed.reports, 'report', { signal: AbortSignal.timeout(10_000) });

  await bed.watch(departure({ guest: 'gone', instance: crypto.randomUUID() }), async () => {
    await reported;
  });

  expect(bed.told.map(({ observation }) => observation.result)).toEqual([GONE]);
  expect(bed.logged).toContainEqual(expect.objectContaining({ msg: 'watching for migrations' }));
  expect(bed.registry.expose()).toContain('smalt_migrations_total{role="origin",result="failed"} 1');
});

it.each([
  { what: 'is over if the guest was started anew meanwhile', run: 'boot/7', results: [GONE] },
  { what: 'is over if the host was started anew meanwhile', run: 'another-boot/1', results: [GONE] },
  { what: 'goes on if the guest has run all the time', run: 'boot/1', results: [] },
  { what: 'goes on if nobody has kept which run it was', run: undefined, results: [] },
])('a migration that was under way when the agent stopped $what', async ({ run, results }) => {
  await using bed = await startWatcherBed();
  const [domain] = await bed.session.connectListAllDomains();
  if (domain === undefined) throw new Error('the daemon has no guest');
  await using events = await bed.session.domainEvents({ kinds: ['lifecycle'] });

  await bed.watch({ ...departure({ guest: domain.name, instance: domain.uuid }), run }, async () => {
    await bed.session.domainSuspend({ domain });
    await events.next();
  });

  expect(bed.told.map(({ observation }) => observation.result)).toEqual(results);
});

interface WatcherBed extends AsyncDisposable {
  readonly session: LibvirtSession;
  readonly registry: MetricsRegistry;
  readonly logged: readonly Record<string, unknown>[];
  readonly told: readonly PendingRecord[];
  /** Tells of each report. */
  readonly reports: EventTarget;
  /** Has a watcher go on with a migration while something is done. */
  watch(pending: PendingRecord, meanwhile: () => Promise<void>): Promise<void>;
}

async function startWatcherBed(): Promise<WatcherBed> {
  await using stack = new AsyncDisposableStack();
  const daemon = stack.use(await startTestDaemon());
  const session = stack.use(openSession(daemon.uri));
  await session.connected();
  const registry = new MetricsRegistry();
  const logged: Record<string, unknown>[] = [];
  const { promise: watching, resolve } = Promise.withResolvers<void>();
  const write = (line: string): void => {
    logged.push(Object(JSON.parse(line)));
    if (line.includes('watching for migrations')) resolve();
  };
  const logger = createLogger({ name: 'test', destination: { write } });
  const reports = new EventTarget();
  const told: PendingRecord[] = [];
  const ignore = createIgnore(registry, logger);
  const metrics = new MigrationMetrics(registry);
  const deps = { session, host: 'a', bootId: 'boot', logger, ignore, metrics, clock: systemClock, pollMs: 50 };
  const watcher = new MigrationWatcher({ ...deps, now: () => new Date() }, (report) => {
    told.push(report);
    reports.dispatchEvent(new Event('report'));
  });
  const watch = async (pending: PendingRecord, meanwhile: () => Promise<void>): Promise<void> => {
    const stop = new AbortController();
    watcher.resume(pending);
    const running = watcher.run(stop.signal);
    await watching;
    await meanwhile();
    stop.abort();
    await running;
  };
  const owned = stack.move();
  return { session, registry, logged, told, reports, watch, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function departure({ guest, instance }: { readonly guest: string; readonly instance: string }): PendingRecord {
  return {
    guest,
    observation: {
      instance,
      role: 'origin',
      host: 'a',
      startedAtMs: Date.now() - 60_000,
      isEstimated: false,
      elapsedMs: 1000,
      progress: {},
    },
  };
}
