import type { DomainRecipe } from '@smalt/domain-xml';

import type { Incapability } from './capability/incapability.ts';
import type { LibvirtAccess } from './libvirt-access.ts';

/**
 * One hypervisor: what it needs of its node and its launcher, what it cannot do, how libvirt serves it, and how its
 * domains look. All of it is known before any machine is asked. The README maps it to the interfaces it comes from.
 */
export interface Hypervisor extends DomainRecipe {
  /** The value of `spec.hypervisor`. */
  readonly name: string;
  readonly description: string;
  readonly overheads: HypervisorOverheads;
  /** Whether media can be ISO 9660 images; else those made for cloud-init and settings are raw disks with a file system. */
  readonly supportsIso: boolean;
  /** The device of the node without its group: `kvm` for `/dev/kvm` and `devices.kubevirt.io/kvm`. */
  readonly device: string | undefined;
  /** Whether the launcher's container has to be privileged. */
  readonly runsPrivileged: boolean;
  /** Matches the name of a thread that is a processor of the guest; the first group is its number. */
  readonly virtualProcessorThread: RegExp | undefined;
  readonly libvirt: LibvirtAccess;
  /** What admission refuses. What is not listed is allowed. */
  readonly incapabilities: readonly Incapability[];
  /** What admission fills in where an instance says nothing, in place of what suits most. */
  readonly defaults: HypervisorDefaults;
}

/** Memory that goes with a guest beside its own, in bytes. The README says how each was measured. */
export interface HypervisorOverheads {
  readonly launcherMonitorBytes: bigint;
  readonly launcherBytes: bigint;
  readonly logDaemonBytes: bigint;
  readonly daemonBytes: bigint;
  /** The process of the guest without the guest's memory and its page tables. */
  readonly processBytes: bigint;
}

export interface HypervisorDefaults {
  /** The bus of a disk; `undefined` leaves it to the architecture. */
  readonly diskBus: string | undefined;
  /** The model of the processor; `undefined` leaves it to the architecture. */
  readonly cpuModel: string | undefined;
  /** Whether a guest gets a display unless it asks for none. */
  readonly attachesGraphics: boolean;
  /** Whether processors, memory and devices can be plugged in while it runs. */
  readonly supportsHotplug: boolean;
}
