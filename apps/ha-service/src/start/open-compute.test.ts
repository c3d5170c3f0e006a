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
  let now = 0;
  const monotonic = () => now;
  const around = { client, environment: {}, metrics: new MetricsRegistry(), userAgent: 'test/1', monotonic };
  await using opened = await openCompute({ settings, serviceDownMs: pace.serviceDownMs, ...around });
  const tooEarly = opened.check(signal);
  await expect(tooEarly).rejects.toMatchObject({ code: 'missing-definitions' });
  await installDefinitions(client, await readVmDefinitions(), signal);
  const beat = (minutes: number) => ({
    [WellKnownName.heartbeatAnnotation]: new Date(minutes * MINUTE).toISOString(),
  });
  for (const name of ['alive', 'silent']) {
    await client.resource(nodeKind).create({ metadata: { name, annotations: beat(0) } });
  }
  const look = async () => (await opened.compute.hosts.list(signal)).map(({ name, isUp }) => [name, isUp]);

  await opened.check(signal);
  const first = await look();
  now = 2 * MINUTE;
  await client.resource(nodeKind).patch('alive', 'merge', { metadata: { annotations: beat(2) } });
  await look();
  now = 4 * MINUTE;

  expect([first, await look()]).toEqual([
    [
      ['alive', true],
      ['silent', true],
    ],
    [
      ['alive', true],
      ['silent', false],
    ],
  ]);
});

const nodeKind = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false } as const;
