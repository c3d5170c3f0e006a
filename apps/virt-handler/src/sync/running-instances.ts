import type { Hypervisor } from '@smalt/hypervisors';
import type { Domain, LibvirtSession } from '@smalt/libvirt';
import type { VirtualMachineInstance } from '@smalt/vm-api';

/** The instances that have a domain on this node. */
export interface RunningInstances {
  find(namespace: string, name: string): RunningInstance | undefined;
  /** An instance of this node, whether its domain runs or not. */
  instance(namespace: string, name: string): VirtualMachineInstance | undefined;
}

export interface RunningInstance {
  readonly instance: VirtualMachineInstance;
  readonly hypervisor: Hypervisor;
  readonly session: LibvirtSession;
  readonly domain: Domain;
}
