/** How far a live migration is, as its source tells. */
export interface MigrationUsage {
  readonly mode: 'PreCopy' | 'PostCopy' | 'Paused';
  readonly totalBytes: number;
  readonly processedBytes: number;
  /** What has still to be sent; it grows again while the guest writes. */
  readonly remainingBytes: number;
  /** What was sent in the last second. */
  readonly bytesPerSecond: number;
  /** What the guest writes to its memory in a second. */
  readonly dirtyBytesPerSecond: number;
  /** How long the guest would stand still if it were switched over now; left out where nobody can tell yet. */
  readonly downtimeMs?: number;
  readonly elapsedMs: number;
  /** How often its memory was gone through. */
  readonly iteration: number;
  /** By how much the guest is slowed down. */
  readonly throttlePercent: number;
}

export interface DiskUsage {
  /** Of the volume; as the guest calls the disk where that is not known. */
  readonly name: string;
  readonly readBytes: number;
  readonly writtenBytes: number;
  readonly reads: number;
  readonly writes: number;
}

export interface InterfaceUsage {
  /** Of the interface in the spec; of the device on the node where that is not known. */
  readonly name: string;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/** One message of `virtualmachineinstances/NAME/usage`. Counters are totals since the guest started: readers make rates of them. */
export interface InstanceUsage {
  /** When it was measured, as in ISO 8601. */
  readonly at: string;
  readonly cpu: { readonly seconds: number; readonly vcpus: number };
  readonly memory: {
    /** What its process holds of the node. */
    readonly residentBytes: number;
    /** What the guest says that it uses; what its process holds where it says nothing. */
    readonly usedBytes: number;
    /** What the guest has. */
    readonly totalBytes: number;
  };
  readonly disks: readonly DiskUsage[];
  readonly interfaces: readonly InterfaceUsage[];
  readonly migration?: MigrationUsage;
}

/** What a host uses, all that runs on it together. */
export interface HostUsage {
  readonly cpuBusySeconds: number;
  readonly cpus: number;
  readonly load1: number;
  readonly memoryUsedBytes: number;
  readonly memoryTotalBytes: number;
}

/** What an instance uses, in a message that has several of them. */
export interface NamedInstanceUsage extends InstanceUsage {
  readonly namespace: string;
  readonly name: string;
}

/** One message of `nodes/NAME/usage`. */
export interface NodeUsage {
  readonly at: string;
  readonly host: HostUsage;
  readonly machines: readonly NamedInstanceUsage[];
}

export interface LogLine {
  /** Who wrote it: `qemu`, `launcher`, a unit of systemd, or a file. */
  readonly source: string;
  readonly text: string;
  /** When it was written, where the log itself says so beside the line. */
  readonly at?: string;
}

/** One message of `virtualmachineinstances/NAME/logs` and `nodes/NAME/logs`. */
export interface LogMessage {
  readonly lines: readonly LogLine[];
}

/** The logs of a node that can be asked for. */
export const NODE_LOG_UNITS = ['libvirt', 'ovs', 'agents'] as const;
export type NodeLogUnit = (typeof NODE_LOG_UNITS)[number];
