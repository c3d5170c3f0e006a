import { findCondition, type ConditionStatement } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType } from '@smalt/fleet-api';

import type { ClusterHost } from '../ports/cluster-port.ts';
import type { WatchedHypervisor } from './watched-hypervisor.ts';

/** Where it is noted on an object what the service has to know. */
export interface ClusterNames {
  /** The label by which hosts are said to fail together, and that of the zone. */
  readonly failureDomainLabel: string;
  readonly zoneLabel: string;
  /** The annotation with the address of the management controller. */
  readonly bmcAddressAnnotation: string;
}

export const defaultClusterNames: ClusterNames = {
  failureDomainLabel: 'kubernetes.metal.cloud.sap/bb',
  zoneLabel: 'topology.kubernetes.io/zone',
  bmcAddressAnnotation: 'smalt.dev/bmc-address',
};

/** Reads a host from its Hypervisor object. */
export function readClusterHost(
  { metadata, spec, status }: WatchedHypervisor,
  leaseAliveAt: number | undefined,
  names: ClusterNames,
): ClusterHost {
  const { labels = {}, annotations = {} } = metadata;
  const { hypervisorId = '', serviceId = '' } = status ?? {};
  const onboarding = findCondition(status?.conditions, HypervisorConditionType.onboarding);
  return {
    name: metadata.name,
    identity: hypervisorId === '' || serviceId === '' ? undefined : { hypervisorId, serviceId },
    maintenance: spec?.maintenance ?? '',
    isHighlyAvailable: spec?.highAvailability !== false,
    isLifecycleEnabled: spec?.lifecycleEnabled === true,
    isOnboarded: onboarding?.reason === HypervisorConditionReason.Onboarding.succeeded,
    failureDomain: labels[names.failureDomainLabel],
    zone: labels[names.zoneLabel],
    labels,
    onboardingReason: onboarding?.reason,
    evicting: findCondition(status?.conditions, HypervisorConditionType.evicting)?.status,
    haEnabled: statementOf(status?.conditions, HypervisorConditionType.haEnabled),
    hypervisorDisabled: statementOf(status?.conditions, HypervisorConditionType.hypervisorDisabled),
    leaseAliveAt,
    bmcAddress: annotations[names.bmcAddressAnnotation],
    internalAddress: status?.internalIp,
    isLeaving:
      metadata.deletionTimestamp !== undefined ||
      findCondition(status?.conditions, HypervisorConditionType.offboarded)?.status === 'True',
  };
}

function statementOf(conditions: Parameters<typeof findCondition>[0], wanted: string): ConditionStatement | undefined {
  const found = findCondition(conditions, wanted);
  if (found === undefined) return undefined;
  const { type, status, reason, message } = found;
  return { type, status, reason, message };
}
