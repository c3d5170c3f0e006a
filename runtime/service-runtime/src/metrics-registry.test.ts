import { describe, expect, it } from 'vitest';

import { addProcessMetrics, createIgnore, createLogger, MetricsRegistry } from './index.ts';

describe('MetricsRegistry', () => {
  it('prints counters, gauges and histograms as Prometheus reads them', () => {
    const metrics = new MetricsRegistry();
    const requests = metrics.counter({ name: 'requests_total', help: 'Requests.\nAll.', labelNames: ['verb', 'code'] });
    const size = metrics.gauge({ name: 'size', help: 'A size.' });
    const duration = metrics.histogram({ name: 'duration_seconds', help: 'How long.', buckets: [0.1, 1] });
    requests.cell(['get', '200']).add();
    requests.cell(['get', '200']).add(2);
    requests.cell(['a"b\\c\n', '500']).add();
    metrics.onCollect(() => size.cell([]).set(-1.5));
    for (const value of [0.1, 0.5, 3]) duration.cell([]).observe(value);

    const text = metrics.expose();

    expect(text).toBe(String.raw`# HELP requests_total Requests.\nAll.
# TYPE requests_total counter
requests_total{verb="get",code="200"} 3
requests_total{verb="a\"b\\c\n",code="500"} 1
# HELP size A size.
# TYPE size gauge
size -1.5
# HELP duration_seconds How long.
# TYPE duration_seconds histogram
duration_seconds_bucket{le="0.1"} 1
duration_seconds_bucket{le="1"} 2
duration_seconds_bucket{le="+Inf"} 3
duration_seconds_sum 3.6
duration_seconds_count 3
`);
  });

  it('forgets a series that was removed', () => {
    const metrics = new MetricsRegistry();
    const gauge = metrics.gauge({ name: 'g', help: '', labelNames: ['object'] });
    gauge.cell(['a']).set(1);
    gauge.cell(['b']).set(Infinity);

    gauge.remove(['a']);

    expect(metrics.expose()).toBe('# HELP g \n# TYPE g gauge\ng{object="b"} +Inf\n');
  });

  it('asks its sources anew at every scrape, and puts what they say last', async () => {
    const metrics = new MetricsRegistry();
    let scrapes = 0;
    metrics.counter({ name: 'own_total', help: 'Own.' });
    metrics.onScrape(async function* () {
      yield `a ${++scrapes}\n`;
    });
    metrics.onScrape(async function* () {
      yield 'b{object="x"} ';
      yield '1\n';
    });
    await metrics.scrapeText(AbortSignal.timeout(1_000));

    const text = await metrics.scrapeText(AbortSignal.timeout(1_000));

    expect(text).toBe('# HELP own_total Own.\n# TYPE own_total counter\nown_total 0\na 2\nb{object="x"} 1\n');
    expect(metrics.expose()).not.toContain('object=');
  });

  it.each([
    { why: 'a name twice', act: (metrics: MetricsRegistry) => metrics.gauge({ name: 'known', help: '' }) },
    { why: 'a bad name', act: (metrics: MetricsRegistry) => metrics.gauge({ name: 'a-b', help: '' }) },
    {
      why: 'a bad label',
      act: (metrics: MetricsRegistry) => metrics.gauge({ name: 'g', help: '', labelNames: ['a:b'] }),
    },
    { why: 'too many values', act: (metrics: MetricsRegistry) => metrics.gauge({ name: 'g', help: '' }).cell(['x']) },
    {
      why: 'buckets that do not grow',
      act: (metrics: MetricsRegistry) => metrics.histogram({ name: 'h', help: '', buckets: [1, 1] }),
    },
  ])('refuses $why', ({ act }) => {
    const metrics = new MetricsRegistry();
    metrics.counter({ name: 'known', help: '' });

    expect(() => act(metrics)).toThrow(expect.objectContaining({ code: 'invalid-metric' }));
  });
});

it('tells the memory and the processor time of the process', () => {
  const metrics = new MetricsRegistry();
  addProcessMetrics(metrics);

  const text = metrics.expose();

  expect(Number(/process_resident_memory_bytes (\d+)/.exec(text)?.[1])).toBeGreaterThan(1e6);
  expect(Number(/process_cpu_seconds_total ([\d.]+)/.exec(text)?.[1])).toBeGreaterThan(0);
});

it('counts an ignored error by its reason and shows it at the level debug', () => {
  const lines: string[] = [];
  const logger = createLogger({
    name: 'app',
    level: 'debug',
    destination: { write: (line) => lines.push(line) },
  });
  const metrics = new MetricsRegistry();

  createIgnore(metrics, logger)(new Error('gone'), 'the peer went away');

  expect(metrics.expose()).toContain('smalt_ignored_errors_total{why="the peer went away"} 1\n');
  expect(lines.join('')).toContain('"message":"gone"');
});
