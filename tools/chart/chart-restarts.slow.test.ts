import { FIXED_SETTINGS } from '@smalt/ha-service';
import { describe, expect, it } from 'vitest';

import { mergeValues } from './fixtures/changed-value.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { findHelm, renderChart } from './helm.ts';
import { renderedObjects } from './rendered-objects.ts';

const helm = findHelm() ?? '';
/** Another value of each setting that the HA service reads when it starts and never again. */
const CHANGES: Readonly<Record<(typeof FIXED_SETTINGS)[number], unknown>> = {
  listen: '[::]:8443',
  observabilityListen: '[::]:8080',
  kubernetes: { leaseName: 'other' },
  store: { path: '/var/lib/smalt/ha-service/other.sqlite' },
  compute: { timeoutMs: 77_000 },
};

describe.skipIf(helm === '')('new pods of the HA service (needs helm: npm run bed:kubernetes -- --build)', () => {
  it.each(FIXED_SETTINGS)('are started for another %s, which it reads only then', async (name) => {
    const [before, after] = await Promise.all([podsWith({}), podsWith({ [name]: CHANGES[name] })]);

    expect(after).not.toEqual(before);
  });

  it.each([
    ['log', { level: 'debug' }],
    ['detection', { brakes: { isPaused: true } }],
    ['fencing', { levels: [{ name: 'nobody', driver: 'person' }] }],
  ])('are not started for another %s, which it reads anew by itself', async (name, value) => {
    const [before, after] = await Promise.all([podsWith({}), podsWith({ [name]: value })]);

    expect(before).toBeDefined();
    expect(after).toEqual(before);
  });
});

/** The template of its pods: Kubernetes starts new ones when that differs. */
async function podsWith(config: unknown): Promise<unknown> {
  const values = mergeValues(NO_DEFINITIONS, { haService: { config } });
  const flags = ['--show-only', 'templates/ha-service.yaml'];
  const objects = renderedObjects(await renderChart(helm, { values, flags }));
  const { spec } = Object(objects.find(({ kind }) => kind === 'Deployment'));
  return Object(spec).template;
}
