import { ComputeError, isSameHostName, shortHostName, type HostIdentity } from '@smalt/compute';
import type { ComputeService, HypervisorSummary, OpenStackClient } from '@smalt/openstack';

import { matchHostName } from './match-host-name.ts';
import { SharedListing, type SharingOptions } from './shared-listing.ts';
import { asComputeErrors, unlessGone } from './to-compute-error.ts';

/** A hypervisor of Nova and the compute service that it belongs to. */
export interface RegisteredHost {
  readonly hypervisor: Pick<HypervisorSummary, 'id' | 'hostname'>;
  readonly service: ComputeService;
}

/** A host that was looked for by its name. */
interface NamedHost extends RegisteredHost {
  /** Whether its hypervisor or its service has that very name. */
  readonly isExact: boolean;
}

interface Registrations {
  readonly hypervisors: Map<string, HypervisorSummary>;
  readonly services: Map<string, ComputeService>;
  /** By the first part of their names, so that one host is found without looking at all. */
  readonly hypervisorsByName: ReadonlyMap<string, readonly HypervisorSummary[]>;
  readonly servicesByName: ReadonlyMap<string, readonly ComputeService[]>;
  /** Hosts of which Nova can tell nothing just now. */
  readonly unreachableHosts: readonly string[];
}

/** Nova's hypervisors and compute services: one listing for all hosts that ask at about the same time. */
export class HostRegister {
  readonly #client: OpenStackClient;
  readonly #listing: SharedListing<Registrations>;
  /** The services of hypervisors whose names do not tell them. */
  readonly #serviceIds = new Map<string, string>();
  /** The names of services by their ids. They never change, so nobody has to list a fleet for one of them. */
  readonly #serviceHosts = new Map<string, string>();

