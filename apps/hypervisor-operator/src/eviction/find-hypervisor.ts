import type { Eviction, Hypervisor } from '@smalt/fleet-api';
import { hypervisorKind } from '@smalt/fleet-api';
import { isNotFound } from '@smalt/kube';

import type { OperatorContext } from '../operator-context.ts';

/** The hypervisor that an eviction is for. */
export type EvictedHypervisor =
  | { readonly kind: 'known'; readonly hypervisor: Hypervisor }
  /** The eviction does not say which. */
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'unknown'; readonly name: string }
  /** It belongs to another operator. */
  | { readonly kind: 'foreign' };

/** Finds the hypervisor; one that is not in the cache may be one that another operator is for, so the server is asked. */
export async function findHypervisor(
  { client, hypervisors }: Pick<OperatorContext, 'client' | 'hypervisors'>,
  eviction: Eviction,
  signal: AbortSignal,
): Promise<EvictedHypervisor> {
  const name = eviction.spec?.hypervisor ?? '';
  if (name === '') return { kind: 'unnamed' };
  const hypervisor = hypervisors.cache.get(name);
  if (hypervisor !== undefined) return { kind: 'known', hypervisor };
  try {
    await client.resource(hypervisorKind).get(name, { signal });
    return { kind: 'foreign' };
  } catch (error) {
    if (isNotFound(error)) return { kind: 'unknown', name };
    throw error;
  }
}
