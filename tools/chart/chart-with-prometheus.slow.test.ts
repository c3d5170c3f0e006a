import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

import { findCluster, findPrometheus } from '@smalt/bed-kubernetes';
import { readAlertRules, readDashboard, type AlertRule } from '@smalt/bed-prometheus';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { IMAGES, startMonitoredChart, type MonitoredChart } from './fixtures/monitored-chart.ts';
import { selectorsIn, type UsedSelector } from './fixtures/selectors-in.ts';
import type { Prometheus } from './fixtures/start-prometheus.ts';
import { CHART, findHelm } from './helm.ts';

const TIMEOUT_MS = 900_000;
const SOON = { timeout: 240_000, interval: 1_000 };
const [programs, helm, monitoring] = [findCluster(), findHelm(), findPrometheus()];
const areReady =
  programs !== undefined && helm !== undefined && monitoring !== undefined && IMAGES.every((path) => existsSync(path));
const OF_KUBE_STATE_METRICS = /^kube_(?:cronjob|daemonset|deployment)_/;
/** Metrics with a series only for what there is, and when that is here. */
const LATER: Readonly<Record<string, string>> = {
  kube_customresource_eviction_condition: 'an Eviction',
  kube_customresource_eviction_info: 'an Eviction',
  kube_customresource_eviction_outstanding_ram_mb: 'an Eviction',
  smalt_eviction_instances: 'an Eviction',
  smalt_eviction_left_seconds: 'an Eviction',
  smalt_eviction_mib_per_second: 'an Eviction',
  smalt_ha_incident_needs_person: 'an incident that waits for a person',
  smalt_ha_notice_total: 'a webhook in the settings',
  smalt_ha_power_controller_up: 'a power controller in the settings',
  smalt_agent_part_failures_total: 'a part that failed; the alert is about several failures',
  smalt_virt_handler_part_failures_total: 'a part that failed; the alert is about several failures',
  smalt_openstack_requests_total: 'an OpenStack',
  smalt_ovs_troubleshooting_calls_total: 'a person who calls',
  smalt_virt_api_calls_total: 'a person who calls; the alert is about several failures',
  ovn_southbound_lag: 'OVN on the node',
  ovs_bond_members: 'a bond',
  ovs_bond_members_enabled: 'a bond',
  ovs_interface_receive_drops_total: 'an interface of the kernel',
  ovs_interface_receive_errors_total: 'an interface of the kernel',
  ovs_interface_transmit_drops_total: 'an interface of the kernel',
  ovs_interface_transmit_errors_total: 'an interface of the kernel',
  ovs_issues: 'something that is wrong with the switch',
  ovs_stale_flows: 'OVN on the node',
};
/** Metrics that have a series for the state that there is, and none for the others. */
const STATES = new Set([
  'kube_customresource_hypervisor_condition',
  'kubevirt_vmi_phase_count',
  'ovs_condition',
  'smalt_hypervisor_lifecycle_state',
]);
/** Nobody has said here how hosts are powered off. */
const RIGHTLY = ['HaNoFenceMethod'];
const DOWN = {
  'smalt-console': 'ConsoleDown',
  'smalt-ha-service': 'HaServiceDown',
  'smalt-hypervisor-operator': 'HypervisorOperatorDown',
  'virt-api': 'VirtApiDown',
  'virt-controller': 'VirtControllerDown',
};

