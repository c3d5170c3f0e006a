/** One device, or one slot of a device that many can share. */
export interface OfferedDevice {
  /** Up to 63 characters; unique among those of its resource. */
  readonly id: string;
  readonly isHealthy: boolean;
  /** The node of memory that it is close to, if that matters. */
  readonly numaNode?: number | undefined;
}

/** What a container gets for its devices. */
export interface Allocation {
  readonly deviceNodes: readonly DeviceNode[];
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

export interface DeviceNode {
  /** On the node, such as `/dev/kvm`. */
  readonly hostPath: string;
  readonly containerPath: string;
  /** Of `r` (read), `w` (write) and `m` (make). */
  readonly permissions: string;
}

/** Devices that a node offers under one name. */
export interface DeviceOffer {
  /** As pods ask for it, such as `devices.kubevirt.io/kvm`. */
  readonly resourceName: string;
  /** The devices as they are now. Asked again and again. */
  readonly list: () => Promise<readonly OfferedDevice[]>;
  /** What a container gets for these, all of which were listed before. */
  readonly allocate: (ids: readonly string[]) => Promise<Allocation>;
}
