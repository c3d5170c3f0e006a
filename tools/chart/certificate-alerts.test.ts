import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { hasPromtool, readAlertRules, runPromtool } from '@smalt/bed-prometheus';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const ALERTS = resolve(ROOT, 'deploy/helm/smalt/files/alerts');
const RULES = `${ALERTS}/certificates.yaml`;

describe('the alerts about certificates', () => {
  it('have a severity, and a page that says what to do and names them', async () => {
    const rules = await readAlertRules(RULES);

    expect(rules.map(({ alert }) => alert)).toHaveLength(3);
    for (const { alert, labels, annotations } of rules) {
      expect(labels.severity).toMatch(/^(warning|critical)$/);
      expect(labels.playbook).toBe(annotations.runbook_url);
      expect(await readFile(resolve(ROOT, annotations.runbook_url), 'utf8')).toContain(`\`${alert}\``);
    }
  });

  it('use the metric that the node agent has', async () => {
    const readme = await readFile(resolve(ROOT, 'apps/node-agent/README.md'), 'utf8');
    const rules = await readAlertRules(RULES);

    const own = new Set(rules.flatMap(({ expr }) => expr.match(/\bsmalt_\w+/g) ?? []));

    expect([...own].filter((name) => !readme.includes(`| \`${name}\` |`))).toEqual([]);
    expect(own.size).toBe(1);
  });

  it('speak of the CronJob by the name that the chart gives it', async () => {
    const template = await readFile(resolve(ROOT, 'deploy/helm/smalt/templates/certificates.yaml'), 'utf8');
    const rules = await readAlertRules(RULES);

    const names = new Set(rules.flatMap(({ expr }) => expr.match(/(?<=cronjob=")[^"]+/g) ?? []));

    expect([...names]).toEqual([/\$name := "([^"]+)"/.exec(template)?.[1]]);
  });
});

// Prometheus is no package that we need: where it is installed, its own judgement counts as well.
describe.runIf(hasPromtool())('promtool', () => {
  it.each([
    ['check', 'rules', RULES],
    ['test', 'rules', `${ALERTS}/tests/certificates.yaml`],
  ])('finds nothing wrong by %s %s', (...words) => {
    expect(runPromtool(words)).toBe('');
  });
});
