import { installDefinitions, startTestApiServer } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { MetricsRegistry } from '@smalt/service-runtime';
import { readVmDefinitions, WellKnownName } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { minimalSettings } from '../fixtures/minimal-settings.ts';
import { parseSettings } from '../settings/parse-settings.ts';
import { openCompute } from './open-compute.ts';

const MINUTE = 60_000;
const signal = AbortSignal.timeout(60_000);

it('looks after the virtual machines of the cluster where the settings say so', { timeout: 60_000 }, async () => {
  await using server = await startTestApiServer({ signal });
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  await using client = new KubeClient({ config, userAgent: 'test/1' });
  const { compute: settings, pace } = parseSettings(
    JSON.stringify({
      ...minimalSettings(),
      compute: { kind: 'virtual-machines' },
      pace: { serviceDownMs: 3 * MINUTE },
    }),
  );
  const around = { client, environment: {}, metrics: new MetricsRegistry(), userAgent: 'test/1' };
  await using opened = await openCompute({ settings, serviceDownMs: pace.serviceDownMs, ...around });
  const tooEarly = opened.check(signal);
  await expect(tooEarly).rejects.toMatchObject({ code: 'missing-definitions' });
  await installDefinitions(client, await readVmDefinitions(), signal);
  for (const [name, age] of [
    ['alive', 2 * MINUTE],
    ['silent', 4 * MINUTE],
  ] as const) {
    const annotations = { [WellKnownName.heartbeatAnnotation]: new Date(Date.now() - age).toISOString() };
    await client.resource(nodeKind).create({ metadata: { name, annotations } });
  }

  await opened.check(signal);
  const hosts = await opened.compute.hosts.list(signal);

  expect(hosts.map(({ name, isUp }) => [name, isUp])).toEqual([
    ['alive', true],
    ['silent', false],
  ]);
});

const nodeKind = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false } as const;
