import type { Resource } from '@smalt/resource';

import { isNotFound } from '../errors/status-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { deleteObject } from './delete-object.ts';
import { listObjects, type ListOptions, type ListPage } from './list-objects.ts';
import type { RegistryDependencies } from './registry-dependencies.ts';
import type { DeleteOptions, WriteContext } from './write-context.ts';

export interface DeleteCollectionRequest {
  readonly resource: Resource;
  readonly list: ListOptions;
  readonly options: DeleteOptions;
  readonly context: WriteContext;
}

// Enough to share commits; more would hold every object of a large collection in memory at once.
const MAX_WORKERS = 16;

/**
 * Deletes every object that a list would show, and returns that list. One that is gone already is no error; any other
 * failure ends it, with the rest left as it is.
 */
export async function deleteCollection(
  deps: RegistryDependencies,
  request: DeleteCollectionRequest,
): Promise<ListPage> {
  const page = await listObjects(deps, request.resource, request.list);
  // The workers share one iterator, so each object is taken once.
  const items = page.items.values();
  const stop = new AbortController();
  const workers = Array.from({ length: Math.min(MAX_WORKERS, page.items.length) }, async () => {
    try {
      await deleteEach(deps, request, items, stop.signal);
    } catch (error) {
      stop.abort();
      throw error;
    }
  });
  // All of them are waited for, so that nothing goes on behind an answer that tells of the first failure.
  const results = await Promise.allSettled(workers);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return page;
}

async function deleteEach(
  deps: RegistryDependencies,
  request: DeleteCollectionRequest,
  items: IterableIterator<StoredObject>,
  stop: AbortSignal,
): Promise<void> {
  const { resource, options, context } = request;
  for (const { namespace, name } of items) {
    if (stop.aborted) return;
    context.signal.throwIfAborted();
    try {
      await deleteObject(deps, { resource, key: { namespace, name }, options, context });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
