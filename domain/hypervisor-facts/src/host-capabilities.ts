/** A NUMA cell of the host. */
export interface HostCell {
  readonly id: number;
  readonly memoryKiB: number;
  /** How many processors it has. */
  readonly cpus: number;
  /** The numbers of its processors, as far as they are known. */
  readonly cpuIds: readonly number[];
}

/** What the host has, cells in ascending order of their numbers. `notes` tell what could not be read. */
export interface HostCapabilities {
  readonly cpuArch: string;
  readonly cells: readonly HostCell[];
  readonly notes: readonly string[];
}
