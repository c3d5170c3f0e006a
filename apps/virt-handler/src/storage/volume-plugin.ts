import type { DomainVolume } from '@smalt/domain-xml';
import type { Hypervisor } from '@smalt/hypervisors';
import type { PodSandbox } from '@smalt/pod-sandbox';
import type { VirtualMachineInstance, Volume } from '@smalt/vm-api';

/** Brings volumes of some kinds onto the node. One folder each; the list is `volume-plugins.ts`. */
export interface VolumePlugin {
  /** The fields of a volume that it is for, such as `containerDisk`. */
  readonly sources: readonly string[];
  /** Makes the volume usable and says where it lies; when it is so already, that is all. */
  prepare(request: VolumeRequest, signal: AbortSignal): Promise<DomainVolume>;
  /** Takes back what `prepare` made outside the directory of the instance. */
  release?(request: ReleaseRequest, signal: AbortSignal): Promise<void>;
}

export interface VolumeRequest {
  readonly instance: VirtualMachineInstance;
  readonly volume: Volume;
  readonly hypervisor: Hypervisor;
  readonly sandbox: PodSandbox;
  /** The directory of the instance on this node, at the same path on every node; nobody else's files are in it. */
  readonly directory: string;
  /** Whether the guest comes from another node: then its disks get the contents, and must not be made anew there. */
  readonly isMigrationTarget: boolean;
}

export type ReleaseRequest = Pick<VolumeRequest, 'instance' | 'volume' | 'directory'>;

/** All volumes of an instance at once. */
export interface InstanceVolumes {
  prepare(request: Omit<VolumeRequest, 'volume'>, signal: AbortSignal): Promise<readonly DomainVolume[]>;
  /**
   * Takes back what `prepare` made outside the directory of the instance. The files in it stay: the directory goes as a
   * whole, once no node needs it.
   */
  release(request: Omit<ReleaseRequest, 'volume'>, signal: AbortSignal): Promise<void>;
}
