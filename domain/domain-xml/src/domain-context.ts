import type { DomainNetwork } from './domain-network.ts';
import type { DomainVolume } from './domain-volume.ts';

/** What the node knows and an instance does not: where its volumes, networks and devices are. Plain data. */
export interface DomainContext {
  readonly volumes: readonly DomainVolume[];
  readonly networks: readonly DomainNetwork[];
  /** The devices that were given to it, by their names in `hostDevices`, `gpus` and SR-IOV `interfaces`. */
  readonly hostDevices: readonly DomainHostDevice[];
  /** The firmware images of the node. */
  readonly firmware: readonly FirmwareImage[];
  readonly node: DomainNode;
  /** The processors of its cgroup, when they are its own. */
  readonly dedicatedCpus?: readonly number[] | undefined;
  /** Where the parts of `kernelBoot` were unpacked. */
  readonly kernel?: BootKernel | undefined;
  readonly paths: DomainPaths;
  /** What the guest reads about the maker of its machine. */
  readonly machineLabel: MachineLabel;
  /** The address of its socket to the host; one that no other instance of the node has. */
  readonly vsockCid?: number | undefined;
}

export type DomainHostDevice =
  | { readonly kind: 'pci'; readonly name: string; readonly address: string }
  | { readonly kind: 'mediated'; readonly name: string; readonly uuid: string }
  | { readonly kind: 'usb'; readonly name: string; readonly bus: number; readonly device: number };

/** A firmware image; which one is taken depends on `bootloader` and `launchSecurity`. */
export interface FirmwareImage {
  readonly kind: 'efi' | 'efi-secure-boot' | 'efi-sev' | 'efi-snp' | 'efi-tdx' | 'hypervisor';
  readonly loader: string;
  /** The template of its variables, where it keeps any. */
  readonly variables?: string | undefined;
}

export interface DomainNode {
  /** The NUMA cells of the node with the processors on them. */
  readonly cells: readonly NodeCell[];
}

export interface NodeCell {
  readonly id: number;
  readonly cpus: readonly NodeCpu[];
  /** How far it is to each cell, by the cell's id. */
  readonly distances?: readonly { readonly cell: number; readonly distance: number }[] | undefined;
}

export interface NodeCpu {
  readonly id: number;
  /** The processors of the same core, itself among them. */
  readonly siblings: readonly number[];
}

export interface BootKernel {
  readonly kernel?: string | undefined;
  readonly initrd?: string | undefined;
}

/** Files and sockets of the domain on its node. */
export interface DomainPaths {
  /** The socket of the serial console; without it, libvirt makes a pseudo terminal. */
  readonly serial?: string | undefined;
  /** Where the serial console is written to as well. */
  readonly serialLog?: string | undefined;
  /** The socket of the VNC display; without it, the display can be opened through libvirt only. */
  readonly vnc?: string | undefined;
  /** The file of the firmware's variables; required for EFI. */
  readonly variables?: string | undefined;
  /** The socket by which the guest reads metrics of its host. */
  readonly downwardMetrics?: string | undefined;
  /** The directory of the sockets for USB devices of clients. */
  readonly usbRedirection?: string | undefined;
  /** The socket of the helper for persistent reservations. */
  readonly reservationHelper?: string | undefined;
}

export interface MachineLabel {
  readonly manufacturer: string;
  readonly family: string;
  readonly product: string;
  readonly sku?: string | undefined;
  readonly version?: string | undefined;
}