  constructor(client: OpenStackClient, sharing: SharingOptions) {
    this.#client = client;
    this.#listing = new SharedListing({
      ...sharing,
      what: 'the listing of hypervisors and compute services',
      fetch: (signal) => asComputeErrors('read', () => fetchRegistrations(client, signal)),
    });
  }

  /**
   * The host with exactly that name, else the only one for which it stands; `refused` if there are several, and
   * `unavailable` if it may be one that cannot be reached.
   */
  async find(name: string, signal: AbortSignal): Promise<NamedHost | undefined> {
    const registrations = await this.#listing.value(signal);
    const alike = registrations.hypervisorsByName.get(shortHostName(name)) ?? [];
    const matching = matchHostName(name, alike, ({ hostname }) => hostname);
    const found = await Promise.all(matching.map((each) => this.#named(name, each, registrations, signal)));
    const known = found.filter((each) => each !== undefined);
    const exact = known.filter(({ isExact }) => isExact);
    const [host, ...others] = exact.length > 0 ? exact : known;
    if (others.length > 0) throw ambiguous(name, exact.length > 0 ? exact : known);
    const lost = registrations.unreachableHosts.find((each) => isSameHostName(each, name));
    if (host?.isExact !== true && lost !== undefined) throw unreachable(`the cell of ${lost} cannot be reached`);
    return host;
  }

  async #named(
    name: string,
    hypervisor: HypervisorSummary,
    registrations: Registrations,
    signal: AbortSignal,
  ): Promise<NamedHost | undefined> {
    const service = await this.#serviceOf(hypervisor, registrations, signal);
    return service && { hypervisor, service, isExact: hypervisor.hostname === name || service.host === name };
  }

  /** The host with these ids, or undefined when Nova has not listed it a moment ago. */
  async get(host: HostIdentity, signal: AbortSignal): Promise<RegisteredHost | undefined> {
    const registrations = await this.#listing.value(signal);
    const hypervisor = registrations.hypervisors.get(host.hypervisorId);
    const service = registrations.services.get(host.serviceId);
    return hypervisor === undefined || service === undefined ? undefined : { hypervisor, service };
  }

  /** The name under which Nova's other calls know the host; `not-found` if its service is gone. */
  async serviceHost(host: HostIdentity, signal: AbortSignal): Promise<string> {
    const known = this.#serviceHosts.get(host.serviceId);
    if (known !== undefined) return known;
    const service = await this.service(host, signal);
    if (service !== undefined) {
      this.#serviceHosts.set(service.id, service.host);
      return service.host;
    }
    throw new ComputeError('not-found', `compute: GET /os-services: there is no compute service ${host.serviceId}`);
  }

  /** The compute service of a host; looked for once more before it is said to be gone. */
  async service(host: HostIdentity, signal: AbortSignal): Promise<ComputeService | undefined> {
    const known = await this.#listing.value(signal);
    const service = known.services.get(host.serviceId);
    if (service !== undefined) return service;
    const { services, unreachableHosts } = await this.#listing.fresh(signal);
    const found = services.get(host.serviceId);
    if (found !== undefined || unreachableHosts.length === 0) return found;
    const what = `whether ${host.serviceId} is one of them is not known`;
    throw unreachable(`${unreachableHosts.length} compute services cannot be reached, and ${what}`);
  }

  /**
   * All hosts as they are now. The details of hypervisors, which name their services, are read only where names do not
   * tell and nobody has asked before.
   */
  async all(signal: AbortSignal): Promise<readonly RegisteredHost[]> {
    const registrations = await this.#listing.fresh(signal);
    const hypervisors = [...registrations.hypervisors.values()];
    if (hypervisors.some((each) => knownService(each, registrations, this.#serviceIds) === undefined)) {
      await this.#learnServices(signal);
    }
    return hypervisors.flatMap((hypervisor) => {
      const service = knownService(hypervisor, registrations, this.#serviceIds);
      return service === undefined ? [] : [{ hypervisor, service }];
    });
  }

  async #learnServices(signal: AbortSignal): Promise<void> {
    const listing = this.#client.compute.hypervisors.listDetails({ signal });
    const details = await asComputeErrors('read', () => listing.all());
    for (const { id, serviceId } of details) this.#serviceIds.set(id, serviceId);
  }

  /** A way to hosts by the ids of their hypervisors; of hosts whose service cannot be told apart it knows nothing. */
  async directory(signal: AbortSignal): Promise<(hypervisorId: string) => RegisteredHost | undefined> {
    const registrations = await this.#listing.value(signal);
    return (hypervisorId) => {
      const hypervisor = registrations.hypervisors.get(hypervisorId);
      if (hypervisor === undefined) return undefined;
      const known = knownService(hypervisor, registrations, this.#serviceIds);
      const service = known ?? similarService(hypervisor, registrations);
      return service && { hypervisor, service };
    };
  }

  /** Notes how a service is after an own change. */
  noteService(service: ComputeService): void {
    this.#listing.change(({ services }) => {
      const before = services.get(service.id);
      services.set(service.id, { ...service, state: service.state ?? before?.state });
    });
  }

  /** Notes that a host was removed. */
  noteGone(host: HostIdentity): void {
    this.#serviceIds.delete(host.hypervisorId);
    this.#serviceHosts.delete(host.serviceId);
    this.#listing.change(({ hypervisors, services }) => {
      hypervisors.delete(host.hypervisorId);
      services.delete(host.serviceId);
    });
  }

  /** The service of a hypervisor that is listed; undefined if that has gone since. */
  async #serviceOf(
    hypervisor: HypervisorSummary,
    registrations: Registrations,
    signal: AbortSignal,
  ): Promise<ComputeService | undefined> {
    const known = knownService(hypervisor, registrations, this.#serviceIds);
    if (known !== undefined) return known;
    const call = () => this.#client.compute.hypervisors.get(hypervisor.id, { signal });
    const details = await unlessGone('read', call);
    if (details === undefined) return undefined;
    const { serviceId } = details;
    this.#serviceIds.set(hypervisor.id, serviceId);
    const service =
      registrations.services.get(serviceId) ?? (await this.#listing.fresh(signal)).services.get(serviceId);
    if (service !== undefined) return service;
    // To say that there is no such host would be wrong: half of it is there.
    throw unreachable(
      `hypervisor ${hypervisor.hostname} belongs to the compute service ${serviceId}, which is not listed`,
    );
  }
}

/**
 * The short listing of Nova does not say which service a hypervisor belongs to. With libvirt both have the name of the
 * host, unless somebody has set one of them; then the details of the hypervisor have to be asked for.
 */
function knownService(
  hypervisor: HypervisorSummary,
  registrations: Registrations,
  serviceIds: ReadonlyMap<string, string>,
): ComputeService | undefined {
  const learned = serviceIds.get(hypervisor.id);
  if (learned !== undefined) return registrations.services.get(learned);
  const alike = registrations.servicesByName.get(shortHostName(hypervisor.hostname)) ?? [];
  return onlyOne(
    alike.filter(({ host }) => host === hypervisor.hostname),
    registrations,
  );
}

/** A service whose name stands for that of the hypervisor, if no other one's does. Good enough to see who is well. */
function similarService(hypervisor: HypervisorSummary, registrations: Registrations): ComputeService | undefined {
  const alike = registrations.servicesByName.get(shortHostName(hypervisor.hostname)) ?? [];
  return onlyOne(
    alike.filter(({ host }) => isSameHostName(host, hypervisor.hostname)),
    registrations,
  );
}

function onlyOne(found: readonly ComputeService[], { services }: Registrations): ComputeService | undefined {
  const [only, ...others] = found;
  // The service itself may have changed since it was listed.
  return only === undefined || others.length > 0 ? undefined : services.get(only.id);
}

async function fetchRegistrations({ compute }: OpenStackClient, signal: AbortSignal): Promise<Registrations> {
  const [hypervisors, { services, unreachableHosts }] = await Promise.all([
    compute.hypervisors.list({ signal }).all(),
    compute.services.list({ binary: 'nova-compute' }, { signal }),
  ]);
  return {
    hypervisors: new Map(hypervisors.map((hypervisor) => [hypervisor.id, hypervisor])),
    services: new Map(services.map((service) => [service.id, service])),
    hypervisorsByName: Map.groupBy(hypervisors, ({ hostname }) => shortHostName(hostname)),
    servicesByName: Map.groupBy(services, ({ host }) => shortHostName(host)),
    unreachableHosts,
  };
}

function unreachable(what: string): ComputeError {
  return new ComputeError('unavailable', `compute: GET /os-services: ${what}`);
}

function ambiguous(name: string, found: readonly RegisteredHost[]): ComputeError {
  const names = found.map(({ hypervisor: { hostname, id } }) => `${hostname} (${id})`).join(', ');
  return new ComputeError(
    'refused',
    `compute: GET /os-hypervisors: ${found.length} hypervisors go by the name ${name}: ${names}; remove those that are left over`,
  );
}
