import { findCondition } from '@smalt/controller-runtime';
import { HypervisorConditionType, type Hypervisor } from '@smalt/fleet-api';
import type { OVSNode } from '@smalt/ovs-api';

import type { OnboardingSettings } from './onboarding-settings.ts';

export type HostCheckSettings = Pick<
  OnboardingSettings,
  'requireNodeAgent' | 'minLibvirtVersion' | 'requireOvsNode' | 'bridges'
>;

const ACTIVE = 'Active';

/** Why a host is not worth a test instance yet, each with what to do about it; nothing if it is. */
export function decideHostChecks(
  hypervisor: Hypervisor,
  ovsNode: OVSNode | undefined,
  settings: HostCheckSettings,
): readonly string[] {
  return [
    ...connectionCauses(hypervisor, settings),
    ...versionCauses(hypervisor, settings),
    ...bridgeCauses(hypervisor.metadata.name, ovsNode, settings),
  ];
}

function connectionCauses({ metadata, status }: Hypervisor, settings: HostCheckSettings): readonly string[] {
  const connection = findCondition(status?.conditions, HypervisorConditionType.libvirtConnection);
  if (connection === undefined) {
    if (!settings.requireNodeAgent) return [];
    return [`no node agent has reported: see whether its pod runs on ${metadata.name}`];
  }
  if (connection.status === 'True') return [];
  return [`libvirt cannot be reached (${connection.reason}): see whether its daemon runs on ${metadata.name}`];
}

function versionCauses({ metadata, status }: Hypervisor, { minLibvirtVersion }: HostCheckSettings): readonly string[] {
  if (minLibvirtVersion === '') return [];
  const version = status?.libVirtVersion ?? 'unknown';
  if (!/^\d+(?:\.\d+)*$/v.test(version)) {
    return [`the version of libvirt is not known: see whether the node agent runs on ${metadata.name}`];
  }
  if (isAtLeast(version, minLibvirtVersion)) return [];
  return [`libvirt is ${version}, but at least ${minLibvirtVersion} is needed: update ${metadata.name}`];
}

function isAtLeast(version: string, least: string): boolean {
  const numbers = version.split('.').map(Number);
  for (const [index, wanted] of least.split('.').map(Number).entries()) {
    const has = numbers[index] ?? 0;
    if (has !== wanted) return has > wanted;
  }
  return true;
}

function bridgeCauses(
  hostName: string,
  ovsNode: OVSNode | undefined,
  { bridges, requireOvsNode }: HostCheckSettings,
): readonly string[] {
  if (ovsNode === undefined) {
    return requireOvsNode ? [`there is no OVSNode of ${hostName}: see whether its Open vSwitch agent runs`] : [];
  }
  return bridges.flatMap((name) => {
    const bridge = ovsNode.status?.bridges?.find((each) => each.name === name);
    if (bridge === undefined) return [`the bridge ${name} is missing: add it on ${hostName}`];
    const { status = ACTIVE } = bridge;
    return status === ACTIVE ? [] : [`the bridge ${name} is ${status}: see OVSNode ${ovsNode.metadata.name}`];
  });
}
