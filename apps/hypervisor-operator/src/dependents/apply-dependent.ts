import type { Informer } from '@smalt/controller-runtime';
import type { Fields, ResourceClient } from '@smalt/kube';

import type { DependentObject } from './dependent-object.ts';
import { holdsFields } from './holds-fields.ts';

/** How one object of a node shall be. */
export interface WantedDependent {
  readonly name: string;
  readonly namespace: string;
  readonly fields: Fields;
}

export interface DependentWriter {
  readonly client: ResourceClient<DependentObject>;
  readonly cache: Informer<DependentObject>['cache'];
  readonly fieldManager: string;
}

/** Makes an object as it is wanted. Nothing is sent when it is so already. Returns whether anything was. */
export async function applyDependent(
  { client, cache, fieldManager }: DependentWriter,
  { name, namespace, fields }: WantedDependent,
  signal: AbortSignal,
): Promise<boolean> {
  const current = cache.get(`${namespace}/${name}`);
  if (current !== undefined && holdsFields(current, fields)) return false;
  await client.apply(name, fields, { namespace, fieldManager, force: true, signal });
  return true;
}
