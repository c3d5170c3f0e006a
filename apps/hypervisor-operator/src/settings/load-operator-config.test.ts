import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { defaultOpenStackComputeSettings } from '@smalt/openstack-compute';
import { describe, expect, it } from 'vitest';

import { defaultAggregatesSettings } from '../aggregates/aggregates-settings.ts';
import { defaultCertificateSettings } from '../certificate/certificate-settings.ts';
import { defaultEvictionSettings } from '../eviction/eviction-settings.ts';
import { defaultHypervisorSettings } from '../hypervisor/hypervisor-settings.ts';
import { defaultMaintenanceSettings } from '../maintenance/maintenance-settings.ts';
import { defaultNodeLifecycleSettings } from '../node-lifecycle/node-lifecycle-settings.ts';
import { defaultOffboardingSettings } from '../offboarding/offboarding-settings.ts';
import { defaultOnboardingSettings } from '../onboarding/onboarding-settings.ts';
import { isBadSetting } from '../operator-error.ts';
import { defaultReadySettings } from '../ready/ready-settings.ts';
import { defaultTaintSettings } from '../taint/taint-settings.ts';
import { defaultTraitsSettings } from '../traits/traits-settings.ts';
import { loadOperatorConfig, operatorFields } from './load-operator-config.ts';
import type { OperatorConfig } from './operator-config.ts';
import { splitConfig } from './split-config.ts';

const NAMESPACES = '--agent-namespaces=nova';

describe('without a word', () => {
  it('gives every controller exactly its defaults', async () => {
    const { settings, openStack } = splitConfig(await load([NAMESPACES]));

    expect(settings).toEqual({
      hypervisor: { ...defaultHypervisorSettings, agentNamespaces: ['nova'] },
      onboarding: defaultOnboardingSettings,
      maintenance: {
        ...defaultMaintenanceSettings,
        transferLabels: expect.arrayContaining([...defaultMaintenanceSettings.transferLabels]),
      },
      eviction: defaultEvictionSettings,
      aggregates: defaultAggregatesSettings,
      traits: defaultTraitsSettings,
      offboarding: defaultOffboardingSettings,
      ready: defaultReadySettings,
      taint: defaultTaintSettings,
      certificate: defaultCertificateSettings,
      nodeLifecycle: defaultNodeLifecycleSettings,
    });
    expect(openStack.compute).toEqual(defaultOpenStackComputeSettings);
  });

  it('says what each setting means', () => {
    expect(operatorFields().filter(({ schema }) => (schema.description ?? '') === '')).toEqual([]);
  });
});

describe('what is said', () => {
  it('comes from one file, and flags win over it', async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-operator-'));
    const path = join(directory.path, 'operator.yaml');
    await writeFile(
      path,
      [
        'agentNamespaces: [nova, neutron]',
        'labelSelector: topology.kubernetes.io/zone=a,rack',
        'hypervisor: { newHypervisor: { highAvailability: false } }',
        'eviction: { pollMs: 100, limits: { perHost: 3, perTrait: [CUSTOM_SLOW=1] } }',
        'openstack: { smokeTest: { network: none, project: "", volume: { isUsed: false } }, blockMigration: never }',
      ].join('\n'),
    );

    const { settings, openStack } = splitConfig(await load([`--config=${path}`, '--eviction-poll-ms=7']));

    expect(settings).toMatchObject({
      hypervisor: {
        agentNamespaces: ['nova', 'neutron'],
        newHypervisor: { highAvailability: false },
        transferLabels: expect.arrayContaining(['rack']),
      },
      maintenance: { transferLabels: expect.arrayContaining(['rack']) },
      eviction: { pollMs: 7, limits: { perHost: 3, perTrait: { CUSTOM_SLOW: 1 } } },
    });
    expect(openStack.compute).toMatchObject({
      smokeTest: { network: { kind: 'none' }, project: undefined, volume: { isUsed: false } },
      blockMigration: false,
    });
  });

  it('may be in the flags of the operator that this one replaces', async () => {
    const config = await load([
      '--metrics-bind-address=:8080',
      '--metrics-secure=false',
      '--health-probe-bind-address=:8082',
      '--leader-elect',
      '--enable-http2',
      '--label-selector=rack',
      '--agent-namespaces',
      ' nova ,, neutron,nova',
      '--certificate-namespace=pki',
      '--certificate-issuer-name=ca',
    ]);

    expect(config).toMatchObject({
      metricsBindAddress: ':8080',
      healthProbeBindAddress: ':8082',
      leaderElect: true,
      labelSelector: 'rack',
      certificate: { namespace: 'pki', issuerName: 'ca' },
    });
    expect(splitConfig(config).settings.hypervisor.agentNamespaces).toEqual(['nova', 'neutron']);
  });
});

describe('what cannot work', () => {
  it.each([
    { words: [], says: '--agent-namespaces is required' },
    { words: ['--agent-namespaces= , '], says: '--agent-namespaces is required' },
    { words: [NAMESPACES, '--label-selector=a in ('], says: 'labelSelector: ' },
    {
      words: [NAMESPACES, '--metrics-bind-address=:8443', '--metrics-secure'],
      says: 'metricsSecure: metrics are served over plain HTTP alone: give --metrics-secure=false',
    },
    {
      words: [NAMESPACES, '--eviction-limits-per-trait=CUSTOM_A'],
      says: 'eviction.limits.perTrait: "CUSTOM_A" is not TRAIT=NUMBER',
    },
    {
      words: [NAMESPACES, '--certificate-renew-before-ms=5', '--certificate-duration-ms=5'],
      says: 'certificate.renewBeforeMs: 5 must be less than durationMs',
    },
  ])('is refused: $says', async ({ words, says }) => {
    const config = await load(words);

    const refusal = catchError(() => splitConfig(config));

    expect(refusal).toSatisfy(isBadSetting);
    expect(refusal).toMatchObject({ message: expect.stringContaining(says) });
  });

  it.each([
    { words: ['--certificate-namespace='], says: '--certificate-namespace' },
    { words: ['--certificate-issuer-name='], says: '--certificate-issuer-name' },
    { words: ['--eviction-poll-ms=0'], says: '--eviction-poll-ms' },
    { words: ['--eviction-preflight=hopeful'], says: '--eviction-preflight' },
    { words: ['--onboarding-atempts=3'], says: '--onboarding-attempts' },
  ])('is refused with its flag: $says', async ({ words, says }) => {
    await expect(load([NAMESPACES, ...words])).rejects.toMatchObject({
      code: 'invalid-config',
      message: expect.stringContaining(says),
    });
  });
});

async function load(words: readonly string[]): Promise<OperatorConfig> {
  const loaded = await loadOperatorConfig({ arguments: words, environment: {} });
  if (loaded.kind === 'help') throw new Error('help was not asked for');
  return loaded.config;
}

function catchError(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
