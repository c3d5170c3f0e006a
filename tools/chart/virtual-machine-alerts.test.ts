import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { hasPromtool, overlappingCells, readAlertRules, readDashboard, runPromtool } from '@smalt/bed-prometheus';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const ALERTS = resolve(ROOT, 'deploy/helm/smalt/files/alerts');
const DASHBOARD = resolve(ROOT, 'deploy/helm/smalt/files/dashboards/virtual-machines.json');
const PARTS = ['virt-api', 'virt-controller', 'virt-handler', 'node-agent', 'ha-agent', 'console'];
/** What Prometheus and kube-state-metrics tell, and not we. */
const OF_OTHERS = new Set(['up', 'kube_daemonset_status_number_unavailable']);
const OWN_METRIC =
  /\b(?:up|(?:smalt|kubevirt|libvirt|kube|controller_runtime|workqueue|leader_election|process)_\w+)\b/g;

describe.each(PARTS)('the alerts about %s', (part) => {
  it('have a severity, and a page that says what to do and names them', async () => {
    const rules = await readAlertRules(`${ALERTS}/${part}.yaml`);

    expect(rules.length).toBeGreaterThan(0);
    for (const { alert, labels, annotations } of rules) {
      expect(labels.severity).toMatch(/^(warning|critical)$/);
      expect(labels.playbook).toBe(annotations.runbook_url);
      expect(await readFile(resolve(ROOT, annotations.runbook_url), 'utf8')).toContain(alert);
    }
  });

  it('use metrics that the program has', async () => {
    const rules = await readAlertRules(`${ALERTS}/${part}.yaml`);
    // A node agent has an HA agent inside.
    const known = metricsOf([`apps/${part}/src`, ...(part === 'node-agent' ? ['apps/ha-agent/src'] : [])]);

    const used = rules.flatMap(({ expr }) => expr.match(OWN_METRIC) ?? []);

    expect(used.length).toBeGreaterThanOrEqual(rules.length);
    expect(used.filter((name) => !OF_OTHERS.has(name) && !known.has(name))).toEqual([]);
  });

  it('speak only of labels that are left in what fires', async () => {
    for (const { alert, expr, annotations } of await readAlertRules(`${ALERTS}/${part}.yaml`)) {
      const left = /\bby \((?<labels>[^)]*)\)/.exec(expr)?.groups?.['labels']?.split(/,\s*/) ?? [];
      const used = [...JSON.stringify(annotations).matchAll(/\$labels[.](\w+)/g)].map(([, label = '']) => label);
      expect({ alert, missing: used.filter((label) => !left.includes(label)) }).toEqual({ alert, missing: [] });
    }
  });

  it('speak of jobs and DaemonSets by the name that the chart gives the part', async () => {
    const template = await readFile(resolve(ROOT, `deploy/helm/smalt/templates/${part}.yaml`), 'utf8');
    const name = /\$name := "([^"]+)"/.exec(template)?.[1] ?? '';
    const expressions = (await readAlertRules(`${ALERTS}/${part}.yaml`)).map(({ expr }) => expr).join('\n');

    const jobs = [...expressions.matchAll(/\bjob=~"([^"]+)"/g)].map(([, pattern = '']) => pattern);
    const daemonSets = [...expressions.matchAll(/\bdaemonset="([^"]+)"/g)].map(([, each = '']) => each);

    expect(jobs.length).toBeGreaterThan(0);
    expect(jobs.filter((pattern) => !new RegExp(`^${pattern}$`).test(name))).toEqual([]);
    expect(daemonSets.filter((each) => each !== name)).toEqual([]);
  });

  it('come with the part, if alerts are asked for', async () => {
    const template = await readFile(resolve(ROOT, 'deploy/helm/smalt/templates/monitoring.yaml'), 'utf8');
    const value = part.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

    expect(template).toContain(`"${part}" .Values.${value}.enabled`);
  });
});

describe('the dashboard of virtual machines', () => {
  it('finds namespaces and nodes of machines, not those of the pods that tell of them', async () => {
    const objects = await readFile(resolve(ROOT, 'deploy/helm/smalt/templates/_objects.tpl'), 'utf8');

    // Else Prometheus calls them `exported_namespace` and `exported_node`.
    expect(objects.slice(objects.indexOf('kind: ServiceMonitor'))).toMatch(/endpoints:[^]*?honorLabels: true/);
  });

  it('uses no metric that its programs do not have', async () => {
    const { panels, templating } = await readDashboard(DASHBOARD);
    const known = metricsOf(['apps/virt-api/src', 'apps/virt-controller/src', 'apps/virt-handler/src']);
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

    const used = [...expressions, JSON.stringify(templating)].flatMap((expr) => expr.match(OWN_METRIC) ?? []);

    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((name) => !known.has(name.replace(/_bucket$/, '')))).toEqual([]);
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
  it.each(
    PARTS.flatMap((part) => [
      ['check', 'rules', `${ALERTS}/${part}.yaml`],
      ['test', 'rules', `${ALERTS}/tests/${part}.yaml`],
    ]),
  )('finds nothing wrong by %s %s %s', (...words) => {
    expect(runPromtool(words)).toBe('');
  });

  it.each(PARTS)('has a case for each alert about %s', async (part) => {
    const rules = await readAlertRules(`${ALERTS}/${part}.yaml`);
    const cases = await readFile(`${ALERTS}/tests/${part}.yaml`, 'utf8');

    expect(rules.map(({ alert }) => alert).filter((alert) => !cases.includes(`alertname: ${alert}\n`))).toEqual([]);
  });
});

/** The names that programs call their metrics, with those of the packages that all of them are made of. */
function metricsOf(folders: readonly string[]): ReadonlySet<string> {
  const shared = ['runtime/controller-runtime/src', 'runtime/service-runtime/src'];
  const words = [...folders, ...shared].flatMap((folder) => {
    const files = globSync(`${folder}/**/*.ts`, { cwd: ROOT, exclude: ['**/*.test.ts', '**/fixtures/**'] });
    return files.flatMap(
      (file) => readFileSync(resolve(ROOT, file), 'utf8').match(/(?<=')[a-z][a-z0-9_]*(?=')/g) ?? [],
    );
  });
  // These are put together of what they are about and their name.
  const subjects = ['controller_runtime', 'workqueue', 'kubevirt_vmi', 'smalt_ha_agent'];
  return new Set(words.flatMap((word) => [word, ...subjects.map((subject) => `${subject}_${word}`)]));
}
