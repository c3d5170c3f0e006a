import { randomUUID } from 'node:crypto';

import { refusal } from '../simulator-error.ts';

export type Resources = Readonly<Record<string, number>>;

/** How much there is of a resource, in Placement's own words. */
export interface Inventory {
  readonly total: number;
  readonly reserved: number;
  readonly min_unit: number;
  readonly max_unit: number;
  readonly step_size: number;
  readonly allocation_ratio: number;
}

/** Something that has resources. */
export interface Provider {
  readonly id: string;
  readonly name: string;
  generation: number;
  inventories: ReadonlyMap<string, Inventory>;
  traits: ReadonlySet<string>;
  readonly aggregates: Set<string>;
  /** What each consumer has of it. */
  readonly consumers: Map<string, Resources>;
}

/** What somebody has of some providers. */
export interface Consumer {
  readonly projectId: string;
  readonly userId: string;
  readonly generation: number;
  readonly providers: ReadonlyMap<string, Resources>;
}

/** What Placement knows: providers, traits, and who has what. */
export class PlacementBooks {
  readonly #providers = new Map<string, Provider>();
  readonly #byName = new Map<string, Provider>();
  readonly #consumers = new Map<string, Consumer>();
  readonly traits: Set<string> = new Set(STANDARD_TRAITS);

  get providers(): Iterable<Provider> {
    return this.#providers.values();
  }

  provider(id: string): Provider | undefined {
    return this.#providers.get(id);
  }

  providerByName(name: string): Provider | undefined {
    return this.#byName.get(name);
  }

  consumer(id: string): Consumer | undefined {
    return this.#consumers.get(id);
  }

  addProvider(name: string, id: string = randomUUID()): Provider {
    if (this.#byName.has(name)) {
      throw refusal(409, `Conflicting resource provider name: ${name} already exists.`, 'placement.duplicate_name');
    }
    const provider: Provider = {
      id,
      name,
      generation: 0,
      inventories: new Map(),
      traits: new Set(),
      aggregates: new Set(),
      consumers: new Map(),
    };
    this.#providers.set(id, provider);
    this.#byName.set(name, provider);
    return provider;
  }

  /** Forgets a provider; refused while something is allocated on it. */
  deleteProvider(provider: Provider): void {
    if (provider.consumers.size > 0) {
      const message = `Unable to delete resource provider ${provider.id}: Resource provider has allocations.`;
      throw refusal(409, message, 'placement.resource_provider.inuse');
    }
    this.#providers.delete(provider.id);
    this.#byName.delete(provider.name);
  }

  /** Replaces all that a consumer has, whatever there is room for; nothing at all forgets it. */
  allocate(id: string, consumer: Omit<Consumer, 'generation'>): void {
    const before = this.#consumers.get(id);
    for (const provider of before?.providers.keys() ?? []) this.#release(provider, id);
    if (consumer.providers.size === 0) {
      this.#consumers.delete(id);
      return;
    }
    this.#consumers.set(id, { ...consumer, generation: (before?.generation ?? 0) + 1 });
    for (const [providerId, resources] of consumer.providers) {
      const provider = this.#providers.get(providerId);
      provider?.consumers.set(id, resources);
      if (provider !== undefined) provider.generation += 1;
    }
  }

  /** Frees all that a consumer has; one that has nothing is no failure. */
  free(id: string): void {
    const consumer = this.#consumers.get(id);
    if (consumer !== undefined) this.allocate(id, { ...consumer, providers: new Map() });
  }

  #release(providerId: string, consumer: string): void {
    this.#providers.get(providerId)?.consumers.delete(consumer);
  }
}

/** How much of a resource is taken on a provider. */
export function usedOf(provider: Provider, name: string): number {
  let used = 0;
  for (const resources of provider.consumers.values()) used += resources[name] ?? 0;
  return used;
}

/** How much of a resource a provider can give in all, overcommitment included. */
export function capacityOf({ total, reserved, allocation_ratio: ratio }: Inventory): number {
  return Math.floor((total - reserved) * ratio);
}

/** Whether a provider has that much left. */
export function hasRoom(provider: Provider, wanted: Resources): boolean {
  return Object.entries(wanted).every(([name, amount]) => {
    const inventory = provider.inventories.get(name);
    if (inventory === undefined) return amount === 0;
    return amount <= inventory.max_unit && usedOf(provider, name) + amount <= capacityOf(inventory);
  });
}

/** Whether a provider has all these traits, and none of those with `!` in front. */
export function hasTraits(provider: Provider, required: readonly string[]): boolean {
  return required.every((trait) =>
    trait.startsWith('!') ? !provider.traits.has(trait.slice(1)) : provider.traits.has(trait),
  );
}

/** The traits that every host of ours has. */
export const HOST_TRAITS = ['COMPUTE_NODE', 'COMPUTE_VOLUME_ATTACH_WITH_TAG', 'COMPUTE_NET_ATTACH_INTERFACE'] as const;

const STANDARD_TRAITS = [
  ...HOST_TRAITS,
  'COMPUTE_STATUS_DISABLED',
  'COMPUTE_DEVICE_TAGGING',
  'COMPUTE_TRUSTED_CERTS',
  'COMPUTE_MANAGED_PCI_DEVICE',
  'HW_CPU_X86_VMX',
  'HW_CPU_X86_AVX2',
  'HW_CPU_X86_AMD_SEV',
  'STORAGE_DISK_SSD',
];
