import { defaultReportSettings, parseReportSettings } from '@smalt/ha-telemetry';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { mergeValues } from './fixtures/changed-value.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { findHelm, renderChart } from './helm.ts';
import { podOf, renderedObjects, type RenderedObject } from './rendered-objects.ts';

const helm = findHelm() ?? '';
const FILE = '/etc/smalt/reports/reports.yaml';
/** Which agent it is, and how it is told what to report. */
const AGENTS = [
  ['smalt-node-agent', 'nodeAgent', 'haReports'],
  ['smalt-ha-agent', 'haAgent', 'reports'],
] as const;
const EVERYTHING = {
  events: {
    lifecycle: {
      only: ['stopped', 'crashed/panicked', 'unknown-7', 'unknown-7/unknown-8'],
      except: ['stopped/unknown-9'],
    },
    'agent-lifecycle': false,
  },
  domains: { include: ['web-*'], exclude: ['web-?'] },
  intervals: { uptimeSeconds: 2.5, instancesSeconds: 86_400, guestPingSeconds: 1 },
  guestPing: { misses: 2, timeoutSeconds: 30 },
};

describe.skipIf(helm === '')('what HA agents report (needs helm: npm run bed:kubernetes -- --build)', () => {
  it.each(AGENTS)('is all with %s, unless somebody says otherwise', async (name) => {
    const objects = await objectsOf({ haAgent: { enabled: name === 'smalt-ha-agent' } });

    expect(parseReportSettings(reportsOf(objects, name))).toEqual(defaultReportSettings);
  });

  it.each(AGENTS)('is a ConfigMap that %s has mounted as a directory, and reads anew', async (name, part, value) => {
    const objects = await objectsOf({
      haAgent: { enabled: part === 'haAgent' },
      ...mergeOn(part, { [value]: EVERYTHING }),
    });

    expect(reportsOf(objects, name)).toEqual(EVERYTHING);
    const pod = podsOf(objects, name);
    expect(pod?.volumes).toContainEqual({ name: 'reports', configMap: { name: `${name}-reports` } });
    expect(pod?.containers[0]?.volumeMounts).toContainEqual({
      name: 'reports',
      mountPath: '/etc/smalt/reports',
      readOnly: true,
    });
    expect(parse(configOf(objects, name) ?? '').ha.reports).toBe(FILE);
  });

  it.each(AGENTS)('makes no new pods of %s when it changes', async (name, part, value) => {
    const haAgent = { enabled: part === 'haAgent' };
    const before = await objectsOf({ haAgent });
    const after = await objectsOf({ haAgent, ...mergeOn(part, { [value]: EVERYTHING }) });

    const [old, now] = [before, after].map((objects) => objects.find((each) => isAgent(each, name)));
    expect(old).toBeDefined();
    expect(now).toEqual(old);
  });

  it('is said of an agent inside that reports to a service elsewhere, too', async () => {
    const ha = { url: 'https://ha.example', token: '/token' };
    const objects = await objectsOf({
      haService: { enabled: false },
      nodeAgent: { haReports: EVERYTHING, config: { haAgent: true, ha } },
    });

    expect(reportsOf(objects, 'smalt-node-agent')).toEqual(EVERYTHING);
    expect(parse(configOf(objects, 'smalt-node-agent') ?? '').ha).toEqual({ ...ha, reports: FILE });
  });

  it('is left to those who mount a file of their own', async () => {
    const objects = await objectsOf({ nodeAgent: { config: { ha: { reports: '/own/reports.yaml' } } } });

    expect(objects.filter(({ metadata }) => metadata.name === 'smalt-node-agent-reports')).toEqual([]);
    expect(parse(configOf(objects, 'smalt-node-agent') ?? '').ha.reports).toBe('/own/reports.yaml');
  });

  it.each([
    ['haAgent: {enabled: true}', 'nodeAgent.haReports: there is no HA agent inside'],
    ['haService: {enabled: false}', 'nodeAgent.haReports: there is no HA agent inside'],
    ['nodeAgent: {config: {ha: {reports: /own}}}', 'nodeAgent.config.ha.reports: say what is in that file'],
    ['nodeAgent: {extraArgs: [--ha-reports=/own]}', 'nodeAgent.extraArgs: --ha-reports: say what is in that file'],
  ])('is refused where nobody would read it: %s', async (values, message) => {
    const said = { nodeAgent: { haReports: EVERYTHING }, haAgent: { config: { ha: { url: 'https://ha.example' } } } };

    await expect(objectsOf(mergeValues(said, parse(values)))).rejects.toThrow(message);
  });

  it.each([
    ['{event: {}}', "additional properties 'event' not allowed"],
    ['{events: {reboots: true}}', "additional properties 'reboots' not allowed"],
    ['{events: {reboot: {only: []}}}', '/nodeAgent/haReports/events/reboot'],
    ['{events: {lifecycle: {only: [ended]}}}', '/nodeAgent/haReports/events/lifecycle/only/0'],
    ['{events: {lifecycle: {only: [stopped/ended]}}}', '/nodeAgent/haReports/events/lifecycle/only/0'],
    ['{events: {lifecycle: {only: [stopped/failed/late]}}}', '/nodeAgent/haReports/events/lifecycle/only/0'],
    ['{domains: {include: [""]}}', '/nodeAgent/haReports/domains/include/0'],
    ['{intervals: {uptimeSeconds: 0}}', '/nodeAgent/haReports/intervals/uptimeSeconds'],
    ['{intervals: {uptimeSeconds: soon}}', '/nodeAgent/haReports/intervals/uptimeSeconds'],
    ['{guestPing: {misses: 1}}', '/nodeAgent/haReports/guestPing/misses'],
    ['{guestPing: {timeoutSeconds: 1.5}}', '/nodeAgent/haReports/guestPing/timeoutSeconds'],
  ])('is refused by Helm where the agent would not take it: %s', async (reports, message) => {
    await expect(objectsOf({ nodeAgent: { haReports: parse(reports) } })).rejects.toThrow(message);
    expect(() => parseReportSettings(parse(reports))).toThrow(/must|is not a setting/);
  });
});

function mergeOn(part: string, values: unknown): Readonly<Record<string, unknown>> {
  return { [part]: { enabled: true, ...Object(values) } };
}

function isAgent({ kind, metadata }: RenderedObject, name: string): boolean {
  return kind === 'DaemonSet' && metadata.name === name;
}

function podsOf(objects: readonly RenderedObject[], name: string): ReturnType<typeof podOf> {
  const agent = objects.find((each) => isAgent(each, name));
  return agent === undefined ? undefined : podOf(agent);
}

function reportsOf(objects: readonly RenderedObject[], name: string): unknown {
  return parse(dataOf(objects, `${name}-reports`)?.['reports.yaml'] ?? 'there is none');
}

function configOf(objects: readonly RenderedObject[], name: string): string | undefined {
  return dataOf(objects, name)?.['config.yaml'];
}

function dataOf(objects: readonly RenderedObject[], name: string): RenderedObject['data'] {
  return objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)?.data;
}

async function objectsOf(values: unknown): Promise<readonly RenderedObject[]> {
  return renderedObjects(await renderChart(helm, { values: mergeValues(NO_DEFINITIONS, values) }));
}
