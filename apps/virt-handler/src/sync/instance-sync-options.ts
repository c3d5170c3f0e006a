import type { Clock, ControllerManager } from '@smalt/controller-runtime';
import type { FirmwareImage, MachineLabel } from '@smalt/domain-xml';
import type { KubeClient } from '@smalt/kube';
import type { Ignore, Logger } from '@smalt/service-runtime';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { HypervisorSessions } from '../hypervisor-sessions/hypervisor-sessions.ts';
import type { LeavingSide, MigrationSide } from '../migration/migration-side.ts';
import type { InstanceNetworks } from '../network/network-plugin.ts';
import type { InstanceVolumes } from '../storage/volume-plugin.ts';
import type { InstanceDirectories } from './end/instance-directories.ts';
import type { RunningInstances } from './running-instances.ts';
import type { Sandboxes } from './sandboxes.ts';
import type { GuestPlace } from './start/adopt-guest.ts';
import type { StartDeps, StartStep } from './start/start-instance.ts';

/** Both ends of live migrations on this node. */
export interface MigrationSides {
  readonly source: LeavingSide;
  readonly target: MigrationSide;
}

/** What the ends of migrations get from the sync: what runs here, where its files are, how to ask for another pass. */
export interface SyncAccess extends RunningInstances {
  readonly directories: InstanceDirectories;
  /** Asks for another pass over the instance `namespace/name`. */
  wake(key: string): void;
  /** Moves the processes of a guest into its pod. */
  adopt(guest: GuestPlace, signal: AbortSignal): Promise<void>;
  /** Writes an event about an instance; never throws. */
  tell(instance: VirtualMachineInstance, event: InstanceEvent): void;
}

export interface InstanceEvent {
  readonly type: 'Normal' | 'Warning';
  /** One CamelCase word. */
  readonly reason: string;
  readonly message: string;
}

export interface InstanceSyncOptions {
  readonly nodeName: string;
  readonly client: KubeClient;
  /** Carries the controller of instances; whoever made it runs it beside `InstanceSync.run`. */
  readonly manager: ControllerManager;
  readonly sessions: HypervisorSessions;
  readonly volumes: InstanceVolumes;
  readonly networks: InstanceNetworks;
  readonly sandboxes: Sandboxes;
  readonly migrations: (access: SyncAccess) => MigrationSides;
  /** Holds `instances/<uid>` for each instance; the same path on every node. */
  readonly stateDirectory: string;
  /** The firmware images of the node; those that libvirt names, or that are at the usual places, if not given. */
  readonly firmware?: readonly FirmwareImage[] | undefined;
  readonly machineLabel?: MachineLabel | undefined;
  /** The devices of the node that an instance was given; none if not given. */
  readonly findHostDevices?: StartDeps['findHostDevices'] | undefined;
  /** Finds the parts of `kernelBoot`; in the image that the pod has of it if not given. */
  readonly findKernel?: StartDeps['findKernel'] | undefined;
  /** Told of each step of a start that was done. */
  readonly onStartStep?: ((step: StartStep) => void) | undefined;
  /** How long libvirt may be away before that is told; 10 s if not given. */
  readonly awayMs?: number | undefined;
  /** How many guests are started at a time; 8 if not given. */
  readonly maxStarts?: number | undefined;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly clock?: Clock | undefined;
}
