import { ComputeError, isComputeError, type HostIdentity } from '@smalt/compute';
import type { Fields, KubeClient, ListOptions, ResourceClient } from '@smalt/kube';
import type { KubernetesObject } from '@smalt/kubernetes';
import type { Node, Pod } from '@smalt/placement';
import {
  virtualMachineInstanceKind,
  virtualMachineInstanceMigrationKind,
  virtualMachineKind,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';

import { nodeKind, podKind } from './api-kinds.ts';
import { asComputeErrors, unlessGone } from './to-compute-error.ts';

/** The objects that this adapter reads and writes. */
export class VmApiAccess {
  readonly client: KubeClient;
  readonly nodes: ResourceClient<Node>;
  readonly pods: ResourceClient<Pod>;
  readonly machines: ResourceClient<VirtualMachine>;
  readonly instances: ResourceClient<VirtualMachineInstance>;
  readonly migrations: ResourceClient<VirtualMachineInstanceMigration>;

  constructor(client: KubeClient) {
    this.client = client;
    this.nodes = client.resource(nodeKind);
    this.pods = client.resource(podKind);
    this.machines = client.resource(virtualMachineKind);
    this.instances = client.resource(virtualMachineInstanceKind);
    this.migrations = client.resource(virtualMachineInstanceMigrationKind);
  }

  /** The Node of a host; undefined when it is gone, or when another one has its name by now. */
  async nodeOf({ hypervisorId, serviceId }: HostIdentity, signal: AbortSignal): Promise<Node | undefined> {
    const node = await unlessGone('read', () => this.nodes.get(serviceId, { signal }));
    return node?.metadata.uid === hypervisorId ? node : undefined;
  }

  /** The Node of a host. Throws `not-found` when it is gone. */
  async requireNode(host: HostIdentity, signal: AbortSignal): Promise<Node> {
    const node = await this.nodeOf(host, signal);
    if (node) return node;
    throw new ComputeError('not-found', `there is no node ${host.serviceId} with the uid ${host.hypervisorId}`);
  }

  /**
   * Changes the Node of a host. Throws `not-found` when it is gone: the uid in the patch keeps it from a node that was
   * registered anew under the same name.
   */
  async patchNode(host: HostIdentity, fields: Fields, signal: AbortSignal): Promise<Node> {
    const { hypervisorId, serviceId } = host;
    const given = fields['metadata'];
    const metadata = { ...(typeof given === 'object' ? given : {}), uid: hypervisorId };
    try {
      const patch = { ...fields, metadata };
      return await asComputeErrors('write', () => this.nodes.patch(serviceId, 'merge', patch, { signal }));
    } catch (error) {
      // Servers say in different ways that the uid is another one.
      if (isComputeError(error, 'refused', 'stale')) await this.requireNode(host, signal);
      throw error;
    }
  }

  /** All objects of a kind that are selected, of all namespaces. */
  async all<T extends KubernetesObject>(resource: ResourceClient<T>, options: ListOptions): Promise<readonly T[]> {
    return await asComputeErrors('read', async () => {
      const found: T[] = [];
      for await (const { items } of resource.pages(options)) found.push(...items);
      return found;
    });
  }
}
