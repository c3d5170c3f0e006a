import type { JsonObject } from '@smalt/json';

import type { AnswerReader } from '../answer-reader.ts';
import type { VersionSpan } from '../microversion.ts';
import type { CallOptions, ServiceClient } from '../service-client.ts';

/** Something that has resources: a hypervisor, or a part of one. */
export interface ResourceProvider {
  readonly id: string;
  readonly name: string;
  /** Counts changes; a write names the one it was decided on. */
  readonly generation: number;
  readonly parentId: string | undefined;
  readonly rootId: string | undefined;
}

export interface ProviderFilter {
  readonly name?: string | undefined;
  /** Traits it must have; with `!` in front, traits it must not have. */
  readonly required?: readonly string[] | undefined;
  /** What it must have room for, by resource class. */
  readonly resources?: Readonly<Record<string, number>> | undefined;
  /** All providers of the tree that this one is in. */
  readonly inTree?: string | undefined;
}

/** The traits of a provider. */
export interface ProviderTraits {
  readonly generation: number;
  readonly traits: readonly string[];
}

/** How much there is of a resource. */
export interface Inventory {
  readonly total: number;
  readonly reserved: number;
  readonly minUnit: number;
  readonly maxUnit: number;
  readonly stepSize: number;
  readonly allocationRatio: number;
}

export interface ProviderInventories {
  readonly generation: number;
  /** By resource class, such as VCPU. */
  readonly inventories: Readonly<Record<string, Inventory>>;
}

export interface ProviderUsages {
  readonly generation: number;
  /** By resource class. */
  readonly usages: Readonly<Record<string, number>>;
}

