import type { ComputeInstance, ComputeInstances, HostIdentity, MoveTarget } from '@smalt/compute';
import type { AllocationCandidate, CandidateFilter, OpenStackClient } from '@smalt/openstack';

import { chooseTargets, type TargetCandidate } from './choose-targets.ts';
import type { HostRegister } from './host-register.ts';
import type { OpenStackAggregates } from './openstack-aggregates.ts';
import type { OpenStackComputeSettings } from './openstack-compute-settings.ts';
import { demandOf, readInstance } from './read-instance.ts';
import { SharedListing, type SharingOptions } from './shared-listing.ts';
import { asComputeErrors, unlessGone } from './to-compute-error.ts';

export interface OpenStackInstancesOptions {
  readonly client: OpenStackClient;
  readonly register: HostRegister;
  readonly aggregates: OpenStackAggregates;
  readonly settings: Pick<OpenStackComputeSettings, 'movesVirtualGpus' | 'mostTargets'>;
  readonly sharing: SharingOptions;
}

interface CandidateListing {
  readonly listing: SharedListing<readonly AllocationCandidate[]>;
  readonly usedAt: number;
}

/** Servers of all projects, and where Placement has room for them. */
export class OpenStackInstances implements ComputeInstances {
  readonly #options: OpenStackInstancesOptions;
  /** By what is asked for: the instances of a fleet have few shapes. */
  readonly #candidates = new Map<string, CandidateListing>();

  constructor(options: OpenStackInstancesOptions) {
    this.#options = options;
  }

  async list(host: HostIdentity, signal: AbortSignal): Promise<readonly ComputeInstance[]> {
    const { client, register, settings } = this.#options;
    const name = await register.serviceHost(host, signal);
    const listing = client.compute.servers.list({ host: name, isAllProjects: true }, { signal });
    const servers = await asComputeErrors('read', () => listing.all());
    return servers.map((server) => readInstance(server, settings));
  }

  async get(id: string, signal: AbortSignal): Promise<ComputeInstance | undefined> {
    const { client, settings } = this.#options;
    const server = await unlessGone('read', () => client.compute.servers.get(id, { signal }));
    return server && readInstance(server, settings);
  }

  async targets(instance: ComputeInstance, signal: AbortSignal): Promise<readonly MoveTarget[]> {
    const { register, aggregates, settings } = this.#options;
    const demand = demandOf(instance);
    const filter: CandidateFilter = {
      resources: demand.resources,
      required: [
        ...demand.requiredTraits,
        ...[...demand.forbiddenTraits, 'COMPUTE_STATUS_DISABLED'].map((trait) => `!${trait}`),
      ],
      limit: settings.mostTargets,
    };
    // Placement does not answer a question for nothing, and a server of which nothing is known can go nowhere.
    if (Object.keys(demand.resources).length === 0) return [];
    const [candidates, hostOf, { byId, joined }] = await Promise.all([
      this.#candidatesFor(filter).value(signal),
      register.directory(signal),
      aggregates.listing(signal),
    ]);
    const known = candidates.flatMap((candidate): readonly TargetCandidate[] => {
      const host = hostOf(candidate.providerId);
      if (host === undefined) return [];
      const ids = [...(joined.get(host.service.host) ?? [])];
      return [{ candidate, host, aggregates: ids.flatMap((id) => byId.get(id) ?? []) }];
    });
    return chooseTargets(instance, demand, known);
  }

  #candidatesFor(filter: CandidateFilter): SharedListing<readonly AllocationCandidate[]> {
    const { client, sharing } = this.#options;
    const now = sharing.clock.now();
    for (const [key, { usedAt }] of this.#candidates) {
      if (now - usedAt > sharing.listingMs) this.#candidates.delete(key);
    }
    const key = JSON.stringify(filter);
    const listing =
      this.#candidates.get(key)?.listing ??
      new SharedListing({
        ...sharing,
        what: 'the hosts with room for an instance',
        fetch: (signal: AbortSignal) =>
          asComputeErrors('read', () => client.placement.allocations.candidates(filter, { signal })),
      });
    this.#candidates.set(key, { listing, usedAt: now });
    return listing;
  }
}
