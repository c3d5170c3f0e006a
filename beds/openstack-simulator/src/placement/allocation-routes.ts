import { isJsonObject, jsonField, type JsonObject } from '@smalt/json';

import {
  capacityOf,
  hasRoom,
  hasTraits,
  usedOf,
  type PlacementBooks,
  type Provider,
  type Resources,
} from '../books/placement-books.ts';
import { objectIn, textIn } from '../read-json.ts';
import type { Answer, Routes, ServiceRequest } from '../router.ts';
import { refusal } from '../simulator-error.ts';
import { readResources } from './read-resources.ts';

/** What Placement answers about allocations, and where there is room for more. */
export function allocationRoutes(books: PlacementBooks): Routes {
  return {
    'GET /allocations/{consumer}': (request) => showAllocations(books, request),
    'PUT /allocations/{consumer}': (request) => setAllocations(books, request),
    'DELETE /allocations/{consumer}': ({ ids }) => {
      const id = ids['consumer'] ?? '';
      if (books.consumer(id) === undefined) throw refusal(404, `No allocations for consumer '${id}'`);
      books.free(id);
      return { status: 204 };
    },
    'GET /allocation_candidates': (request) => candidates(books, request),
  };
}

function showAllocations(books: PlacementBooks, { ids, version }: ServiceRequest): Answer {
  const consumer = books.consumer(ids['consumer'] ?? '');
  if (consumer === undefined) return { status: 200, body: { allocations: {} } };
  const allocations = Object.fromEntries(
    [...consumer.providers].map(([id, resources]) => {
      return [id, { resources, generation: books.provider(id)?.generation ?? 0 }];
    }),
  );
  const body = {
    allocations,
    project_id: consumer.projectId,
    user_id: consumer.userId,
    consumer_generation: consumer.generation,
    ...(version >= 38 && { consumer_type: 'INSTANCE' }),
  };
  return { status: 200, body };
}

function setAllocations(books: PlacementBooks, { ids, body }: ServiceRequest): Answer {
  const id = ids['consumer'] ?? '';
  const before = books.consumer(id);
  if ((jsonField(body, 'consumer_generation') ?? null) !== (before?.generation ?? null)) {
    const message = `consumer generation conflict - expected ${before?.generation ?? 'null'}`;
    throw refusal(409, message, 'placement.concurrent_update');
  }
  const wanted = Object.entries(objectIn(body, 'allocations')).map(([providerId, value]) => {
    const provider = books.provider(providerId);
    if (provider === undefined)
      throw refusal(400, `Allocation for resource provider '${providerId}' that does not exist.`);
    return { provider, resources: amounts(isJsonObject(value) ? objectIn(value, 'resources') : {}) };
  });
  for (const { provider, resources } of wanted) checkCapacity(provider, id, resources);
  books.allocate(id, {
    projectId: textIn(body, 'project_id') ?? '',
    userId: textIn(body, 'user_id') ?? '',
    providers: new Map(wanted.map(({ provider, resources }) => [provider.id, resources])),
  });
  return { status: 204 };
}

function amounts(resources: JsonObject): Resources {
  return Object.fromEntries(Object.entries(resources).map(([name, amount]) => [name, Number(amount)]));
}

function checkCapacity(provider: Provider, consumer: string, resources: Resources): void {
  for (const [name, amount] of Object.entries(resources)) {
    const inventory = provider.inventories.get(name);
    const own = provider.consumers.get(consumer)?.[name] ?? 0;
    const isTooMuch = inventory === undefined || usedOf(provider, name) - own + amount > capacityOf(inventory);
    if (!isTooMuch) continue;
    const message =
      `Unable to allocate inventory: Unable to create allocation for '${name}' on resource provider ` +
      `'${provider.id}'. The requested amount would exceed the capacity.`;
    throw refusal(409, message);
  }
}

function candidates(books: PlacementBooks, { query }: ServiceRequest): Answer {
  const resources = readResources(query.get('resources'));
  if (Object.keys(resources).length === 0) throw refusal(400, 'Expected resources in allocation_candidates.');
  const required = query.getAll('required').flatMap((text) => text.split(','));
  const groups = query.getAll('member_of').map((text) => text.replace(/^in:/, '').split(','));
  const tree = query.get('in_tree');
  const limit = Number(query.get('limit') ?? Number.POSITIVE_INFINITY);
  const found: Provider[] = [];
  for (const provider of books.providers) {
    if (found.length >= limit) break;
    if (tree !== null && provider.id !== tree) continue;
    if (!groups.every((group) => group.some((id) => provider.aggregates.has(id)))) continue;
    if (hasTraits(provider, required) && hasRoom(provider, resources)) found.push(provider);
  }
  const body = {
    allocation_requests: found.map(({ id }) => ({ allocations: { [id]: { resources } }, mappings: { '': [id] } })),
    provider_summaries: Object.fromEntries(found.map((provider) => [provider.id, summary(provider)])),
  };
  return { status: 200, body };
}

function summary(provider: Provider): JsonObject {
  const resources = Object.fromEntries(
    [...provider.inventories].map(([name, inventory]) => {
      return [name, { capacity: capacityOf(inventory), used: usedOf(provider, name) }];
    }),
  );
  const { id } = provider;
  return { resources, traits: [...provider.traits], parent_provider_uuid: null, root_provider_uuid: id };
}