/** Who uses a provider, and how much of it. */
export interface ProviderAllocations {
  readonly generation: number;
  /** By consumer, which is a server or a migration; then by resource class. */
  readonly consumers: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Traits came with 1.6, trees with 1.14, forbidden traits with 1.22. */
const VERSIONS: VersionSpan = { least: '1.22', most: '1.39' };
const PATH = '/resource_providers/{provider}';

/** Providers, their traits, and what they have. Writes name a generation, and are a `concurrent-update` if it is old. */
export class ResourceProviders {
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  async list(filter: ProviderFilter = {}, { signal }: CallOptions = {}): Promise<readonly ResourceProvider[]> {
    const query = {
      name: filter.name,
      required: filter.required?.join(',') || undefined,
      resources: resourcesQuery(filter.resources),
      in_tree: filter.inTree,
    };
    const request = { method: 'GET', path: '/resource_providers', query, versions: VERSIONS } as const;
    const answer = await this.#client.read({ ...request, signal });
    return answer.objects('resource_providers').map(readProvider);
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<ResourceProvider> {
    return readProvider(await this.#read(id, '', signal));
  }

  async create(name: string, { signal }: CallOptions = {}): Promise<ResourceProvider> {
    const request = { method: 'POST', path: '/resource_providers', body: { name }, versions: VERSIONS } as const;
    return readProvider(await this.#client.read({ ...request, signal }));
  }

  /** Deletes a provider; `in-use` while something is allocated on it. */
  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#client.act({ method: 'DELETE', path: PATH, ids: { provider: id }, versions: VERSIONS, signal });
  }

  async traits(id: string, { signal }: CallOptions = {}): Promise<ProviderTraits> {
    return readTraits(await this.#read(id, '/traits', signal));
  }

  /** Makes these all the traits it has. A trait must exist before: `createTrait`. */
  async setTraits(id: string, wanted: ProviderTraits, { signal }: CallOptions = {}): Promise<ProviderTraits> {
    const body = { resource_provider_generation: wanted.generation, traits: wanted.traits };
    return readTraits(await this.#write(id, '/traits', body, signal));
  }

  /** Makes a trait known; it may be known already. */
  async createTrait(name: string, { signal }: CallOptions = {}): Promise<void> {
    const path = '/traits/{trait}';
    await this.#client.act({ method: 'PUT', path, ids: { trait: name }, versions: VERSIONS, signal });
  }

  async inventories(id: string, { signal }: CallOptions = {}): Promise<ProviderInventories> {
    return readInventories(await this.#read(id, '/inventories', signal));
  }

  /** Makes these all the inventories it has. */
  async setInventories(
    id: string,
    wanted: ProviderInventories,
    { signal }: CallOptions = {},
  ): Promise<ProviderInventories> {
    const inventories = Object.fromEntries(
      Object.entries(wanted.inventories).map(([name, inventory]) => [name, inventoryRequest(inventory)]),
    );
    const body = { resource_provider_generation: wanted.generation, inventories };
    return readInventories(await this.#write(id, '/inventories', body, signal));
  }

  async usages(id: string, { signal }: CallOptions = {}): Promise<ProviderUsages> {
    const answer = await this.#read(id, '/usages', signal);
    const usages = answer.map('usages', (fields, key) => fields.integer(key));
    return { generation: answer.integer('resource_provider_generation'), usages };
  }

  async allocations(id: string, { signal }: CallOptions = {}): Promise<ProviderAllocations> {
    const answer = await this.#read(id, '/allocations', signal);
    const consumers = answer.map('allocations', (fields, key) => readResources(fields.object(key)));
    return { generation: answer.integer('resource_provider_generation'), consumers };
  }

  async #read(id: string, below: string, signal: AbortSignal | undefined): Promise<AnswerReader> {
    const ids = { provider: id };
    return await this.#client.read({ method: 'GET', path: `${PATH}${below}`, ids, versions: VERSIONS, signal });
  }

  async #write(id: string, below: string, body: JsonObject, signal: AbortSignal | undefined): Promise<AnswerReader> {
    const request = { method: 'PUT', path: `${PATH}${below}`, ids: { provider: id }, body } as const;
    return await this.#client.read({ ...request, versions: VERSIONS, signal });
  }
}

/** Resources as Placement has them in queries: `VCPU:1,MEMORY_MB:512`. */
export function resourcesQuery(resources: Readonly<Record<string, number>> = {}): string | undefined {
  const amounts = Object.entries(resources).map(([name, amount]) => `${name}:${amount}`);
  return amounts.length === 0 ? undefined : amounts.join(',');
}

/** Amounts by resource class, as they stand in allocations. */
export function readResources(allocation: AnswerReader): Readonly<Record<string, number>> {
  return allocation.map('resources', (fields, key) => fields.integer(key));
}

function readProvider(item: AnswerReader): ResourceProvider {
  return {
    id: item.text('uuid'),
    name: item.text('name'),
    generation: item.integer('generation'),
    parentId: item.optionalText('parent_provider_uuid'),
    rootId: item.optionalText('root_provider_uuid'),
  };
}

function readTraits(answer: AnswerReader): ProviderTraits {
  return { generation: answer.integer('resource_provider_generation'), traits: answer.texts('traits') };
}

function readInventories(answer: AnswerReader): ProviderInventories {
  const inventories = answer.map('inventories', (fields, key) => readInventory(fields.object(key)));
  return { generation: answer.integer('resource_provider_generation'), inventories };
}

function readInventory(item: AnswerReader): Inventory {
  return {
    total: item.integer('total'),
    reserved: item.integer('reserved'),
    minUnit: item.integer('min_unit'),
    maxUnit: item.integer('max_unit'),
    stepSize: item.integer('step_size'),
    allocationRatio: item.number('allocation_ratio'),
  };
}

function inventoryRequest(inventory: Inventory): JsonObject {
  return {
    total: inventory.total,
    reserved: inventory.reserved,
    min_unit: inventory.minUnit,
    max_unit: inventory.maxUnit,
    step_size: inventory.stepSize,
    allocation_ratio: inventory.allocationRatio,
  };
}
