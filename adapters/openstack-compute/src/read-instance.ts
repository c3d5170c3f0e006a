import type { ComputeInstance } from '@smalt/compute';
import type { Server } from '@smalt/openstack';

import { demandedResources, instanceDemand, type InstanceDemand } from './instance-demand.ts';
import { guestState, instanceState, instanceStateText, isMeantToRun } from './instance-state.ts';
import { liveMoveObstacles } from './live-move-obstacles.ts';

/** An instance, with what else Nova looks at when it chooses a host for it. */
export interface OpenStackInstance extends ComputeInstance {
  readonly demand: InstanceDemand;
}

/** A server as an instance. */
export function readInstance(server: Server, settings: { readonly movesVirtualGpus: boolean }): OpenStackInstance {
  const { flavor } = server;
  const demand = instanceDemand(server);
  return {
    id: server.id,
    name: server.name ?? server.id,
    state: instanceState(server),
    stateText: instanceStateText(server),
    guestState: guestState(server),
    isMeantToRun: isMeantToRun(server),
    hostName: server.host,
    hypervisorHostname: server.hypervisorHostname,
    memoryMiB: flavor?.memoryMiB ?? 0,
    resources: demandedResources(server),
    requiredTraits: demand.requiredTraits,
    zone: server.availabilityZone,
    obstacles: liveMoveObstacles(flavor?.extraSpecs ?? {}, settings),
    isLocked: server.isLocked,
    metadata: server.metadata,
    flavorProperties: flavor?.extraSpecs ?? {},
    fault: server.fault?.message,
    demand,
  };
}

/** What an instance asks for beside resources; of one that was made elsewhere no more is known than the port tells. */
export function demandOf(instance: ComputeInstance): InstanceDemand {
  if (hasDemand(instance)) return instance.demand;
  return { requiredTraits: instance.requiredTraits, forbiddenTraits: [], aggregateSpecs: {}, projectId: undefined };
}

function hasDemand(instance: ComputeInstance): instance is OpenStackInstance {
  return 'demand' in instance;
}
