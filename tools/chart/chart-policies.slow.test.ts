import { describe, expect, it } from 'vitest';

import { mergeValues } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { findHelm, renderChart } from './helm.ts';
import { renderedObjects } from './rendered-objects.ts';

const helm = findHelm() ?? '';
const READERS = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }];
const HTTPS = { ports: [{ port: 'https' }] };
const METRICS = { ports: [{ port: 'metrics' }] };
const BOTH = { ports: [...HTTPS.ports, ...METRICS.ports] };

describe.skipIf(helm === '')('the policies of the chart (need helm: npm run bed:kubernetes -- --build)', () => {
  it('open the ports that a part serves to everybody, and none of what serves nothing', async () => {
    expect(await ingressOf({})).toEqual({
      'smalt-certificates': undefined,
      'smalt-console': [BOTH],
      'smalt-ha-service': [BOTH],
      'smalt-hypervisor-operator': [METRICS],
      'smalt-logs': [METRICS],
      'virt-api': [BOTH],
      'virt-controller': [METRICS],
    });
  });

  it('open metrics to those alone whom networkPolicies.metricsFrom names', async () => {
    const metrics = { from: READERS, ...METRICS };

    expect(await ingressOf({ metricsFrom: READERS })).toEqual({
      'smalt-certificates': undefined,
      'smalt-console': [HTTPS, metrics],
      'smalt-ha-service': [HTTPS, metrics],
      'smalt-hypervisor-operator': [metrics],
      'smalt-logs': [metrics],
      'virt-api': [HTTPS, metrics],
      'virt-controller': [metrics],
    });
  });

  it('are left out where they are not wanted', async () => {
    expect(await ingressOf({ enabled: false })).toEqual({});
  });
});

async function ingressOf(networkPolicies: object): Promise<Readonly<Record<string, unknown>>> {
  const values = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), { networkPolicies });
  const policies = renderedObjects(await renderChart(helm, { values })).filter(({ kind }) => kind === 'NetworkPolicy');
  return Object.fromEntries(policies.map(({ metadata, spec }) => [metadata.name, Object(spec).ingress]));
}
