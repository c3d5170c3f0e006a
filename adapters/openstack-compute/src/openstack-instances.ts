import {
  isComputeError,
  type ComputeInstance,
  type ComputeInstances,
  type HostIdentity,
  type MoveTarget,
} from '@smalt/compute';
import type { AllocationCandidates, CandidateFilter, OpenStackClient } from '@smalt/openstack';

import { chooseTargets, type TargetCandidate } from './choose-targets.ts';
import type { HostRegister } from './host-register.ts';
import type { AggregateListing, OpenStackAggregates } from './openstack-aggregates.ts';
import type { OpenStackComputeSettings } from './openstack-compute-settings.ts';
import { confirmEmpty } from './confirm-empty.ts';
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
  readonly listing: SharedListing<AllocationCandidates>;
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
    const filter = { host: name, isAllProjects: true, withSoftDeleted: true };
    const listing = client.compute.servers.list(filter, { signal });
    const servers = await asComputeErrors('read', () => listing.all());
    // Nova leaves out the servers of a cell that it cannot reach, without a word, and a host is in one cell.
    if (servers.length === 0) await confirmEmpty(client, { ...host, serviceHost: name }, signal);
    return servers.map((server) => readInstance(server, settings));
  }

  async get(id: string, signal: AbortSignal): Promise<ComputeInstance | undefined> {
    const { client, settings } = this.#options;
    const server = await unlessGone('read', () => client.compute.servers.get(id, { signal }));
    if (server === undefined) return undefined;
    const instance = readInstance(server, settings);
    const isOff = server.vmState === 'stopped' && server.taskState === undefined;
    return isOff ? { ...instance, isMeantToRun: await this.#wasStoppedByNova(id, signal) } : instance;
  }

  /** Nova stops a server whose guest has stopped by itself, and nobody is said to have asked for that. */
  async #wasStoppedByNova(id: string, signal: AbortSignal): Promise<boolean> {
    const history = this.#options.client.compute.actions.history(id, { pageSize: 1, signal });
    const newest = await unlessGone('read', () => history.find(() => true));
    return newest?.action === 'stop' && newest.userId === undefined;
  }

  async targets(instance: ComputeInstance, signal: AbortSignal): Promise<readonly MoveTarget[] | undefined> {
    const { register, aggregates, settings } = this.#options;
    // Placement does not answer a question for nothing, as of a server of which nothing is known.
    if (Object.keys(instance.resources).length === 0) return undefined;
    const demand = demandOf(instance);
    const listing = await aggregates.listing(signal);
    const filter: CandidateFilter = {
      resources: instance.resources,
      required: [
        ...demand.requiredTraits,
        ...[...demand.forbiddenTraits, 'COMPUTE_STATUS_DISABLED'].map((trait) => `!${trait}`),
      ],
      memberOf: zoneAggregates(instance, listing),
      limit: settings.mostTargets,
    };
    const [{ providers, isCut }, hostOf] = await Promise.all([
      this.#candidatesFor(filter).value(signal),
      register.directory(signal),
    ]);
    const known = providers.flatMap((candidate): readonly TargetCandidate[] => {
      const host = hostOf(candidate.providerId);
      if (host === undefined) return [];
      const ids = [...(listing.joined.get(host.service.host) ?? [])];
      return [{ candidate, host, aggregates: ids.flatMap((id) => listing.byId.get(id) ?? []) }];
    });
    const targets = chooseTargets(instance, demand, known);
    return targets.length === 0 && isCut ? undefined : targets;
  }

  async restart(id: string, signal: AbortSignal): Promise<void> {
    await asComputeErrors('write', () => this.#options.client.compute.actions.reboot(id, 'hard', { signal }));
  }

  async stop(id: string, signal: AbortSignal): Promise<void> {
    try {
      await asComputeErrors('write', () => this.#options.client.compute.actions.stop(id, { signal }));
    } catch (error) {
      // Nova calls it a conflict to stop what is off.
      if (!isComputeError(error, 'conflict') || (await this.get(id, signal))?.state !== 'stopped') throw error;
    }
  }

  #candidatesFor(filter: CandidateFilter): SharedListing<AllocationCandidates> {
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

/** Nova tells Placement who is in its aggregates, so hosts of other zones need not use up the limit. */
function zoneAggregates({ zone }: ComputeInstance, { known }: AggregateListing): readonly string[] | undefined {
  const ids = known.filter(({ metadata }) => metadata?.['availability_zone'] === zone).map(({ uuid }) => uuid);
  return zone === undefined || ids.length === 0 ? undefined : ids;
}
