/** vCPUs with the same pins. No `cpuset` means that they may run anywhere. */
export interface VcpuGroup {
  readonly count: number;
  readonly cpuset: string | undefined;
}

/** What in a guest is placed together: a NUMA cell of it, a memory module, or what belongs to neither. */
export interface GuestPart {
  readonly memoryKiB: number;
  /** The host nodes that the memory may come from; empty means any. */
  readonly nodes: readonly number[];
  readonly vcpus: readonly VcpuGroup[];
}

/** A domain as far as its XML tells of memory, vCPUs and their places. The parts add up to the totals. */
export interface GuestShape {
  readonly memoryKiB: number;
  readonly vcpus: number;
  readonly parts: readonly GuestPart[];
}
