import { type Cell, type HypervisorStatus, ResourceName } from '@smalt/fleet-api';
import { formatQuantity, quantityOfInteger } from '@smalt/quantity';

import { apportion } from './apportion.ts';
import type { DomainUse } from './domain-use.ts';
import type { HostCapabilities } from './host-capabilities.ts';

export interface SumUpOptions {
  readonly host: HostCapabilities;
  readonly domains: Iterable<DomainUse>;
  /** `spec.overcommit` of the Hypervisor. */
  readonly overcommit?: Readonly<Record<string, number>> | undefined;
}

/** The sums of a host in the words of the status. `notes` tell which overcommit ratios make no sense. */
export interface ResourceSums {
  readonly fields: Required<Pick<HypervisorStatus, 'allocation' | 'capacity' | 'cells' | 'effectiveCapacity'>>;
  readonly notes: readonly string[];
}

interface Amount {
  readonly memoryKiB: number;
  readonly cpus: number;
}

/**
 * What the host has, has to give and has given away: in all, and per cell in ascending order. The totals count every
 * domain; a cell counts what is known to lie on it, so the cells together may have less.
 */
export function sumUp({ host, domains, overcommit = {} }: SumUpOptions): ResourceSums {
  const notes: string[] = [];
  const ratios = { memory: ratio('memory', overcommit, notes), cpu: ratio('cpu', overcommit, notes) };
  for (const name of Object.keys(overcommit)) {
    if (!Object.hasOwn(ResourceName, name)) notes.push(`overcommit: there is no resource '${name}'`);
  }

  const allocation = allocate(host, domains);
  const resources = (capacity: Amount, allocated: Amount): Required<Omit<Cell, 'cellID'>> => ({
    allocation: quantities(bytesOf(allocated), BigInt(allocated.cpus)),
    capacity: quantities(bytesOf(capacity), BigInt(capacity.cpus)),
    effectiveCapacity: quantities(times(bytesOf(capacity), ratios.memory), times(BigInt(capacity.cpus), ratios.cpu)),
  });
  const cells = host.cells.map((cell, index) => ({
    cellID: cell.id,
    ...resources(cell, allocation.cells[index] ?? { memoryKiB: 0, cpus: 0 }),
  }));
  return { fields: { ...resources(hostTotal(host), allocation.total), cells }, notes };
}

/** All that a host has. */
export function hostTotal(host: HostCapabilities): Amount {
  return host.cells.reduce(
    (total, { memoryKiB, cpus }) => ({ memoryKiB: total.memoryKiB + memoryKiB, cpus: total.cpus + cpus }),
    { memoryKiB: 0, cpus: 0 },
  );
}

/** Amounts as the status has them: memory in powers of 1024 where they fit, CPUs in powers of 1000. */
export function quantities(memoryBytes: bigint, cpus: bigint): { readonly memory: string; readonly cpu: string } {
  return {
    memory: formatQuantity(quantityOfInteger(memoryBytes, 'BinarySI')),
    cpu: formatQuantity(quantityOfInteger(cpus)),
  };
}

export function bytesOf({ memoryKiB }: { readonly memoryKiB: number }): bigint {
  return BigInt(memoryKiB) * 1024n;
}

function allocate(
  host: HostCapabilities,
  domains: Iterable<DomainUse>,
): { readonly total: Amount; readonly cells: readonly Amount[] } {
  let total: Amount = { memoryKiB: 0, cpus: 0 };
  const memory = host.cells.map(() => 0);
  const milliVcpus = host.cells.map(() => 0);
  const places = new Map(host.cells.map(({ id }, index) => [id, index]));
  for (const domain of domains) {
    total = { memoryKiB: total.memoryKiB + domain.memoryKiB, cpus: total.cpus + domain.vcpus };
    for (const use of domain.cells) {
      const place = places.get(use.cellId);
      if (place === undefined) continue;
      memory[place] = (memory[place] ?? 0) + use.memoryKiB;
      milliVcpus[place] = (milliVcpus[place] ?? 0) + use.milliVcpus;
    }
  }

  // The parts of vCPUs that may run on several cells add up to whole ones over all cells, not on each.
  const placed = Math.round(milliVcpus.reduce((sum, share) => sum + share, 0) / 1000);
  const cpus = apportion(placed, milliVcpus);
  return { total, cells: memory.map((memoryKiB, index) => ({ memoryKiB, cpus: cpus[index] ?? 0 })) };
}

function ratio(name: ResourceName, overcommit: Readonly<Record<string, number>>, notes: string[]): number {
  const wanted = overcommit[name];
  if (wanted === undefined) return 1;
  if (Number.isFinite(wanted) && wanted >= 1) return wanted;
  notes.push(`overcommit: ${wanted} for ${name} is ignored; it must be 1 or more`);
  return 1;
}

function times(amount: bigint, factor: number): bigint {
  return factor === 1 ? amount : BigInt(Math.trunc(Number(amount) * factor));
}
