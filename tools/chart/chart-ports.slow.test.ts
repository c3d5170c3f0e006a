import { describe, expect, it } from 'vitest';

import { mergeValues, valueAt } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { findHelm, renderChart } from './helm.ts';
import { podOf, renderedObjects, type RenderedContainer, type RenderedObject } from './rendered-objects.ts';

const helm = findHelm() ?? '';
const OTHER = 20_177;

/** Each port on the network of nodes: its value, what it is by itself, whose it is, and by which argument it is told. */
const PORTS = [
  ['nodeAgent.port', 9177, 'smalt-node-agent', '--listen'],
  ['haAgent.port', 9178, 'smalt-ha-agent', '--listen'],
  ['ovsAgent.port', 9179, 'smalt-ovs-agent', '--listen'],
  ['ovsAgent.troubleshootingPort', 9443, 'smalt-ovs-agent', '--troubleshoot-listen'],
  ['virtHandler.port', 9186, 'virt-handler', '--listen'],
  ['virtHandler.nodeApiPort', 8186, 'virt-handler', '--node-api-listen'],
] as const;

describe.skipIf(helm === '')('a port of a node (needs helm: npm run bed:kubernetes -- --build)', () => {
  it.each(PORTS)('is another, and nowhere the usual one, with %s', async (path, usual, name, argument) => {
    const before = await render({});

    const after = await render(valueAt(path, OTHER));

    expect(before).toMatch(new RegExp(`\\b${usual}\\b`));
    expect(after).not.toMatch(new RegExp(`\\b${usual}\\b`));
    const objects = renderedObjects(after);
    expect(argumentsOf(objects, name)).toContain(`${argument}=$(HOST_IP):${OTHER}`);
    expect(portsOf(objects, name)).toContain(OTHER);
    expect(scrapedAt(objects, name)).toBe(path.endsWith('.port') ? OTHER : scrapedAt(renderedObjects(before), name));
  });

  it('is one of those, and no other: all that pods have on the network of nodes', async () => {
    const objects = renderedObjects(await render({}));

    const ports = objects
      .filter((object) => podOf(object)?.hostNetwork === true)
      .flatMap((object) => portsOf(objects, object.metadata.name));
    expect(ports.toSorted((a, b) => a - b)).toEqual(PORTS.map(([, usual]) => usual).toSorted((a, b) => a - b));
  });
});

function argumentsOf(objects: readonly RenderedObject[], name: string): readonly string[] {
  return containersOf(objects, name).flatMap(({ args }) => args ?? []);
}

function portsOf(objects: readonly RenderedObject[], name: string): readonly number[] {
  return containersOf(objects, name).flatMap(({ ports }) => ports?.map(({ containerPort }) => containerPort) ?? []);
}

function containersOf(objects: readonly RenderedObject[], name: string): readonly RenderedContainer[] {
  return objects
    .filter(({ kind, metadata }) => kind === 'DaemonSet' && metadata.name === name)
    .flatMap((object) => podOf(object)?.containers ?? []);
}

function scrapedAt(objects: readonly RenderedObject[], name: string): unknown {
  const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === `${name}-metrics`);
  return Object(service?.spec).ports[0].port;
}

async function render(values: unknown): Promise<string> {
  const on = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), {
    monitoring: { serviceMonitors: { enabled: true }, rules: { enabled: true }, dashboards: { enabled: true } },
  });
  return await renderChart(helm, { values: mergeValues(on, values) });
}
