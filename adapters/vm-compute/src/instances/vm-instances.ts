import {
  ComputeError,
  InstanceState,
  isComputeError,
  type ComputeInstance,
  type ComputeInstances,
  type HostIdentity,
  type MoveTarget,
} from '@smalt/compute';
import type { Node } from '@smalt/placement';
import { isFinalPhase, WellKnownName, type VirtualMachine, type VirtualMachineInstance } from '@smalt/vm-api';

import { isHost, readHost } from '../hosts/read-host.ts';
import { askMachine } from '../subresources.ts';
import type { VmApiAccess } from '../vm-api-access.ts';
import { boundInstances, type BoundInstance } from './bound-instances.ts';
import { chooseTargets } from './choose-targets.ts';
import { findInstance } from './found-instance.ts';
import type { InstanceIds } from './instance-ids.ts';
import type { InstanceKey } from './instance-key.ts';
import { readInstance, readStoppedMachine } from './read-instance.ts';

export interface VmInstancesOptions {
  readonly api: VmApiAccess;
  readonly ids: InstanceIds;
  /** Whether the handler of a node is heard of. */
  readonly isHeard: (node: Node) => boolean;
}

/** Instances are VirtualMachineInstances, and VirtualMachines that are off. */
export class VmInstances implements ComputeInstances {
  readonly #options: VmInstancesOptions;

  constructor(options: VmInstancesOptions) {
    this.#options = options;
  }

  async list({ serviceId }: HostIdentity, signal: AbortSignal): Promise<readonly ComputeInstance[]> {
    const bound = await boundInstances(this.#options.api, serviceId, signal);
    return bound.map((each) => readBound(each, serviceId));
  }

  async get(id: string, signal: AbortSignal, domainName?: string): Promise<ComputeInstance | undefined> {
    const found = await findInstance(this.#options, id, signal, domainName);
    if (found?.vmi) return readInstance(found.vmi, found.machine);
    return found?.machine && readStoppedMachine(found.machine);
  }

  async targets({ id }: ComputeInstance, signal: AbortSignal): Promise<readonly MoveTarget[] | undefined> {
    const { api, isHeard } = this.#options;
    const vmi = (await findInstance(this.#options, id, signal))?.vmi;
    const uid = vmi?.metadata.uid;
    if (vmi === undefined || uid === undefined) return undefined;
    const [nodes, pods] = await Promise.all([api.all(api.nodes, { signal }), api.all(api.pods, { signal })]);
    const launcher = pods.find((pod) => isLauncherOf(pod, uid) && pod.spec.nodeName === vmi.status?.nodeName);
    if (launcher === undefined) return undefined;
    const open = nodes.filter((node) => {
      const { isUp, isEnabled } = readHost(node, isHeard);
      return isHost(node) && isUp && isEnabled && node.metadata.name !== vmi.status?.nodeName;
    });
    return chooseTargets(launcher, vmi.spec.nodeSelector ?? {}, open, pods);
  }

  /** A machine that is off is started. What nobody but its owner makes again cannot be restarted. */
  async restart(id: string, signal: AbortSignal): Promise<void> {
    const { key, machine, vmi } = await this.#requireMachine(id, 'restarted', signal);
    const isOff = vmi === undefined || isFinalPhase(vmi.status?.phase);
    if (isOff && machine.status?.printableStatus === 'Starting') return;
    await askMachine(this.#options.api, key, isOff ? 'start' : 'restart', signal);
  }

  async stop(id: string, signal: AbortSignal): Promise<void> {
    const { key, machine, vmi } = await this.#requireMachine(id, 'stopped', signal);
    try {
      await askMachine(this.#options.api, key, 'stop', signal);
    } catch (error) {
      const isOff = vmi === undefined && machine.spec.runStrategy === 'Halted';
      if (!isOff || !isComputeError(error, 'conflict')) throw error;
    }
  }

  async #requireMachine(id: string, what: string, signal: AbortSignal): Promise<FoundMachine> {
    const found = await findInstance(this.#options, id, signal);
    if (found === undefined) throw new ComputeError('not-found', `there is no instance ${id}`);
    const { key, machine, vmi } = found;
    if (machine) return { key, machine, vmi };
    throw new ComputeError('refused', `${id} belongs to no VirtualMachine, so it cannot be ${what}: only deleted`);
  }
}

interface FoundMachine {
  readonly key: InstanceKey;
  readonly machine: VirtualMachine;
  readonly vmi: VirtualMachineInstance | undefined;
}

/** What the API says of an instance that counts for a node, though it may say of itself that it is on no node yet, or on another. */
function readBound({ vmi, binding }: BoundInstance, nodeName: string): ComputeInstance {
  const instance = readInstance(vmi, undefined);
  switch (binding) {
    case 'home':
      return instance;
    case 'start':
      return { ...instance, hostName: nodeName, hypervisorHostname: nodeName };
    case 'arrival':
      return { ...instance, state: InstanceState.moving, stateText: 'Migrating', isArriving: true };
  }
}

function isLauncherOf({ metadata }: { readonly metadata: VirtualMachine['metadata'] }, uid: string): boolean {
  return metadata.labels?.[WellKnownName.createdByLabel] === uid;
}
