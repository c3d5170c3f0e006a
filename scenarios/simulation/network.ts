/** Which paths are cut. One may be cut by several troubles at once, and is whole when all of them are over. */
export class Network {
  readonly #cuts = new Map<string, number>();

  isWhole(path: string): boolean {
    return !this.#cuts.has(path);
  }

  cut(path: string): void {
    this.#cuts.set(path, (this.#cuts.get(path) ?? 0) + 1);
  }

  heal(path: string): void {
    const cuts = this.#cuts.get(path) ?? 0;
    if (cuts > 1) this.#cuts.set(path, cuts - 1);
    else this.#cuts.delete(path);
  }

  /** Nothing is cut. */
  get isWholeEverywhere(): boolean {
    return this.#cuts.size === 0;
  }

  get cuts(): readonly string[] {
    return [...this.#cuts.keys()];
  }
}

/** The paths between a host and others. The service reaches its BMC by one of its own. */
export const HostPath = {
  agent: 'agent',
  kubernetes: 'kubernetes',
  nova: 'nova',
  storage: 'storage',
  bmc: 'bmc',
} as const;
export type HostPath = (typeof HostPath)[keyof typeof HostPath];
export const hostPaths: readonly HostPath[] = Object.values(HostPath);

export function hostPath(host: string, path: HostPath): string {
  return `${host}/${path}`;
}

/** The paths between a replica of the service and what it asks. */
export const ServicePath = {
  kubernetes: 'kubernetes',
  nova: 'nova',
  store: 'store',
  agents: 'agents',
  bmcs: 'bmcs',
  storageMonitor: 'storage-monitor',
} as const;
export type ServicePath = (typeof ServicePath)[keyof typeof ServicePath];
export const servicePaths: readonly ServicePath[] = Object.values(ServicePath);

export function servicePath(replica: string, path: ServicePath): string {
  return `${replica}/${path}`;
}
