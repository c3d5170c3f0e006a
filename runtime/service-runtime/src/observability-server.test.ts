import { describe, expect, it } from 'vitest';

import { HealthRegistry, MetricsRegistry, renderHealth, startObservabilityServer } from './index.ts';

describe('startObservabilityServer', () => {
  it('serves the metrics', async () => {
    const metrics = new MetricsRegistry();
    metrics.counter({ name: 'a_total', help: 'A.' }).cell([]).add(2);
    metrics.onScrape(async function* (signal) {
      yield `asked{aborted="${signal.aborted}"} 1\n`;
    });
    await using server = await start({ metrics });

    const response = await fetch(`http://127.0.0.1:${server.port}/metrics`);

    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await response.text()).toContain('a_total 2\nasked{aborted="false"} 1\n');
  });

  it('sends what is long at the pace of the reader, and stops when that goes away', async () => {
    const metrics = new MetricsRegistry();
    const stopped = Promise.withResolvers<void>();
    metrics.onScrape(async function* (signal) {
      try {
        while (!signal.aborted) yield `${'x'.repeat(65_536)} 1\n`;
      } finally {
        stopped.resolve();
      }
    });
    await using server = await start({ metrics });
    const leaving = new AbortController();
    const response = await fetch(`http://127.0.0.1:${server.port}/metrics`, { signal: leaving.signal });

    leaving.abort();

    expect(response.status).toBe(200);
    await expect(stopped.promise).resolves.toBeUndefined();
  });

  it.each([
    { path: '/livez', status: 200, text: 'ok' },
    { path: '/livez?verbose', status: 200, text: '[+]ping ok\nlivez check passed\n' },
    { path: '/livez/ping', status: 200, text: 'ok' },
    { path: '/livez/store', status: 404, text: '404 page not found\n' },
    { path: '/readyz', status: 500, text: '[+]ping ok\n[-]store failed: reason withheld\nreadyz check failed\n' },
    {
      path: '/readyz?verbose',
      status: 500,
      text: '[+]ping ok\n[-]store failed: the disk is full\nreadyz check failed\n',
    },
    { path: '/readyz/store', status: 500, text: '[-]store failed: reason withheld\nreadyz check failed\n' },
    {
      path: '/readyz?exclude=store&exclude=other&verbose',
      status: 200,
      text: '[+]ping ok\n[+]store excluded: ok\nwarn: some health checks cannot be excluded: no matches for "other"\nreadyz check passed\n',
    },
    { path: '/', status: 404, text: '404 page not found\n' },
    { path: '/livez/ping/more', status: 404, text: '404 page not found\n' },
  ])('answers $path with $status', async ({ path, status, text }) => {
    const health = new HealthRegistry();
    health.add({ name: 'store', kinds: ['readyz'], check: () => Promise.reject(new Error('the disk\nis full')) });
    await using server = await start({ health });

    const response = await fetch(`http://127.0.0.1:${server.port}${path}`);

    expect({ status: response.status, text: await response.text() }).toEqual({ status, text });
  });

  it('takes nothing but questions', async () => {
    await using server = await start({});

    const response = await fetch(`http://127.0.0.1:${server.port}/metrics`, { method: 'POST' });

    expect(response.status).toBe(405);
  });
});

describe('HealthRegistry', () => {
  it('counts a check that does not answer in time as failed', async () => {
    const health = new HealthRegistry();
    health.add({ name: 'stuck', check: () => new Promise(() => undefined) });

    const report = await health.run('livez', { signal: AbortSignal.timeout(5) });

    expect(renderHealth(report, false).status).toBe(500);
  });

  it('drops a check when its registration is disposed of, and refuses two of one name', async () => {
    const health = new HealthRegistry();
    {
      using _check = health.add({ name: 'a', check: () => Promise.reject(new Error('no')) });
      expect(() => health.add({ name: 'a', check: () => undefined })).toThrow('there is a health check a already');
    }

    const report = await health.run('healthz', { signal: AbortSignal.timeout(1_000) });

    expect(report.isHealthy).toBe(true);
  });
});

function start(given: { readonly metrics?: MetricsRegistry; readonly health?: HealthRegistry }) {
  const { metrics = new MetricsRegistry(), health = new HealthRegistry() } = given;
  return startObservabilityServer({ host: '127.0.0.1', port: 0, metrics, health });
}
