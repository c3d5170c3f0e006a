import { isJsonObject, type JsonObject } from '@smalt/json';

import {
  hasRoom,
  hasTraits,
  usedOf,
  type Inventory,
  type PlacementBooks,
  type Provider,
} from '../books/placement-books.ts';
import { listIn, numberIn, objectIn, textIn } from '../read-json.ts';
import type { Answer, Routes, ServiceRequest } from '../router.ts';
import { refusal } from '../simulator-error.ts';
import { readResources } from './read-resources.ts';

const TRAIT = /^CUSTOM_[A-Z0-9_]+$/;
const TRAIT_LIMIT = 255;
const BELOW = ['inventories', 'usages', 'aggregates', 'traits', 'allocations'];

/** What Placement answers about providers and traits. */
export function providerRoutes(books: PlacementBooks): Routes {
  const one = (handle: (provider: Provider, request: ServiceRequest) => Answer) => (request: ServiceRequest) =>
    handle(knownProvider(books, request), request);
  return {
    'GET /resource_providers': (request) => listProviders(books, request),
    'POST /resource_providers': (request) => createProvider(books, request),
    'GET /resource_providers/{provider}': one((provider) => ({ status: 200, body: providerDocument(provider) })),
    'DELETE /resource_providers/{provider}': one((provider) => {
      books.deleteProvider(provider);
      return { status: 204 };
    }),
    'GET /resource_providers/{provider}/traits': one(traitsAnswer),
    'PUT /resource_providers/{provider}/traits': one((provider, request) => setTraits(books, provider, request)),
    'GET /resource_providers/{provider}/inventories': one(inventoriesAnswer),
    'PUT /resource_providers/{provider}/inventories': one(setInventories),
    'GET /resource_providers/{provider}/usages': one(usagesAnswer),
    'GET /resource_providers/{provider}/allocations': one((provider) => allocationsAnswer(books, provider)),
    'GET /traits': ({ query }) => ({ status: 200, body: { traits: listTraits(books, query.get('name')) } }),
    'GET /traits/{trait}': ({ ids }) => ({ status: books.traits.has(ids['trait'] ?? '') ? 204 : 404 }),
    'PUT /traits/{trait}': (request) => createTrait(books, request),
  };
}

function knownProvider(books: PlacementBooks, { ids }: ServiceRequest): Provider {
  const id = ids['provider'] ?? '';
  const provider = books.provider(id);
  if (provider === undefined) throw refusal(404, `No resource provider with uuid ${id} found`);
  return provider;
}

function listProviders(books: PlacementBooks, { query }: ServiceRequest): Answer {
  const name = query.get('name');
  const id = query.get('uuid') ?? query.get('in_tree');
  const required = query.getAll('required').flatMap((text) => text.split(','));
  const resources = readResources(query.get('resources'));
  const found = [...selectProviders(books, name, id)]
    .filter((provider) => hasTraits(provider, required))
    .filter((provider) => hasRoom(provider, resources));
  return { status: 200, body: { resource_providers: found.map(providerDocument) } };
}

function selectProviders(books: PlacementBooks, name: string | null, id: string | null): Iterable<Provider> {
  if (name === null && id === null) return books.providers;
  const byName = name === null ? undefined : books.providerByName(name);
  const byId = id === null ? undefined : books.provider(id);
  const found = name === null ? byId : byName;
  const isBoth = name === null || id === null || byName === byId;
  return found !== undefined && isBoth ? [found] : [];
}

function createProvider(books: PlacementBooks, { body, baseUrl }: ServiceRequest): Answer {
  const name = textIn(body, 'name');
  if (name === undefined || name === '') throw refusal(400, "JSON does not validate: 'name' is a required property");
  const provider = books.addProvider(name, textIn(body, 'uuid'));
  const headers = { Location: `${baseUrl}/resource_providers/${provider.id}` };
  return { status: 200, body: providerDocument(provider), headers };
}

function providerDocument(provider: Provider): JsonObject {
  const path = `/resource_providers/${provider.id}`;
  return {
    uuid: provider.id,
    name: provider.name,
    generation: provider.generation,
    links: [{ rel: 'self', href: path }, ...BELOW.map((rel) => ({ rel, href: `${path}/${rel}` }))],
    parent_provider_uuid: null,
    root_provider_uuid: provider.id,
  };
}

