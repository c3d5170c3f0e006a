import { isComputeError, type ComputeTraits, type HostIdentity, type HostTraits } from '@smalt/compute';
import type { OpenStackClient } from '@smalt/openstack';

import { asComputeErrors } from './to-compute-error.ts';

/** Traits of providers in Placement; the provider of a hypervisor has the same id. */
export class OpenStackTraits implements ComputeTraits {
  readonly #client: OpenStackClient;
  /** Custom traits that Placement knows for sure. There are as many as people have thought of. */
  readonly #made = new Set<string>();

  constructor(client: OpenStackClient) {
    this.#client = client;
  }

  async get({ hypervisorId }: HostIdentity, signal: AbortSignal): Promise<HostTraits> {
    return await asComputeErrors('read', () => this.#client.placement.providers.traits(hypervisorId, { signal }));
  }

  async set({ hypervisorId }: HostIdentity, traits: HostTraits, signal: AbortSignal): Promise<HostTraits> {
    const { providers } = this.#client.placement;
    for (const trait of traits.traits) {
      if (!trait.startsWith('CUSTOM_') || this.#made.has(trait)) continue;
      await asComputeErrors('write', () => providers.createTrait(trait, { signal }));
      this.#made.add(trait);
    }
    try {
      return await asComputeErrors('write', () => providers.setTraits(hypervisorId, traits, { signal }));
    } catch (error) {
      // Somebody may have deleted a trait that nobody had: the next attempt makes it anew.
      if (isComputeError(error, 'refused')) this.#made.clear();
      throw error;
    }
  }
}
