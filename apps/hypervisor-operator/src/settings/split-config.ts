import { parseLabelSelector, type LabelSelector } from '@smalt/kubernetes';
import type { OpenStackComputeSettings, SmokeTestNetwork } from '@smalt/openstack-compute';
import { messageOf } from '@smalt/service-runtime';
import type { VmComputeSettings } from '@smalt/vm-compute';

import { OperatorError } from '../operator-error.ts';
import type { OperatorConfig } from './operator-config.ts';
import type { OpenStackSettings, OperatorSettings } from './operator-settings.ts';

export interface SplitConfig {
  readonly settings: OperatorSettings;
  readonly openStack: OpenStackSettings;
  readonly virtualMachines: VmComputeSettings;
}

/** Gives each part of the operator what is said for it. Refuses what can never work, by its name. */
export function splitConfig(config: OperatorConfig): SplitConfig {
  refuse(config);
  const { testAggregate } = config;
  const labels = [...new Set([...config.transferLabels, ...selectorKeys(config.labelSelector)])];
  const agentNamespaces = namesOf(config.agentNamespaces);
  const { limits } = config.eviction;
  return {
    settings: {
      hypervisor: { ...config.hypervisor, transferLabels: labels, agentNamespaces },
      onboarding: { ...config.onboarding, testAggregate },
      maintenance: { ...config.maintenance, transferLabels: labels },
      eviction: { ...config.eviction, limits: { ...limits, perTrait: traitLimits(limits.perTrait) } },
      aggregates: { ...config.aggregates, testAggregate },
      traits: config.traits,
      offboarding: config.offboarding,
      ready: config.ready,
      taint: config.taint,
      certificate: config.certificate,
      nodeLifecycle: config.nodeLifecycle,
    },
    openStack: {
      compute: computeSettings(config.openstack),
      timeoutMs: config.openstack.timeoutMs,
      maxAttempts: config.openstack.attempts,
      mostRequests: config.openstack.mostRequests,
    },
    virtualMachines: { ...config.virtualMachines, aggregates: [testAggregate] },
  };
}

function refuse(config: OperatorConfig): void {
  // The words of the operator that this one replaces: its users search for them.
  if (namesOf(config.agentNamespaces).length === 0) throw badSetting('--agent-namespaces is required');
  const { metricsSecure, metricsBindAddress, certificate } = config;
  if (metricsSecure && metricsBindAddress !== '0') {
    const next = 'give --metrics-secure=false, listen on loopback, and put a proxy such as kube-rbac-proxy in front';
    throw badSetting(`metricsSecure: metrics are served over plain HTTP alone: ${next}`);
  }
  if (certificate.renewBeforeMs >= certificate.durationMs) {
    const { renewBeforeMs, durationMs } = certificate;
    throw badSetting(
      `certificate.renewBeforeMs: ${renewBeforeMs} must be less than durationMs, which is ${durationMs}`,
    );
  }
}

/** Trimmed, without blanks, each once. */
function namesOf(items: readonly string[]): readonly string[] {
  return [...new Set(items.map((item) => item.trim()).filter((item) => item !== ''))];
}

function selectorKeys(text: string): readonly string[] {
  return text === '' ? [] : parseSelector(text).requirements.map(({ key }) => key);
}

function parseSelector(text: string): LabelSelector {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw new OperatorError('bad-setting', `labelSelector: ${messageOf(error)}`, { cause: error });
  }
}

function traitLimits(items: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    items.map((item) => {
      const { trait, limit } = /^(?<trait>[A-Z0-9_]+)=(?<limit>[1-9]\d{0,5})$/.exec(item.trim())?.groups ?? {};
      if (trait !== undefined && limit !== undefined) return [trait, Number(limit)];
      throw badSetting(`eviction.limits.perTrait: "${item}" is not TRAIT=NUMBER, such as CUSTOM_SLOW=2`);
    }),
  );
}

function computeSettings(config: OperatorConfig['openstack']): OpenStackComputeSettings {
  const { network, project, projectDomain, ...smokeTest } = config.smokeTest;
  return {
    smokeTest: {
      ...smokeTest,
      network: networkOf(network),
      project: project === '' ? undefined : { name: project, domain: projectDomain },
    },
    blockMigration: config.blockMigration === 'auto' ? 'auto' : config.blockMigration === 'always',
    movesVirtualGpus: config.movesVirtualGpus,
    listingMs: config.listingMs,
    mostTargets: config.mostTargets,
  };
}

function networkOf(text: string): SmokeTestNetwork {
  if (text === '') return { kind: 'first' };
  return text === 'none' ? { kind: 'none' } : { kind: 'named', nameOrId: text };
}

function badSetting(message: string): OperatorError {
  return new OperatorError('bad-setting', message);
}
