import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { readChartValues, type ChartValue } from './chart-values.ts';
import { changedValue, mergeValues, valueAt } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { CHART, findHelm, renderChart } from './helm.ts';
import { renderedChanges } from './rendered-changes.ts';
import { renderedObjects, type RenderedObject } from './rendered-objects.ts';

const helm = findHelm() ?? '';
const values = readChartValues(await readFile(join(CHART, 'values.yaml'), 'utf8'));

/** Everything that can be on at the same time. */
const EVERYTHING = parse(`
monitoring: { serviceMonitors: { enabled: true }, rules: { enabled: true }, dashboards: { enabled: true } }
console: { enabled: true, ingress: { enabled: true, host: console.example } }
compute: { openstack: { secret: clouds } }
haService: { enabled: true, store: { postgres: { secret: database } } }
libvirt: { managed: { enabled: true }, certificates: { issuer: { name: authority } } }
certificates: { issuer: { name: authority } }
`);

/** What only counts beside another value. */
const CONTEXTS: Readonly<Record<string, string>> = {
  // Beside Nova the managed libvirtd is for nodes of its own.
  'compute.kind': 'libvirt: { managed: { nodeSelector: { rack: a } } }',
  'compute.openstack': '{ compute: { kind: openstack }, libvirt: { managed: { nodeSelector: { rack: a } } } }',
  'certificates.issuer': 'certificates: { source: cert-manager }',
  // virt-handler needs the socket, and the managed libvirtd listens for TLS.
  'libvirt.uri': '{ virtHandler: { enabled: false }, libvirt: { managed: { enabled: false } } }',
  'libvirt.certificates.issuer': 'libvirt: { certificates: { source: cert-manager } }',
  'libvirt.certificates.namespace': 'libvirt: { certificates: { source: cert-manager } }',
  'haService.store.postgres': 'haService: { store: { kind: postgres } }',
  'haService.replicas': 'haService: { store: { kind: postgres } }',
  // Where the HA agent runs by itself there is none inside.
  'nodeAgent.haReports': 'haAgent: { enabled: false }',
  // An HA agent by itself would have to be told where to report to.
  'haService.enabled': 'haAgent: { enabled: false }',
};

const EFFECTS = './fixtures/effects-of-values.txt';
const HEAD = `What each value of the chart changes, where all parts are on: the deepest fields, and the objects that have them.
It is held by chart-values.slow.test.ts: vitest run --mode slow FILE --update writes it anew. Look at what has changed in it.
`;

const base = new Map<string, Promise<readonly RenderedObject[]>>();
const effects = new Map<string, readonly string[]>();

describe.skipIf(helm === '')('a value of the chart (needs helm: npm run bed:kubernetes -- --build)', () => {
  it.each(values.map((value) => [value.path, value] as const))('has an effect: %s', async (path, value) => {
    const context = contextOf(path);
    const before = base.get(context) ?? render(valuesIn(context));
    base.set(context, before);

    const after = await render(
      mergeValues(valuesIn(context), valueAt(path, changedValue({ ...value, default: valueIn(context, value) }))),
    );

    const changes = renderedChanges(await before, after);
    effects.set(path, changes);
    expect(changes).not.toEqual([]);
  });

  it('has the effect that is meant, and no other', async () => {
    const text = values.map(({ path }) => `\n${path}\n${(effects.get(path) ?? []).map(indented).join('')}`);

    await expect(`${HEAD}${text.join('')}`).toMatchFileSnapshot(EFFECTS);
  });
});

function indented(line: string): string {
  return `  ${line}\n`;
}

function contextOf(path: string): string {
  const found = Object.entries(CONTEXTS).find(([prefix]) => path === prefix || path.startsWith(`${prefix}.`));
  return found?.[1] ?? '';
}

function valuesIn(context: string): unknown {
  const on = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), EVERYTHING);
  return mergeValues(on, parse(context) ?? {});
}

/** What the value is before it is changed. */
function valueIn(context: string, { path, default: standard }: ChartValue): unknown {
  const found = path.split('.').reduce<unknown>((map, name) => Object(map)[name], valuesIn(context));
  return found ?? standard;
}

async function render(changed: unknown): Promise<readonly RenderedObject[]> {
  return renderedObjects(await renderChart(helm, { values: changed }));
}
