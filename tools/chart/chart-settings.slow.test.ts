import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { mergeValues } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { SETTINGS_READERS, settingsOf } from './fixtures/settings-readers.ts';
import { findHelm, renderChart } from './helm.ts';
import { renderedObjects } from './rendered-objects.ts';

const helm = findHelm() ?? '';

/** What has the chart write other settings than by itself: the values, and words of the settings that show it. */
const CHOICES: readonly (readonly [name: string, values: string, program: string, settings: unknown])[] = [
  [
    'PostgreSQL with an authority',
    'haService: {replicas: 3, store: {kind: postgres, postgres: {secret: database, hasAuthority: true}}}',
    'smalt-ha-service',
    { store: { kind: 'postgres', authorityFile: '/etc/smalt/ha-service/store/ca.crt' } },
  ],
  [
    'OpenStack',
    '{compute: {kind: openstack, openstack: {secret: clouds, cloud: prod}}, libvirt: {managed: {enabled: false}}}',
    'smalt-hypervisor-operator',
    { compute: 'openstack', openstack: { cloud: 'prod' } },
  ],
  [
    'cert-manager',
    '{certificates: {source: cert-manager, issuer: {name: a}}, libvirt: {certificates: {source: cert-manager, issuer: {name: b}}}}',
    'smalt-hypervisor-operator',
    { certificate: { when: 'always', issuerName: 'b' } },
  ],
  [
    'libvirt by TCP',
    'libvirt: {transport: tcp, certificates: {source: none}}',
    'virt-handler',
    { migration: { uri: '{driver}+tcp://{address}/system', encrypt: false } },
  ],
  [
    'an Ingress, images from elsewhere, Gardener and own registration',
    '{console: {ingress: {enabled: true, host: c.example}}, image: {pullPolicy: Always, pullSecrets: [{name: r}]}, hypervisorOperator: {gardener: true}, nodeAgent: {register: true}}',
    'smalt-console',
    { serve: { origins: ['https://c.example'] } },
  ],
  [
    'an HA service elsewhere',
    '{haService: {enabled: false}, haAgent: {config: {ha: {url: "https://ha.example"}}}}',
    'smalt-ha-agent',
    { ha: { url: 'https://ha.example' } },
  ],
];

describe.skipIf(helm === '')('the settings of programs (needs helm: npm run bed:kubernetes -- --build)', () => {
  it.each(CHOICES)('are taken by them with %s', async (_name, values, program, shown) => {
    const all = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), parse(values));
    const settings = settingsOf(renderedObjects(await renderChart(helm, { values: all })));

    await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-chart-'));
    const refused: string[] = [];
    for (const [name, text] of Object.entries(settings)) {
      const file = join(directory.path, `${name}.yaml`);
      await writeFile(file, text);
      await readSettings(name, file).catch((error: unknown) => refused.push(`${name}: ${String(error)}`));
    }

    expect(parse(settings[program] ?? '')).toMatchObject(Object(shown));
    expect(Object.keys(settings).length).toBeGreaterThan(7);
    expect(refused).toEqual([]);
  });

  it('say nothing of the account of guests, which each node agent learns of its own libvirt', async () => {
    const managed = { enabled: true, nodeSelector: { libvirt: 'managed' } };
    const all = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), { libvirt: { managed } });

    const settings = settingsOf(renderedObjects(await renderChart(helm, { values: all })));

    const { certificates } = parse(settings['smalt-node-agent'] ?? '');
    expect(Object.keys(Object(certificates)).toSorted()).toEqual(['install', 'namespace']);
  });
});

async function readSettings(name: string, file: string): Promise<unknown> {
  const read = SETTINGS_READERS[name];
  if (read === undefined) throw new Error('nobody reads them');
  return await read(file);
}
