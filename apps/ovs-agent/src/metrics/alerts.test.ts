import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { startOvnCentral } from '@smalt/bed-ovs';
import { addProcessMetrics, MetricsRegistry } from '@smalt/service-runtime';
import { isIssueRule } from '@smalt/switch-health';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { startTroubleshootingBed } from '../troubleshoot/fixtures/troubleshooting-bed.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
/** What Prometheus itself adds, and what every process has. */
const COMMON = ['up', 'process_resident_memory_bytes', 'process_cpu_seconds_total'];

describe('the alerts', () => {
  it('use no metric that the README does not name', async () => {
    const known = await knownMetrics();

    const used = (await readRules()).flatMap(({ expr }) => metricsIn(expr));

    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
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

  it('speak only of rules that there are', async () => {
    const named = (await readRules()).flatMap(({ expr }) =>
      [...expr.matchAll(/\brule(?:=|=~|!~)"([^"]*)"/g)].flatMap(([, words = '']) => words.split('|')),
    );

    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((word) => !isIssueRule(word))).toEqual([]);
  });

  it('speak of the DaemonSet by the name that the chart gives it', async () => {
    const template = await readFile(resolve(ROOT, 'deploy/helm/smalt/templates/ovs-agent.yaml'), 'utf8');
    const expressions = (await readRules()).map(({ expr }) => expr).join('\n');

    const names = [...expressions.matchAll(/\bdaemonset="([^"]+)"/g)].map(([, name]) => name);

    expect(names).toEqual([/\$name := "([^"]+)"/.exec(template)?.[1]]);
  });

  it('speak only of labels that are left in what fires', async () => {
    for (const { alert, expr, annotations } of await readRules()) {
      const left = /\bby \((?<labels>[^)]*)\)/.exec(expr)?.groups?.['labels']?.split(/,\s*/) ?? [];
      const used = [...JSON.stringify(annotations).matchAll(/\$labels[.](\w+)/g)].map(([, label = '']) => label);
      expect({ alert, missing: used.filter((label) => !left.includes(label)) }).toEqual({ alert, missing: [] });
    }
  });
});

describe('a running agent', () => {
  it('has every metric that alerts and the dashboard use', { timeout: 60_000 }, async () => {
    await using stack = new AsyncDisposableStack();
    const told = await metricsOfAgent(stack);
    const { panels } = await readDashboard();
    const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

    const used = [...(await readRules()).map(({ expr }) => expr), ...shown].flatMap(metricsIn);

    // Prometheus itself adds `up`.
    expect([...new Set(used)].filter((name) => name !== 'up' && !told.has(name))).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('uses no metric that the README does not name', async () => {
    const known = await knownMetrics();
    const { panels } = await readDashboard();

    const used = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr)));

    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
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
describe.runIf(hasPromtool())('promtool', () => {
  it.each([
    ['check', 'rules', resolve(ROOT, 'deploy/helm/smalt/files/alerts/ovs-agent.yaml')],
    ['test', 'rules', resolve(ROOT, 'deploy/helm/smalt/files/alerts/tests/ovs-agent.yaml')],
  ])('finds nothing wrong by %s %s', (...words) => {
    const { status, stderr, stdout } = spawnSync('promtool', words, { encoding: 'utf8' });

    expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
  });
});

function hasPromtool(): boolean {
  return spawnSync('promtool', ['--version']).status === 0;
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string; readonly playbook: string };
  readonly annotations: { readonly runbook_url: string };
}

async function readRules(): Promise<readonly Rule[]> {
  const file = await readFile(resolve(ROOT, 'deploy/helm/smalt/files/alerts/ovs-agent.yaml'), 'utf8');
  const { groups } = parse(file) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

interface Panel {
  readonly id: number;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

async function readDashboard(): Promise<{ readonly panels: readonly Panel[] }> {
  return JSON.parse(await readFile(resolve(ROOT, 'deploy/helm/smalt/files/dashboards/ovs-agent.json'), 'utf8')) as {
    readonly panels: readonly Panel[];
  };
}

/** The names of what an agent tells of a node with a bond, OVN, an issue and a caller. */
async function metricsOfAgent(stack: AsyncDisposableStack): Promise<ReadonlySet<string>> {
  const metrics = new MetricsRegistry();
  addProcessMetrics(metrics);
  const central = stack.use(await startOvnCentral());
  const options = { metrics, times: { scanMs: 200 }, judgement: { orphanMs: 0 } };
  const bed = stack.use(await startTroubleshootingBed({}, options));
  const bond = await bed.node.addBond({ bridge: 'br-int', lacp: 'off', mode: 'active-backup' });
  await bond.settled();
  await bed.node.joinOvn(central, { encapIp: '127.0.0.1' });
  await bed.node.vsctl('--no-wait', 'add-port', 'br-int', 'no-such-device');
  await bed.call('GET', '/v1/diagnostics');
  const scrape = async (): Promise<string> => await metrics.scrapeText(AbortSignal.timeout(5_000));
  // What is told last: the scan of flows comes after all else is known.
  await expect
    .poll(scrape, { timeout: 30_000 })
    .toMatch(/^ovs_stale_flows \d+$[^]*^ovn_southbound_lag|^ovn_southbound_lag[^]*^ovs_stale_flows /m);
  await expect.poll(scrape, { timeout: 10_000 }).toMatch(/^ovs_issues\{/m);
  const text = await scrape();
  return new Set([...text.matchAll(/^(?<name>[a-zA-Z_:]\w*)[{ ]/gm)].map(({ groups }) => groups?.['name'] ?? ''));
}

function metricsIn(expr: string): readonly string[] {
  return [...expr.matchAll(/\b(?:up|(?:smalt|process|ovs|ovn)_\w+)\b(?!=)/g)].map(([name]) => name);
}

/** The metrics of the table in the README; `…_bytes_total` there stands for the name before it with another end. */
async function knownMetrics(): Promise<ReadonlySet<string>> {
  const readme = await readFile(resolve(ROOT, 'apps/ovs-agent/README.md'), 'utf8');
  const known = new Set(COMMON);
  for (const line of readme.split('\n').filter((each) => each.startsWith('| `'))) {
    const names = [...(line.split('|')[1] ?? '').matchAll(/`([\w…]+)`/g)].map(([, name = '']) => name);
    const stem = names[0]?.replace(/packets_total$/, '') ?? '';
    for (const name of names) known.add(name.startsWith('…_') ? `${stem}${name.slice(2)}` : name);
  }
  return known;
}
