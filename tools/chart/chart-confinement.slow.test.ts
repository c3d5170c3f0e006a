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

  it.each(['self', 'cert-manager'])(
    'of a node is no Secret, whole or in part, with certificates by %s',
    async (source) => {
      const certificates = { source, issuer: { kind: 'Issuer', name: 'own' } };
      const values = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), { certificates });
      const objects = renderedObjects(await renderChart(helm, { values }));
      const agents = objects.filter(({ kind }) => kind === 'DaemonSet');

      const named = agents.flatMap((object) => podOf(object)?.volumes?.map(({ secret }) => secret?.secretName) ?? []);

      // A kubelet may read all of each Secret that a pod of its node names, whatever part of it is mounted.
      expect(agents.length).toBeGreaterThan(5);
      expect(named.filter((name) => name !== undefined)).toEqual([]);
    },
  );
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
