import type { AnyInstancetype, AnyPreference, Referenced } from '@smalt/instance-types';
import { isNotFound, type KubeClient, type ResourceClient } from '@smalt/kube';
import { checkLabelValue, labelRequirement, type KindReference, type KubernetesObject } from '@smalt/kubernetes';
import type { ObjectPatch, PatchOperation } from '@smalt/vm-admission';
import {
  virtualMachineInstanceKind,
  virtualMachineInstanceMigrationKind,
  virtualMachineInstancePresetKind,
  virtualMachineKind,
  WellKnownName,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
  type VirtualMachineInstancePreset,
} from '@smalt/vm-api';

import {
  claimKind,
  controllerRevisionKind,
  nodeKind,
  podKind,
  type ControllerRevision,
  type Node,
  type Pod,
} from './kubernetes-kinds.ts';

/** Which object is meant. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** The objects that decisions are based on. They are asked for each time: nothing is kept. */
export interface ObjectReader {
  instance(key: ObjectName, signal: AbortSignal): Promise<VirtualMachineInstance | undefined>;
  machine(key: ObjectName, signal: AbortSignal): Promise<VirtualMachine | undefined>;
  /** All migrations of an instance, whether they are over or not. */
  migrations(instance: ObjectName, signal: AbortSignal): Promise<readonly VirtualMachineInstanceMigration[]>;
  /** All presets of a namespace; none where the kind is not served. */
  presets(namespace: string, signal: AbortSignal): Promise<readonly VirtualMachineInstancePreset[]>;
  pod(key: ObjectName, signal: AbortSignal): Promise<Pod | undefined>;
  node(name: string, signal: AbortSignal): Promise<Node | undefined>;
  /** What a machine of that namespace names as its instance type or preference. */
  referenced(
    referenced: Referenced,
    namespace: string,
    signal: AbortSignal,
  ): Promise<AnyInstancetype | AnyPreference | undefined>;
  revision(key: ObjectName, signal: AbortSignal): Promise<ControllerRevision | undefined>;
  claim(key: ObjectName, signal: AbortSignal): Promise<KubernetesObject | undefined>;
}

export interface WriteHow {
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** What subresources change. */
export interface ObjectWriter {
  patch(key: ObjectName, patch: ObjectPatch, how: WriteHow): Promise<void>;
  createMigration(namespace: string, spec: VirtualMachineInstanceMigration['spec'], how: WriteHow): Promise<void>;
}

/** Reads and writes through the API, as the one whom the client stands for. */
export class ClusterObjects implements ObjectReader, ObjectWriter {
  readonly #client: KubeClient;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  async instance(key: ObjectName, signal: AbortSignal): Promise<VirtualMachineInstance | undefined> {
    return await this.#find(virtualMachineInstanceKind, key, signal);
  }

  async machine(key: ObjectName, signal: AbortSignal): Promise<VirtualMachine | undefined> {
    return await this.#find(virtualMachineKind, key, signal);
  }

  async migrations(
    { namespace, name }: ObjectName,
    signal: AbortSignal,
  ): Promise<readonly VirtualMachineInstanceMigration[]> {
    // What cannot stand in a label names no instance that has migrations.
    if (checkLabelValue(name).length > 0) return [];
    const labelSelector = { requirements: [labelRequirement(WellKnownName.migrationSelectorLabel, '=', [name])] };
    const { items } = await this.#client
      .resource(virtualMachineInstanceMigrationKind)
      .list({ namespace, labelSelector, signal });
    return items;
  }

  async presets(namespace: string, signal: AbortSignal): Promise<readonly VirtualMachineInstancePreset[]> {
    try {
      return (await this.#client.resource(virtualMachineInstancePresetKind).list({ namespace, signal })).items;
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  async pod(key: ObjectName, signal: AbortSignal): Promise<Pod | undefined> {
    return await this.#find(podKind, key, signal);
  }

  async node(name: string, signal: AbortSignal): Promise<Node | undefined> {
    return await this.#find(nodeKind, { namespace: '', name }, signal);
  }

  async referenced(
    { kind, name }: Referenced,
    namespace: string,
    signal: AbortSignal,
  ): Promise<AnyInstancetype | AnyPreference | undefined> {
    return await this.#find(kind, { namespace, name }, signal);
  }

  async revision(key: ObjectName, signal: AbortSignal): Promise<ControllerRevision | undefined> {
    return await this.#find(controllerRevisionKind, key, signal);
  }

  async claim(key: ObjectName, signal: AbortSignal): Promise<KubernetesObject | undefined> {
    return await this.#find(claimKind, key, signal);
  }

  async patch(key: ObjectName, { target, operations }: ObjectPatch, how: WriteHow): Promise<void> {
    switch (target) {
      case 'machine':
        return await this.#write(this.#client.resource(virtualMachineKind), key, operations, how);
      case 'machine-status':
        return await this.#write(this.#client.resource(virtualMachineKind), key, operations, {
          ...how,
          subresource: 'status',
        });
      case 'instance':
        return await this.#write(this.#client.resource(virtualMachineInstanceKind), key, operations, how);
    }
  }

  async createMigration(
    namespace: string,
    spec: VirtualMachineInstanceMigration['spec'],
    { dryRun, signal }: WriteHow,
  ): Promise<void> {
    const metadata = { generateName: 'kubevirt-migrate-vm-', namespace };
    await this.#client.resource(virtualMachineInstanceMigrationKind).create({ metadata, spec }, { dryRun, signal });
  }

  async #write<T extends KubernetesObject>(
    objects: ResourceClient<T>,
    { namespace, name }: ObjectName,
    operations: readonly PatchOperation[],
    how: WriteHow & { readonly subresource?: string },
  ): Promise<void> {
    await objects.patch(name, 'json', operations, { namespace, ...how });
  }

  async #find<T extends KubernetesObject>(
    kind: KindReference<T>,
    { namespace, name }: ObjectName,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    try {
      return await this.#client.resource(kind).get(name, kind.isNamespaced ? { namespace, signal } : { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
