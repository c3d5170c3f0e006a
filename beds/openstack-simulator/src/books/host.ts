import { randomUUID } from 'node:crypto';

import type { HostChange, SimulatedHost } from '../simulated-openstack.ts';
import { HOST_TRAITS, usedOf, type Inventory, type Provider } from './placement-books.ts';

const DEFAULT_VCPUS = 64;
const DEFAULT_MEMORY_MIB = 262_144;
const DEFAULT_DISK_GIB = 4000;
const DISABLED = 'COMPUTE_STATUS_DISABLED';

/** A server as its host knows it. */
export interface Guest {
  readonly id: string;
  /** Counts servers; gives the guest its name. */
  readonly number: number;
}

/** A hypervisor, its compute service and its resource provider. */
export class Host {
  readonly hypervisorId: string;
  readonly serviceId: string = randomUUID();
  readonly name: string;
  readonly serviceHost: string;
  readonly provider: Provider;
  readonly servers: Set<Guest> = new Set();
  /** The ids of servers whose guests are here too, although Nova has them elsewhere. */
  readonly strays: Set<string> = new Set();
  /** The ids of the aggregates it is in. */
  readonly aggregates: Set<number> = new Set();
  /** Its availability zone, which one of its aggregates may give it. */
  zone = 'nova';
  isUp: boolean;
  isForcedDown = false;
  /** Whether the cell it is in answers. */
  isReachable = true;
  status: 'enabled' | 'disabled';
  disabledReason: string | undefined;
  updatedAt: string | undefined;
  vcpus: number;
  memoryMiB: number;
  diskGiB: number;

  constructor(options: SimulatedHost, provider: Provider) {
    this.name = options.name;
    this.serviceHost = options.serviceHost ?? options.name;
    this.provider = provider;
    this.hypervisorId = provider.id;
    this.isUp = options.isUp ?? true;
    this.status = options.status ?? 'enabled';
    this.disabledReason = options.disabledReason;
    this.vcpus = options.vcpus ?? DEFAULT_VCPUS;
    this.memoryMiB = options.memoryMiB ?? DEFAULT_MEMORY_MIB;
    this.diskGiB = options.diskGiB ?? DEFAULT_DISK_GIB;
    provider.traits = new Set([...HOST_TRAITS, ...(options.traits ?? [])]);
    if (this.status === 'disabled') provider.traits = new Set([...provider.traits, DISABLED]);
    this.report();
  }

  /** Whether it can be given servers at all. */
  get isAvailable(): boolean {
    return this.isAlive && this.status === 'enabled';
  }

  get isAlive(): boolean {
    return this.isUp && !this.isForcedDown;
  }

  change(change: HostChange): void {
    this.isUp = change.isUp ?? this.isUp;
    this.isForcedDown = change.isForcedDown ?? this.isForcedDown;
    this.isReachable = change.isReachable ?? this.isReachable;
    this.vcpus = change.vcpus ?? this.vcpus;
    this.memoryMiB = change.memoryMiB ?? this.memoryMiB;
    this.diskGiB = change.diskGiB ?? this.diskGiB;
    if (change.status !== undefined) {
      this.status = change.status;
      this.disabledReason = change.status === 'disabled' ? change.disabledReason : undefined;
    }
    this.updatedAt = new Date().toISOString().slice(0, -1);
    this.report();
  }

  used(resource: string): number {
    return usedOf(this.provider, resource);
  }

  /** Tells Placement what a compute service tells it: what there is, and whether the scheduler may use it. */
  report(): void {
    const { provider } = this;
    const inventories = new Map<string, Inventory>([
      ['VCPU', inventory(this.vcpus, 0, 4)],
      ['MEMORY_MB', inventory(this.memoryMiB, 512, 1)],
      ['DISK_GB', inventory(this.diskGiB, 0, 1)],
    ]);
    if (!isSameInventory(inventories, provider.inventories)) {
      provider.inventories = inventories;
      provider.generation += 1;
    }
    // It is the agent of the host that says so, as soon as it runs.
    if (!this.isUp || provider.traits.has(DISABLED) === (this.status === 'disabled')) return;
    const others = [...provider.traits].filter((trait) => trait !== DISABLED);
    provider.traits = new Set(this.status === 'disabled' ? [...others, DISABLED] : others);
    provider.generation += 1;
  }
}

function inventory(total: number, reserved: number, ratio: number): Inventory {
  return { total, reserved, min_unit: 1, max_unit: total, step_size: 1, allocation_ratio: ratio };
}

function isSameInventory(a: ReadonlyMap<string, Inventory>, b: ReadonlyMap<string, Inventory>): boolean {
  return [...a].every(([name, { total }]) => b.get(name)?.total === total);
}
