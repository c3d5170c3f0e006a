import {
  isComputeError,
  type AggregateMembership,
  type ComputeAggregate,
  type ComputeAggregates,
  type HostIdentity,
} from '@smalt/compute';
import type { Aggregate, OpenStackClient } from '@smalt/openstack';

import type { HostRegister } from './host-register.ts';
import { SharedListing, type SharingOptions } from './shared-listing.ts';
import { asComputeErrors, unlessGone } from './to-compute-error.ts';

export interface OpenStackAggregatesOptions {
  readonly client: OpenStackClient;
  readonly register: HostRegister;
  readonly sharing: SharingOptions;
}

/** All aggregates, and which of them each host is in. */
export interface AggregateListing {
  readonly known: readonly ComputeAggregate[];
  readonly byId: ReadonlyMap<string, ComputeAggregate>;
  /** The ids of aggregates by the name of a compute service. */
  readonly joined: Map<string, Set<string>>;
}

const NONE: ReadonlySet<string> = new Set();

/** Nova's host aggregates: one listing for all hosts that ask at about the same time. */
export class OpenStackAggregates implements ComputeAggregates {
  readonly #client: OpenStackClient;
  readonly #register: HostRegister;
  readonly #listing: SharedListing<AggregateListing>;

  constructor({ client, register, sharing }: OpenStackAggregatesOptions) {
    this.#client = client;
    this.#register = register;
    this.#listing = new SharedListing({
      ...sharing,
      what: 'the listing of aggregates',
      fetch: async (signal) =>
        aggregateListing(await asComputeErrors('read', () => client.compute.aggregates.list({ signal }))),
    });
  }

  /** All aggregates as they were a moment ago. */
  async listing(signal: AbortSignal): Promise<AggregateListing> {
    return await this.#listing.value(signal);
  }

  async membership(host: HostIdentity, signal: AbortSignal): Promise<AggregateMembership> {
    const [name, { known, joined }] = await Promise.all([
      this.#register.serviceHost(host, signal),
      this.#listing.value(signal),
    ]);
    return { known, joined: new Set(joined.get(name) ?? NONE) };
  }

  async join(host: HostIdentity, aggregate: ComputeAggregate, signal: AbortSignal): Promise<void> {
    const name = await this.#register.serviceHost(host, signal);
    const { aggregates } = this.#client.compute;
    try {
      await asComputeErrors('write', () => aggregates.addHost(Number(aggregate.id), name, { signal }));
    } catch (error) {
      // A host of another availability zone is a conflict too, and one that is no success.
      if (!isComputeError(error, 'conflict') || !(await this.#isIn(aggregate, name, signal))) throw error;
    }
    this.#listing.change(({ joined }) => {
      const ids = joined.get(name);
      if (ids === undefined) joined.set(name, new Set([aggregate.id]));
      else ids.add(aggregate.id);
    });
  }

  async leave(host: HostIdentity, aggregate: ComputeAggregate, signal: AbortSignal): Promise<void> {
    const name = await this.#register.serviceHost(host, signal);
    const { aggregates } = this.#client.compute;
    try {
      await asComputeErrors('write', () => aggregates.removeHost(Number(aggregate.id), name, { signal }));
    } catch (error) {
      // A host that Nova has lost is not found either, and stays in the aggregate.
      if (!isComputeError(error, 'not-found') || (await this.#isIn(aggregate, name, signal))) throw error;
    }
    this.#listing.change(({ joined }) => {
      joined.get(name)?.delete(aggregate.id);
    });
  }

  async #isIn({ id }: ComputeAggregate, name: string, signal: AbortSignal): Promise<boolean> {
    const aggregate = await unlessGone('read', () => this.#client.compute.aggregates.get(Number(id), { signal }));
    return aggregate?.hosts.includes(name) ?? false;
  }
}

function aggregateListing(aggregates: readonly Aggregate[]): AggregateListing {
  const known = aggregates.map(readAggregate);
  const joined = new Map<string, Set<string>>();
  for (const { id, hosts } of aggregates) {
    for (const host of hosts) {
      const ids = joined.get(host);
      if (ids === undefined) joined.set(host, new Set([String(id)]));
      else ids.add(String(id));
    }
  }
  return { known, byId: new Map(known.map((aggregate) => [aggregate.id, aggregate])), joined };
}

function readAggregate({ id, uuid, name, metadata }: Aggregate): ComputeAggregate {
  return { id: String(id), uuid, name, metadata: Object.keys(metadata).length === 0 ? undefined : metadata };
}
