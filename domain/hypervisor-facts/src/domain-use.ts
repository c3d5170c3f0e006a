/** What a domain takes of one NUMA cell of the host. */
export interface CellUse {
  readonly cellId: number;
  readonly memoryKiB: number;
  /** Thousandths of vCPUs: one that may run on several cells counts in part on each. */
  readonly milliVcpus: number;
}

/**
 * What a domain takes of the host: all of it, and per cell what is known to lie there. What no cell accounts for has no
 * place of its own. Small, and nothing of the XML is kept. `notes` tell what was odd.
 */
export interface DomainUse {
  readonly memoryKiB: number;
  readonly vcpus: number;
  readonly cells: readonly CellUse[];
  readonly notes: readonly string[];
}

/** What `domainGetInfo` tells of a domain: its maximal memory and the vCPUs it has now. */
export interface DomainTotals {
  readonly memoryKiB: number;
  readonly vcpus: number;
}
