import type { Resource } from '@smalt/resource';

import { isNotFound } from '../errors/status-error.ts';
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

/** Deletes every object that a list would show, and returns that list. One that is gone already is no error. */
export async function deleteCollection(
  deps: RegistryDependencies,
  request: DeleteCollectionRequest,
): Promise<ListPage> {
  const { resource, options, context } = request;
  const page = await listObjects(deps, resource, request.list);
  const deletions = page.items.map(async ({ namespace, name }) => {
    try {
      await deleteObject(deps, { resource, key: { namespace, name }, options, context });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  });
  // All of them are waited for, so that nothing goes on behind an answer that tells of the first failure.
  const results = await Promise.allSettled(deletions);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return page;
}
