import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import {
  asScraped,
  hasPromtool,
  overlappingCells,
  readAlertRules,
  readDashboard,
  runPromtool,
  unknownNames,
  unknownValues,
  withoutVariables,
  type Series,
} from '@smalt/bed-prometheus';
import { Brake, openIncident, type Incident } from '@smalt/failure-detection';
import { addProcessMetrics, createIgnore, createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';

import { minimalSettings } from '../fixtures/minimal-settings.ts';
import { parseSettings } from '../settings/parse-settings.ts';
import { HaMetrics, judgementWords, sourceWords } from './ha-metrics.ts';
import { scrapeStore } from './scrape-store.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const RULES = resolve(ROOT, 'deploy/helm/smalt/files/alerts/ha-service.yaml');
const DASHBOARD = resolve(ROOT, 'deploy/helm/smalt/files/dashboards/ha-service.json');

/** Every series that there is. */
let series: readonly Series[];

beforeAll(async () => {
  series = asScraped(await everyMetric(), 'ha-service');
});

describe('the alerts', () => {
  it('use no metric, no label and no value that the service does not have', async () => {
    const rules = await readAlertRules(RULES);

    expect(rules.length).toBeGreaterThan(15);
    expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
  });

  it('have a severity, a summary, a description, and a page that says what to do and names them', async () => {
    const pages = await readdir(resolve(ROOT, 'docs/runbooks'));

    for (const { alert, labels, annotations } of await readAlertRules(RULES)) {
      const { runbook_url: url } = annotations;
      expect(labels.severity).toMatch(/^(info|warning|critical)$/);
      expect(labels.playbook).toBe(url);
      expect(pages.map((page) => `docs/runbooks/${page}`)).toContain(url);
      expect(await readFile(resolve(ROOT, url), 'utf8')).toContain(alert);
      expect(annotations).toMatchObject({ summary: expect.any(String), description: expect.any(String) });
    }
  });

  it('speak only of labels that are left in what fires', async () => {
    for (const { alert, expr, annotations } of await readAlertRules(RULES)) {
      const left = /\bby \((?<labels>[^)]*)\)/.exec(expr)?.groups?.['labels']?.split(/,\s*/) ?? [];
      const used = [...JSON.stringify(annotations).matchAll(/\$labels[.](\w+)/g)].map(([, label = '']) => label);
      expect({ alert, missing: used.filter((label) => !left.includes(label)) }).toEqual({ alert, missing: [] });
    }
  });

  it('cover what a person has to know', async () => {
    const names = (await readAlertRules(RULES)).map(({ alert }) => alert);

    expect(names).toEqual(
      expect.arrayContaining([
        'HaFenceFailed',
        'HaIncidentNeedsPerson',
        'HaPaused',
        'HaDryRun',
        'HaServiceNoLeader',
        'HaSourceBlind',
        'HaMassFailure',
        'HaBrakeUsedUp',
        'HaServiceDown',
        'HaTelemetryRefused',
        'HaStoreFailing',
      ]),
    );
  });
});

describe('the dashboard', () => {
  it('uses no metric, no label and no value that the service does not have', async () => {
    const { panels } = await readDashboard(DASHBOARD);
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

    expect(expressions.length).toBeGreaterThan(20);
    expect(expressions.flatMap((expr) => unknownIn(withoutVariables(expr)))).toEqual([]);
  });

  it('has panels of different ids, none of which covers another', async () => {
    const dashboard = await readDashboard(DASHBOARD);
    const ids = dashboard.panels.map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
    expect(overlappingCells(dashboard)).toEqual([]);
  });
});

// Prometheus is no package that we need: where it is installed, its own judgement counts as well.
describe.runIf(hasPromtool())('promtool', () => {
  it.each([
    ['check', 'rules', RULES],
    ['test', 'rules', resolve(ROOT, 'deploy/helm/smalt/files/alerts/tests/ha-service.yaml')],
  ])('finds nothing wrong by %s %s', (...words) => {
    expect(runPromtool(words)).toBe('');
  });
});

function unknownIn(expr: string): readonly string[] {
  return [...unknownNames(expr, series), ...unknownValues(expr, series)];
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
  metrics.brakeUsedUp.cell([]).set(1);
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
