import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { hasPromtool, readAlertRules, runPromtool } from '@smalt/bed-prometheus';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const ALERTS = resolve(ROOT, 'deploy/helm/smalt/files/alerts');
/** Programs of others that the chart runs on nodes, by their template, and the value that turns each on. */
const PARTS = [
  ['logs', '.Values.logs.enabled'],
  ['libvirt', '.Values.libvirt.managed.enabled'],
] as const;

describe.each(PARTS)('the alerts about %s', (part, value) => {
  it('have a severity, and a page that says what to do and names them', async () => {
    const rules = await readAlertRules(`${ALERTS}/${part}.yaml`);

    expect(rules.length).toBeGreaterThan(0);
    for (const { alert, labels, annotations } of rules) {
      expect(labels.severity).toMatch(/^(warning|critical)$/);
      expect(labels.playbook).toBe(annotations.runbook_url);
      expect(await readFile(resolve(ROOT, annotations.runbook_url), 'utf8')).toContain(alert);
    }
  });

  it('speak of jobs and DaemonSets by the name that the chart gives the part', async () => {
    const template = await readFile(resolve(ROOT, `deploy/helm/smalt/templates/${part}.yaml`), 'utf8');
    const name = /\$name := "([^"]+)"/.exec(template)?.[1] ?? '';
    const expressions = (await readAlertRules(`${ALERTS}/${part}.yaml`)).map(({ expr }) => expr).join('\n');

    const named = [...expressions.matchAll(/\b(?:job=~|daemonset=)"(?<name>[^"]+)"/g)];

    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ groups }) => !new RegExp(`^${groups?.['name']}$`).test(name))).toEqual([]);
  });

  it('come with the part, if alerts are asked for', async () => {
    const template = await readFile(resolve(ROOT, 'deploy/helm/smalt/templates/monitoring.yaml'), 'utf8');

    expect(template).toContain(`"${part}" ${value}`);
  });

  // Prometheus is no package that we need: where it is installed, its own judgement counts as well.
  it.runIf(hasPromtool())('are found right by promtool, which has a case for each', async () => {
    const cases = await readFile(`${ALERTS}/tests/${part}.yaml`, 'utf8');

    expect(runPromtool(['check', 'rules', `${ALERTS}/${part}.yaml`])).toBe('');
    expect(runPromtool(['test', 'rules', `${ALERTS}/tests/${part}.yaml`])).toBe('');
    for (const { alert } of await readAlertRules(`${ALERTS}/${part}.yaml`)) {
      expect(cases).toContain(`alertname: ${alert}\n`);
    }
  });
});
