import type { ComputeAggregate, ComputeInstance, MoveTarget } from '@smalt/compute';
import type { AllocationCandidate } from '@smalt/openstack';

import type { RegisteredHost } from './host-register.ts';
import type { InstanceDemand } from './instance-demand.ts';

/** A host that Placement has named, and what Nova knows of it. */
export interface TargetCandidate {
  readonly candidate: AllocationCandidate;
  readonly host: RegisteredHost;
  readonly aggregates: readonly ComputeAggregate[];
}

/** Those of the candidates that Nova's scheduler would let an instance go to. */
export function chooseTargets(
  instance: ComputeInstance,
  demand: InstanceDemand,
  candidates: readonly TargetCandidate[],
): readonly MoveTarget[] {
  return candidates.filter((each) => isTarget(instance, demand, each)).map(moveTarget);
}

function isTarget(instance: ComputeInstance, demand: InstanceDemand, { host, aggregates }: TargetCandidate): boolean {
  const { service, hypervisor } = host;
  const isSource = service.host === instance.hostName || hypervisor.hostname === instance.hypervisorHostname;
  const isWell = service.status === 'enabled' && service.state === 'up' && !service.isForcedDown;
  const isInZone = instance.zone === undefined || instance.zone === '' || service.zone === instance.zone;
  return !isSource && isWell && isInZone && isForProject(demand, aggregates) && meetsSpecs(demand, aggregates);
}

/** An aggregate may keep its hosts for some projects: `filter_tenant_id`, with a suffix or not, one or a list. */
function isForProject({ projectId }: InstanceDemand, aggregates: readonly ComputeAggregate[]): boolean {
  const projects = aggregates.flatMap(({ metadata = {} }) =>
    Object.entries(metadata).flatMap(([key, value]) => (key.startsWith('filter_tenant_id') ? value.split(',') : [])),
  );
  if (projects.length === 0 || projectId === undefined) return true;
  return projects.some((project) => project.trim() === projectId);
}

/** Whether aggregates of the host say what the flavor asks for. Comparisons such as `>= 4` are left to the scheduler. */
function meetsSpecs({ aggregateSpecs }: InstanceDemand, aggregates: readonly ComputeAggregate[]): boolean {
  return Object.entries(aggregateSpecs).every(([key, wanted]) => {
    if (/^(<|=|>|!|s[=!<>])/.test(wanted)) return true;
    return aggregates.some(({ metadata }) =>
      (metadata?.[key] ?? '').split(',').some((value) => value.trim() === wanted),
    );
  });
}

function moveTarget({ candidate, host }: TargetCandidate): MoveTarget {
  return {
    hypervisorId: candidate.providerId,
    name: host.hypervisor.hostname,
    free: freeOf(candidate),
  };
}

function freeOf({ resources }: AllocationCandidate): MoveTarget['free'] {
  const amounts = Object.entries(resources).map(
    ([name, { capacity, used }]) => [name, Math.max(0, capacity - used)] as const,
  );
  return Object.fromEntries(amounts);
}
