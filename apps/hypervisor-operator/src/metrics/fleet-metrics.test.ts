import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';

import {
  asScraped,
  evaluatePromql,
  overlappingCells,
  parseExposition,
  parsePromql,
  readAlertRules,
  readDashboard,
  unknownNames,
  withoutVariables,
  type Series,
} from '@smalt/bed-prometheus';
import { mappedSource } from '@smalt/controller-runtime';
import { addProcessMetrics } from '@smalt/service-runtime';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { createReadyController } from '../ready/ready-controller.ts';
import { defaultReadySettings } from '../ready/ready-settings.ts';
import { makeTroubledFleet } from './fixtures/troubled-fleet.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const RULES = resolve(ROOT, 'deploy/helm/smalt/files/alerts/hypervisor-operator.yaml');
const DASHBOARD = resolve(ROOT, 'deploy/helm/smalt/files/dashboards/hypervisor-operator.json');
const JOB = 'hypervisor-operator';
const RECONCILE_ERRORS = 'controller_runtime_reconcile_errors_total';

let bed: OperatorBed;
let text: string;
let series: readonly Series[];

beforeAll(async () => {
  bed = await startOperatorBed({
    controllers: (context) => {
      addProcessMetrics(context.metrics);
      const sources = [mappedSource(context.hypervisors, ({ key }) => (key === 'healthy' ? [key] : []))];
      const broken = { name: 'broken', sources, reconcile: () => Promise.reject(new Error('broken for a test')) };
      return [createReadyController(context, defaultReadySettings), broken];
    },
    operator: { leaderElection: { namespace: 'default', identity: 'a test' } },
  });
  await makeTroubledFleet(bed);
  await vi.waitUntil(async () => isComplete(parseExposition(await scrape())), { timeout: 15_000, interval: 50 });
  text = await scrape();
  series = asScraped(text, JOB);
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('the metrics of the fleet', () => {
  const place = 'zone="zone-1",building_block="bb1",worker_group="group-1"';

  it.each([
    `kube_customresource_hypervisor_info{name="healthy",${place},hypervisor_version="8.2.0",libvirt_version="10.0.0",hardware_model="Model 1",os_version="Linux 12 \\"stable\\""} 1`,
    `kube_customresource_hypervisor_num_instances{name="healthy",${place}} 3`,
    `kube_customresource_hypervisor_evicted{name="healthy",${place}} 0`,
    `kube_customresource_hypervisor_evicted{name="evicted",${place},maintenance="manual"} 1`,
    `kube_customresource_hypervisor_condition{name="healthy",${place},condition="Ready",status="True",reason="Ready"} 1`,
    `kube_customresource_hypervisor_condition{name="aborted",${place},condition="Onboarding",status="False",reason="Aborted"} 0`,
    `kube_customresource_hypervisor_capability_cpus{name="healthy",${place}} 1000`,
    `kube_customresource_hypervisor_lifecycle_enabled{name="healthy",${place}} 1`,
    `kube_customresource_hypervisor_high_availability{name="healthy",${place}} 1`,
    `smalt_hypervisor_lifecycle_state{name="healthy",${place},state="Active"} 1`,
    `smalt_hypervisor_lifecycle_state{name="offboarded",${place},maintenance="termination",state="Decommissioned"} 1`,
    `kube_customresource_eviction_info{name="failing",hypervisor="host-of-failing",${place},reason="a \\"test\\""} 1`,
    `kube_customresource_eviction_outstanding_ram_mb{name="failing",hypervisor="host-of-failing",${place}} 2048`,
    `kube_customresource_eviction_condition{name="failed",hypervisor="host-of-failed",${place},condition="Evicting",status="False",reason="Failed"} 0`,
    `smalt_eviction_instances{name="failing",hypervisor="host-of-failing",${place},state="left"} 3`,
    `smalt_eviction_mib_per_second{name="failing",hypervisor="host-of-failing",${place}} 120`,
    `smalt_eviction_left_seconds{name="failing",hypervisor="host-of-failing",${place}} 40`,
  ])('tell %s', (line) => {
    expect(text.split('\n')).toContain(line);
  });

  it('tell each metric in one block, with a help text and a type', () => {
    const names = text.split('\n').flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);
    const blocks = series.map(({ metric }) => metric).filter((metric, index, all) => metric !== all[index - 1]);
    const fleet = blocks.filter((metric) => /^kube_|^smalt_(eviction|hypervisor)/.test(metric));

    expect(new Set(names).size).toBe(names.length);
    expect(new Set(fleet).size).toBe(fleet.length);
    expect(names).toEqual(expect.arrayContaining(fleet));
  });
});

describe('the alerts', () => {
  it('fire for the troubles they are about, and for nothing else', async () => {
    const rules = await readAlertRules(RULES);

    const firing = Object.fromEntries(rules.map(({ alert, expr }) => [alert, whoFires(expr)]));

    expect(firing).toEqual({
      EvictionFailed: ['failed'],
      EvictionMigrationFailing: ['failing', 'partly-failing'],
      EvictionOutstandingRamHigh: ['failing'],
      HypervisorOnboardingStuck: ['onboarding'],
      HypervisorOnboardingAborted: ['aborted'],
      HypervisorUnhealthy: ['unhealthy'],
      HypervisorEvictionStuck: ['evicting'],
      HypervisorEvictedTooLong: ['evicted'],
      HypervisorTraitSyncFailed: ['traitless'],
      HypervisorAggregateSyncFailed: ['unaggregated'],
      HypervisorOperatorReconcileErrors: ['broken'],
      HypervisorOperatorObjectStuck: ['broken'],
      HypervisorOperatorDown: [],
      HypervisorOperatorNoLeader: [],
    });
  });

  it('say that no operator leads once the one that led does so no longer', async () => {
    const rules = await readAlertRules(RULES);
    const leaderless = rules.find(({ alert }) => alert === 'HypervisorOperatorNoLeader');
    const waiting = series.map((one) => (one.metric === 'leader_election_master_status' ? { ...one, value: 0 } : one));

    expect(evaluatePromql(parsePromql(leaderless?.expr ?? ''), waiting)).toHaveLength(1);
  });

  it.each([
    { when: 'no operator is scraped', up: [] },
    { when: 'the operator does not answer', up: [{ metric: 'up', labels: { job: JOB }, value: 0 }] },
  ])('say that the operator is down when $when', async ({ up }) => {
    const rules = await readAlertRules(RULES);
    const down = rules.find(({ alert }) => alert === 'HypervisorOperatorDown');

    expect(evaluatePromql(parsePromql(down?.expr ?? ''), up)).toHaveLength(1);
  });

  it('use no metric and no label that the operator does not have', async () => {
    const rules = await readAlertRules(RULES);

    expect(rules.flatMap(({ expr }) => unknownNames(expr, series))).toEqual([]);
  });

  it('speak only of labels that what fires has', async () => {
    const rules = await readAlertRules(RULES);

    for (const { alert, expr, annotations } of rules) {
      const used = [...JSON.stringify(annotations).matchAll(/\$labels[.](\w+)/g)].map(([, label = '']) => label);
      const fired = evaluatePromql(parsePromql(expr), series)[0]?.labels ?? {};
      expect({ alert, missing: used.filter((label) => fired[label] === undefined) }).toEqual({ alert, missing: [] });
    }
  });

  it('have a severity, a summary, a description, and a page that says what to do', async () => {
    const rules = await readAlertRules(RULES);
    const pages = await readdir(resolve(ROOT, 'docs/runbooks'));

    for (const { labels, annotations } of rules) {
      expect(labels).toMatchObject({ severity: expect.stringMatching(/^(info|warning|critical)$/) });
      expect(annotations).toMatchObject({ summary: expect.any(String), description: expect.any(String) });
      expect(labels.playbook).toBe(annotations.runbook_url);
      expect(pages.map((page) => `docs/runbooks/${page}`)).toContain(annotations.runbook_url);
    }
  });
});

describe('the dashboard', () => {
  it('uses no metric and no label that the operator does not have', async () => {
    const { panels, templating } = await readDashboard(DASHBOARD);
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const variables = templating.list.flatMap(({ query }) => (typeof query === 'object' ? [query.query] : []));

    expect(expressions.length).toBeGreaterThan(20);
    expect(expressions.flatMap((expr) => unknownNames(withoutVariables(expr), series))).toEqual([]);
    expect(variables.flatMap((query) => unknownNames(labelQuery(query), series))).toEqual([]);
  });

  it('shows something of this fleet in every panel but those of functions that only Prometheus has', async () => {
    const { panels } = await readDashboard(DASHBOARD);

    const empty = panels
      .filter(({ targets = [] }) =>
        targets.some(({ expr }) => {
          const tree = parsePromql(withoutVariables(expr));
          return !expr.startsWith('histogram_quantile') && evaluatePromql(tree, series).length === 0;
        }),
      )
      .map(({ title }) => title);

    expect(empty).toEqual([]);
  });

  it('has panels of different ids, none of which covers another', async () => {
    const dashboard = await readDashboard(DASHBOARD);
    const ids = dashboard.panels.map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
    expect(overlappingCells(dashboard)).toEqual([]);
  });
});

/** `label_values(metric, label)` as an expression that uses both. */
function labelQuery(query: string): string {
  return query.replace(/^label_values[(](\w+), (\w+)[)]$/, 'count by ($2) ($1)');
}

function whoFires(expr: string): readonly string[] {
  return evaluatePromql(parsePromql(expr), series)
    .map(({ labels }) => labels['name'] ?? labels['controller'] ?? JSON.stringify(labels))
    .toSorted();
}

/** Whether everything of the fleet has been seen, and its controllers have said what they have to. */
function isComplete(seen: readonly Series[]): boolean {
  const of = (metric: string, label = 'name'): number =>
    new Set(seen.flatMap((one) => (one.metric === metric && one.value > 0 ? [one.labels[label]] : []))).size;
  const errors = seen.find(({ metric, labels }) => metric === RECONCILE_ERRORS && labels['controller'] === 'broken');
  return (
    of('smalt_hypervisor_lifecycle_state', 'state') === 7 &&
    of('smalt_hypervisor_lifecycle_state') === 9 &&
    of('smalt_eviction_instances') === 2 &&
    (errors?.value ?? 0) > 3
  );
}

async function scrape(): Promise<string> {
  return await bed.operator.context.metrics.scrapeText(AbortSignal.timeout(5_000));
}