describe.skipIf(!areReady)(
  'the chart, read by a real Prometheus operator (needs npm run bed:kubernetes -- --build and npm run images)',
  { timeout: TIMEOUT_MS },
  () => {
    const owned = new AsyncDisposableStack();
    let chart: MonitoredChart;
    let prometheus: Prometheus;

    beforeAll(async () => {
      if (programs === undefined || helm === undefined || monitoring === undefined) return;
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      chart = owned.use(await startMonitoredChart({ cluster: programs, helm, monitoring }, signal));
      prometheus = await chart.startPrometheus(signal);
    }, TIMEOUT_MS);
    afterAll(() => owned.disposeAsync(), TIMEOUT_MS);

    it('is taken as a whole, without a word of complaint', async () => {
      const state = '{range .items[*]}{.status.bindings[0].conditions[0].status} {.kind}{"\\n"}{end}';
      const told = await chart.kubectl(['get', 'servicemonitors,prometheusrules', '-A', '-o', `jsonpath=${state}`]);
      const reconciled = '{.status.conditions[?(@.type=="Reconciled")].status}';
      const whole = await chart.kubectl([
        'get',
        'prometheus',
        'all',
        '-n',
        'monitoring',
        '-o',
        `jsonpath=${reconciled}`,
      ]);
      const events = await chart.kubectl(['get', 'events', '-A', '-o', 'jsonpath={.items[*].source.component}']);
      const complaints = (await chart.operator.log()).split('\n').filter(isComplaint);

      expect(new Set(told.trim().split('\n'))).toEqual(new Set(['True ServiceMonitor', 'True PrometheusRule']));
      expect({ whole, complaints }).toEqual({ whole: 'True', complaints: [] });
      expect(events).not.toContain('prometheus-operator');
    });

    it('has each part scraped, by the name that alerts and dashboards know it by', async () => {
      const names = await chart.kubectl(['get', 'deployments,daemonsets', '-n', 'smalt-system', '-o', NAMES]);
      // libvirtd tells nothing by itself: the node agent does.
      const parts = names
        .trim()
        .split(' ')
        .filter((name) => name !== 'smalt-libvirt');
      const [node] = chart.cluster.nodes;

      await expect.poll(async () => [...new Set(await found('job'))].toSorted(), SOON).toEqual(parts.toSorted());
      await expect
        .poll(async () => (await prometheus.targets()).filter(({ health }) => health !== 'up'), SOON)
        .toEqual([]);
      expect((await found('instance')).filter((each) => each === node.name)).toHaveLength(AGENTS);
    });

    it('has series for every alert, or they are named here', async () => {
      const wanted = (await usedByAlerts()).filter(isHere);

      await expect.poll(() => withoutSeries(wanted), SOON).toEqual([]);
    });

    it('has dashboards of metrics that are told, or they are named here', async () => {
      const wanted = await usedByDashboards();
      const names = await prometheus.metricNames();

      expect(wanted.length).toBeGreaterThan(50);
      expect(wanted.map(({ metric }) => metric).filter((metric) => !names.has(metric) && !(metric in LATER))).toEqual(
        [],
      );
    });

    it('names no metric here that nobody uses', async () => {
      const used = new Set([...(await usedByAlerts()), ...(await usedByDashboards())].map(({ metric }) => metric));

      expect([...Object.keys(LATER), ...STATES].filter((name) => !used.has(name))).toEqual([]);
    });

    it('is quiet while all is well', async () => {
      await expect.poll(alertNames, SOON).toEqual(RIGHTLY);
      expect(await prometheus.query('ALERTS{alertstate="firing"}')).toEqual([]);
    });

    it('tells of each part of the control plane that is gone', async () => {
      const words = Object.keys(DOWN).map((name) => `deployment/${name}`);
      await chart.kubectl(['scale', '-n', 'smalt-system', '--replicas=0', ...words]);

      await expect.poll(alertNames, SOON).toEqual(expect.arrayContaining(Object.values(DOWN)));
      const firing = 'ALERTS{alertname="VirtApiDown",alertstate="firing",severity="critical"}';
      await expect.poll(async () => (await prometheus.query(firing)).length, SOON).toBe(1);
    });

    async function found(label: string): Promise<readonly string[]> {
      return (await prometheus.targets()).map(({ labels }) => labels[label] ?? '');
    }

    async function alertNames(): Promise<readonly string[]> {
      const names = (await prometheus.alerts()).map(({ labels }) => labels['alertname'] ?? '');
      return [...new Set(names)].toSorted();
    }

    async function withoutSeries(wanted: readonly UsedSelector[]): Promise<readonly string[]> {
      const answers = await Promise.all(
        wanted.map(async ({ metric, matchers }) => {
          const selector = STATES.has(metric) ? metric : `${metric}${matchers}`;
          return (await prometheus.query(selector)).length > 0 ? [] : [selector];
        }),
      );
      return [...new Set(answers.flat())];
    }
  },
);

/** Node agent, HA agent, OVS agent and virt-handler: agents are known by their nodes. */
const AGENTS = 4;
const NAMES = 'jsonpath={.items[*].metadata.name}';

/** Two writes of a status that meet are nobody's mistake, and made good by the next. */
function isComplaint(line: string): boolean {
  return /level=(?:warn|error)/.test(line) && !line.includes('the object has been modified');
}

function isHere({ metric, matchers }: UsedSelector): boolean {
  // No test has the image of the logs collector, and the HA agent runs by itself here, not inside the node agent.
  const isInside = metric.startsWith('smalt_ha_agent_') && matchers.includes('node-agent');
  const isElsewhere = isInside || matchers.includes('smalt-logs') || OF_KUBE_STATE_METRICS.test(metric);
  return !isElsewhere && !(metric in LATER);
}

async function usedByAlerts(): Promise<readonly UsedSelector[]> {
  const files = globSync(join(CHART, 'files/alerts/*.yaml'));
  const rules: readonly AlertRule[] = (await Promise.all(files.map(readAlertRules))).flat();
  return rules.flatMap(({ expr }) => selectorsIn(expr));
}

async function usedByDashboards(): Promise<readonly UsedSelector[]> {
  const dashboards = await Promise.all(globSync(join(CHART, 'files/dashboards/*.json')).map(readDashboard));
  const expressions = dashboards.flatMap(({ panels }) =>
    panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  );
  return expressions.flatMap(selectorsIn);
}
