import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { Brake, openIncident, type Incident } from '@smalt/failure-detection';
import { addProcessMetrics, createIgnore, createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';

import { minimalSettings } from '../fixtures/minimal-settings.ts';
import { parseSettings } from '../settings/parse-settings.ts';
import { HaMetrics, judgementWords, sourceWords } from './ha-metrics.ts';
import { scrapeStore } from './scrape-store.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** Every series that there is, by metric: its labels with all values they have. */
let known: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

beforeAll(async () => {
  known = seriesOf(await everyMetric());
});

describe('the alerts', () => {
  it('use no metric, no label and no value that the service does not have', async () => {
    const rules = await readRules();

    expect(rules.length).toBeGreaterThan(15);
    expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
  });

  it('have a severity, a summary, a description, and a page that says what to do and names them', async () => {
    const pages = await readdir(resolve(ROOT, 'docs/runbooks'));

    for (const { alert, labels, annotations } of await readRules()) {
      const { runbook_url: url } = annotations;
      expect(labels.severity).toMatch(/^(info|warning|critical)$/);
      expect(labels.playbook).toBe(url);
      expect(pages.map((page) => `docs/runbooks/${page}`)).toContain(url);
      expect(await readFile(resolve(ROOT, url), 'utf8')).toContain(alert);
      expect(annotations).toMatchObject({ summary: expect.any(String), description: expect.any(String) });
    }
  });

  it('speak only of labels that are left in what fires', async () => {
    for (const { alert, expr, annotations } of await readRules()) {
      const left = /\bby \((?<labels>[^)]*)\)/.exec(expr)?.groups?.['labels']?.split(/,\s*/) ?? [];
      const used = [...JSON.stringify(annotations).matchAll(/\$labels[.](\w+)/g)].map(([, label = '']) => label);
      expect({ alert, missing: used.filter((label) => !left.includes(label)) }).toEqual({ alert, missing: [] });
    }
  });

  it('cover what a person has to know', async () => {
    const names = (await readRules()).map(({ alert }) => alert);

    expect(names).toEqual(
      expect.arrayContaining([
        'HaFenceFailed',
        'HaIncidentNeedsPerson',
        'HaPaused',
        'HaDryRun',
        'HaServiceNoLeader',
        'HaSourceBlind',
        'HaMassFailure',
        'HaServiceDown',
        'HaTelemetryRefused',
        'HaStoreFailing',
      ]),
    );
  });
});

describe('the dashboard', () => {
  it('uses no metric, no label and no value that the service does not have', async () => {
    const { panels } = await readDashboard();
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

    expect(expressions.length).toBeGreaterThan(20);
    expect(expressions.flatMap((expr) => unknownIn(expr.replaceAll('$__rate_interval', '5m')))).toEqual([]);
  });

  it('has panels of different ids, none of which covers another', async () => {
    const { panels } = await readDashboard();
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );

    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(cells).size).toBe(cells.length);
  });
});

// Prometheus is no package that we need: where it is installed, its own judgement counts as well.
describe.runIf(hasPromtool)('promtool', () => {
  it.each([
    ['check', 'rules', resolve(ROOT, 'deploy/alerts/ha-service.yaml')],
    ['test', 'rules', resolve(ROOT, 'deploy/alerts/tests/ha-service.yaml')],
  ])('finds nothing wrong by %s %s', (...words) => {
    const { status, stderr, stdout } = spawnSync('promtool', words, { encoding: 'utf8' });

    expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
  });
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string; readonly playbook: string };
  readonly annotations: { readonly runbook_url: string };
}

async function readRules(): Promise<readonly Rule[]> {
  const file = await readFile(resolve(ROOT, 'deploy/alerts/ha-service.yaml'), 'utf8');
  const { groups } = parse(file) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

interface Panel {
  readonly id: number;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

async function readDashboard(): Promise<{ readonly panels: readonly Panel[] }> {
  return JSON.parse(await readFile(resolve(ROOT, 'deploy/dashboards/ha-service.json'), 'utf8')) as {
    readonly panels: readonly Panel[];
  };
}

/** What an expression uses and no series has. Prometheus itself adds `up` and `job`. */
function unknownIn(expr: string): readonly string[] {
  const grouping = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
  return [...expr.matchAll(/\b(up|(?:smalt|process)_\w+)(?:\{([^}]*)\})?/g)].flatMap(([, metric = '', inner = '']) => {
    if (metric === 'up') return [];
    const labels = known.get(metric);
    if (labels === undefined) return [metric];
    const matchers = [...inner.matchAll(/(\w+)(=~|=)"([^"]*)"/g)].filter(([, label]) => label !== 'job');
    return [
      ...matchers
        .filter(([, label = '', , value = '']) => !value.split('|').every((word) => labels.get(label)?.has(word)))
        .map(([matcher]) => `${metric}{${matcher}}`),
      ...grouping.filter((label) => !labels.has(label)).map((label) => `${metric} by ${label}`),
    ];
  });
}

/** The text of a service to which everything has happened. */
async function everyMetric(): Promise<string> {
  const registry = new MetricsRegistry();
  addProcessMetrics(registry);
  const metrics = new HaMetrics(registry);
  for (const word of judgementWords) metrics.hosts.cell([word]).set(1);
  for (const word of sourceWords) metrics.sourceUp.cell([word]).set(1);
  const report = { host: 'h', method: 'bmc', power: 'on', isReachable: true, message: undefined, tookMs: 1 } as const;
  metrics.sawControllers('h', [report]);
  for (const brake of Object.values(Brake)) metrics.blockedHosts.cell([brake]).set(1);
  metrics.notices.cell(['hook', 'failed']).add();
  metrics.notices.cell(['hook', 'delivered']).add();
  const settings = parseSettings(stringify(minimalSettings()));
  const logger = createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } });
  registry.onScrape((signal) =>
    scrapeStore(
      {
        settings: () => settings,
        clock: { now: () => 10_000 },
        ignore: createIgnore(new MetricsRegistry(), logger),
        store: {
          hosts: { list: () => Promise.resolve([{ name: 'h', isSwitchedOn: true, heldBy: 'i' }]) },
          incidents: { list: () => Promise.resolve([waiting()]) },
          switches: () => Promise.resolve({ isPaused: true, isDryRun: false }),
        },
      },
      signal,
    ),
  );
  return await registry.scrapeText(AbortSignal.timeout(5_000));
}

function waiting(): Incident {
  const about = { id: 'i', host: 'h', bootId: undefined, condemnedBy: [], fenceMethods: [] };
  return { ...openIncident(about, 4_000), wait: { reason: 'no-proof', message: 'no proof', needsPerson: true } };
}

function seriesOf(text: string): ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>> {
  const series = new Map<string, Map<string, Set<string>>>();
  for (const [, metric = '', inner = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const labels = series.get(metric) ?? new Map<string, Set<string>>();
    series.set(metric, labels);
    for (const [, label = '', value = ''] of inner.matchAll(/(\w+)="([^"]*)"/g)) {
      labels.set(label, (labels.get(label) ?? new Set()).add(value));
    }
  }
  return series;
}
