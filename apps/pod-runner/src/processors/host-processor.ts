/** A processor of the machine, which may be one of several threads of a core. */
export interface HostProcessor {
  readonly id: number;
  /** The first thread of its core. */
  readonly core: number;
  /** The NUMA cell that it is on. */
  readonly cell: number;
}
