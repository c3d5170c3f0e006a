import { startTestDaemon } from '@smalt/bed-libvirt';
import { openSession, type LibvirtSession } from '@smalt/libvirt';
import { createIgnore, createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { describe, expect, it } from 'vitest';

import { MigrationMetrics } from '../migrations/migration-metrics.ts';
import { addAgentMetrics } from './agent-metrics.ts';
import { addLibvirtMetrics } from './add-libvirt-metrics.ts';

describe('addLibvirtMetrics', () => {
  it('tells of the domains that run, and forgets one that does not', async () => {
    await using daemon = await startTestDaemon();
    await using session = openSession(daemon.uri);
    await session.connected();
    const { scrape } = world(session);
    const before = await scrape();

    const domain = await session.domainLookupByName({ name: 'test' });
    await session.domainDestroy({ domain });
    const after = await scrape();

    expect(before).toContain('\nlibvirt_up 1\n');
    expect(before).toContain('\nlibvirt_domains 1\n');
    expect(before).toContain(`libvirt_domain_info_vstate{domain="test",uuid="${domain.uuid}"} 1\n`);
    expect(after).toContain('\nlibvirt_up 1\n');
    expect(after).toContain('\nlibvirt_domains 0\n');
    expect(after).not.toContain('domain="test"');
  });

  it('asks once for scrapes at the same time, and again for the next', async () => {
    await using daemon = await startTestDaemon();
    await using session = openSession(daemon.uri);
    await session.connected();
    const { scrape, calls } = world(session);
    await scrape();
    const before = calls.count;

    const texts = await Promise.all([scrape(), scrape(), scrape()]);
    await scrape();

    expect(new Set(texts.map((text) => text.slice(text.indexOf('# HELP libvirt_up')))).size).toBe(1);
    expect(calls.count - before).toBe(2);
  });

  it('answers without the daemon when that is stuck, and with it once it goes on', async () => {
    await using daemon = await startTestDaemon();
    await using session = openSession(daemon.uri);
    await session.connected();
    const { scrape } = world(session, { timeoutMs: 100 });
    await scrape();

    daemon.kill('SIGSTOP');
    const stuck = await scrape();
    daemon.kill('SIGCONT');
    const wellAgain = await scrape();

    expect(stuck).toContain('\nlibvirt_up 0\n');
    expect(stuck).toContain('smalt_agent_info{node="n1"');
    expect(stuck).not.toContain('libvirt_domain');
    expect(wellAgain).toContain('\nlibvirt_up 1\n');
    expect(wellAgain).toContain(
      'smalt_ignored_errors_total{why="libvirt_up tells that the statistics could not be had"} 1',
    );
  });

  it('answers at once when there is no connection to the daemon', async () => {
    const daemon = await startTestDaemon();
    const uri = daemon.uri;
    await daemon[Symbol.asyncDispose]();
    await using session = openSession(uri);
    const { scrape } = world(session, { timeoutMs: 60_000 });

    const text = await scrape();

    expect(text).toContain('\nlibvirt_up 0\n');
  });
});

it('tells of failures before there is one, so that alerts see the first', () => {
  const metrics = new MetricsRegistry();

  addAgentMetrics(metrics, { nodeName: 'n1', version: '1.2', libvirtUri: 'test:///default' });
  const migrations = new MigrationMetrics(metrics);
  migrations.setWaiting(0);

  const text = metrics.expose();
  expect(text).toContain('smalt_agent_status_writes_total{result="failed"} 0\n');
  expect(text).toContain('smalt_migrations_total{role="origin",result="failed"} 0\n');
});

it('counts what the agent does', () => {
  const metrics = new MetricsRegistry();
  const agent = addAgentMetrics(metrics, { nodeName: 'n1', version: '1.2', libvirtUri: 'test:///default' });

  agent.countStatusWrite('written');
  agent.countPartFailure('migrations');
  agent.observeRefresh('host', 0.02);

  const text = metrics.expose();
  expect(text).toContain('smalt_agent_info{node="n1",version="1.2",libvirt_uri="test:///default"} 1\n');
  expect(text).toContain('smalt_agent_status_writes_total{result="written"} 1\n');
  expect(text).toContain('smalt_agent_part_failures_total{part="migrations"} 1\n');
  expect(text).toContain('smalt_agent_refresh_seconds_bucket{part="host",le="0.025"} 1\n');
});

function world(session: LibvirtSession, settings: { readonly timeoutMs?: number } = {}) {
  const metrics = new MetricsRegistry();
  addAgentMetrics(metrics, { nodeName: 'n1', version: '1', libvirtUri: session.uri });
  const logger = createLogger({ name: 'test', destination: { write: () => undefined } });
  const calls = { count: 0 };
  const counting: Parameters<typeof addLibvirtMetrics>[0]['session'] = {
    get state() {
      return session.state;
    },
    connectGetAllDomainStats: (...args) => {
      calls.count++;
      return session.connectGetAllDomainStats(...args);
    },
  };
  addLibvirtMetrics({ session: counting, metrics, ignore: createIgnore(metrics, logger) }, settings);
  return { scrape: () => metrics.scrapeText(AbortSignal.timeout(5_000)), calls };
}
