import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { hasPromtool, readAlertRules, runPromtool } from '@smalt/bed-prometheus';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const ALERTS = resolve(ROOT, 'deploy/helm/smalt/files/alerts');
const RULES = `${ALERTS}/serving-certificates.yaml`;
const EXPIRY = 'smalt_tls_certificate_expiry_seconds';

describe('the alerts about certificates of services', () => {
  it('have a severity, and a page that says what to do and names them', async () => {
    const rules = await readAlertRules(RULES);

    expect(rules.map(({ alert }) => alert)).toHaveLength(3);
    for (const { alert, labels, annotations } of rules) {
      expect(labels.severity).toMatch(/^(warning|critical)$/);
      expect(labels.playbook).toBe(annotations.runbook_url);
      expect(await readFile(resolve(ROOT, annotations.runbook_url), 'utf8')).toContain(`\`${alert}\``);
    }
  });

  it.each(['virt-api', 'ha-service', 'console'])('are about what %s tells of its own', async (part) => {
    const readme = await readFile(resolve(ROOT, `apps/${part}/README.md`), 'utf8');
    const rules = (await readAlertRules(RULES)).filter(({ expr }) => expr.includes(EXPIRY));

    expect(readme).toContain(`| \`${EXPIRY}\` | \`certificate\`: \`${part}\``);
    const names = rules.map(({ expr }) => /certificate=~"([^"]+)"/.exec(expr)?.[1]?.split('|') ?? []);
    expect(names.map((each) => each.includes(part))).toEqual([true, true]);
  });

  it('use metrics that virt-api has', async () => {
    const readme = await readFile(resolve(ROOT, 'apps/virt-api/README.md'), 'utf8');
    const own = new Set((await readAlertRules(RULES)).flatMap(({ expr }) => expr.match(/\bsmalt_\w+/g) ?? []));

    expect([...own].filter((name) => !readme.includes(`| \`${name}\` |`))).toEqual([]);
    expect(own.size).toBe(2);
  });

  it('are no alerts about nodes, which have their own', async () => {
    const ofNodes = (await readAlertRules(`${ALERTS}/certificates.yaml`)).filter(({ expr }) => expr.includes(EXPIRY));

    expect(ofNodes.map(({ expr }) => expr.includes(`${EXPIRY}{certificate="libvirt"}`))).toEqual([true, true]);
  });

  it('come with each of the services, if alerts are asked for', async () => {
    const template = await readFile(resolve(ROOT, 'deploy/helm/smalt/templates/monitoring.yaml'), 'utf8');
    const services = ['virtApi', 'haService', 'console'].map((name) => `.Values.${name}.enabled`).join(' ');

    expect(template).toContain(`"serving-certificates" (or ${services})`);
  });
});

// Prometheus is no package that we need: where it is installed, its own judgement counts as well.
describe.runIf(hasPromtool())('promtool', () => {
  it.each([
    ['check', 'rules', RULES],
    ['test', 'rules', `${ALERTS}/tests/serving-certificates.yaml`],
    ['test', 'rules', `${ALERTS}/tests/certificates.yaml`],
  ])('finds nothing wrong by %s %s %s', (...words) => {
    expect(runPromtool(words)).toBe('');
  });
});