function traitsAnswer({ traits, generation }: Provider): Answer {
  return { status: 200, body: { traits: [...traits], resource_provider_generation: generation } };
}

function setTraits(books: PlacementBooks, provider: Provider, { body }: ServiceRequest): Answer {
  checkGeneration(provider, body);
  const wanted = new Set(listIn(body, 'traits').map(String));
  const unknown = [...wanted].filter((trait) => !books.traits.has(trait));
  if (unknown.length > 0) throw refusal(400, `No such trait(s): ${unknown.join(', ')}.`);
  const isSame = wanted.size === provider.traits.size && [...wanted].every((trait) => provider.traits.has(trait));
  if (!isSame) {
    provider.traits = wanted;
    provider.generation += 1;
  }
  return traitsAnswer(provider);
}

function createTrait(books: PlacementBooks, { ids, baseUrl }: ServiceRequest): Answer {
  const trait = ids['trait'] ?? '';
  if (!TRAIT.test(trait) || trait.length > TRAIT_LIMIT) {
    throw refusal(
      400,
      `The trait is invalid. A valid trait must be no longer than 255 characters, start with the prefix "CUSTOM_" and use following characters: "A"-"Z", "0"-"9" and "_"`,
    );
  }
  const isKnown = books.traits.has(trait);
  books.traits.add(trait);
  return { status: isKnown ? 204 : 201, headers: { Location: `${baseUrl}/traits/${trait}` } };
}

function listTraits(books: PlacementBooks, filter: string | null): readonly string[] {
  const all = [...books.traits];
  if (filter === null) return all;
  const [kind = '', value = ''] = filter.split(':');
  if (kind === 'startswith') return all.filter((trait) => trait.startsWith(value));
  const wanted = new Set(value.split(','));
  return all.filter((trait) => wanted.has(trait));
}

function inventoriesAnswer({ inventories, generation }: Provider): Answer {
  const body = { resource_provider_generation: generation, inventories: Object.fromEntries(inventories) };
  return { status: 200, body };
}

function setInventories(provider: Provider, { body }: ServiceRequest): Answer {
  checkGeneration(provider, body);
  const wanted = new Map(
    Object.entries(objectIn(body, 'inventories')).map(([name, value]) => [name, readInventory(value)]),
  );
  const missing = [...provider.inventories.keys()].find((name) => !wanted.has(name) && usedOf(provider, name) > 0);
  if (missing !== undefined) {
    const message = `Inventory for '${missing}' on resource provider '${provider.id}' in use.`;
    throw refusal(409, message, 'placement.inventory.inuse');
  }
  provider.inventories = wanted;
  provider.generation += 1;
  return inventoriesAnswer(provider);
}

function readInventory(value: unknown): Inventory {
  const inventory = isJsonObject(value) ? value : {};
  const total = numberIn(inventory, 'total');
  if (total === undefined) throw refusal(400, "JSON does not validate: 'total' is a required property");
  return {
    total,
    reserved: numberIn(inventory, 'reserved') ?? 0,
    min_unit: numberIn(inventory, 'min_unit') ?? 1,
    max_unit: numberIn(inventory, 'max_unit') ?? total,
    step_size: numberIn(inventory, 'step_size') ?? 1,
    allocation_ratio: numberIn(inventory, 'allocation_ratio') ?? 1,
  };
}

function usagesAnswer(provider: Provider): Answer {
  const usages = Object.fromEntries([...provider.inventories.keys()].map((name) => [name, usedOf(provider, name)]));
  return { status: 200, body: { resource_provider_generation: provider.generation, usages } };
}

function allocationsAnswer(books: PlacementBooks, provider: Provider): Answer {
  const allocations = Object.fromEntries(
    [...provider.consumers].map(([id, resources]) => {
      return [id, { resources, consumer_generation: books.consumer(id)?.generation ?? 1 }];
    }),
  );
  return { status: 200, body: { allocations, resource_provider_generation: provider.generation } };
}

function checkGeneration(provider: Provider, body: JsonObject): void {
  const generation = numberIn(body, 'resource_provider_generation');
  if (generation === undefined) {
    throw refusal(400, "JSON does not validate: 'resource_provider_generation' is a required property");
  }
  if (generation === provider.generation) return;
  const message = "Resource provider's generation already changed. Please update the generation and try again.";
  throw refusal(409, message, 'placement.concurrent_update');
}
