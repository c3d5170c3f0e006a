import { describe, expect, it } from 'vitest';

import { mergeValues } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { findHelm, renderChart } from './helm.ts';
import { podOf, renderedObjects } from './rendered-objects.ts';

const helm = findHelm() ?? '';

describe.skipIf(helm === '')('what containers may (needs helm: npm run bed:kubernetes -- --build)', () => {
  it('is what the values of a part say, and of the rest what the chart does', async () => {
    const confined = {
      appArmorProfile: { type: 'Localhost', localhostProfile: 'agent' },
      seLinuxOptions: { type: '' },
    };

    const [before, after] = [await securityOf('smalt-node-agent'), await securityOf('smalt-node-agent', confined)];

    expect(before).toMatchObject({ appArmorProfile: { type: 'Unconfined' }, seLinuxOptions: { type: 'spc_t' } });
    expect(after).toEqual({ ...Object(before), ...confined });
  });

  it('is said of capabilities as a whole list, beside those that are dropped', async () => {
    const capabilities = { add: ['NET_RAW', 'DAC_OVERRIDE'] };

    expect(await securityOf('smalt-ovs-agent', { capabilities })).toMatchObject({
      capabilities: { add: ['NET_RAW', 'DAC_OVERRIDE'], drop: ['ALL'] },
    });
  });

  it('can be more than the chart says, and less', async () => {
    const writable = await securityOf('virt-api', { readOnlyRootFilesystem: false });

    expect(writable).toEqual({ ...Object(await securityOf('virt-api')), readOnlyRootFilesystem: false });
    expect(await securityOf('virt-handler', { privileged: false })).toEqual({
      privileged: false,
      readOnlyRootFilesystem: true,
    });
  });
});

const PARTS: Readonly<Record<string, string>> = {
  'smalt-node-agent': 'nodeAgent',
  'smalt-ovs-agent': 'ovsAgent',
  'virt-api': 'virtApi',
  'virt-handler': 'virtHandler',
};

/** What the container of a part may, with these values of it. */
async function securityOf(name: string, securityContext: unknown = {}): Promise<unknown> {
  const part = { [PARTS[name] ?? '']: { securityContext } };
  const values = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), part);
  const objects = renderedObjects(await renderChart(helm, { values }));
  const found = objects.find((object) => object.metadata.name === name && podOf(object) !== undefined);
  return found === undefined ? undefined : podOf(found)?.containers[0]?.securityContext;
}
