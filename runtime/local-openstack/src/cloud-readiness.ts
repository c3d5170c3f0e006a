import type { CloudClient } from './cloud-client.ts';
import type { ServiceType } from './configuration/cloud-address.ts';

/** What a cloud tells of its computes. */
export interface ComputeSightings {
  /** Whose compute service is up. */
  readonly up: readonly string[];
  /** Listed as hypervisors, which takes a mapping to their cell. */
  readonly hypervisors: readonly string[];
  /** Known to Placement with what they have, however much of it is in use. */
  readonly inventoried: readonly string[];
}

/** What is missing until every host is in use, in words; nothing when all is well. */
export function missingSightings(hosts: readonly string[], seen: ComputeSightings): readonly string[] {
  const lacks = (words: string, seenHosts: readonly string[]): readonly string[] =>
    hosts.filter((host) => !seenHosts.includes(host)).map((host) => `${host} is not ${words}`);
  return [
    ...lacks('up', seen.up),
    ...lacks('listed as a hypervisor', seen.hypervisors),
    // A provider exists a moment before its inventory does, and only then can anything be scheduled.
    ...lacks('known to Placement with an inventory', seen.inventoried),
  ];
}

/** Asks Nova and Placement for all computes. */
export async function lookForComputes(
  client: Pick<CloudClient, 'request'>,
  endpoints: Readonly<Record<ServiceType, string>>,
): Promise<ComputeSightings> {
  const [services, hypervisors, providers] = await Promise.all([
    client.request(`${endpoints.compute}/os-services?binary=nova-compute`),
    client.request(`${endpoints.compute}/os-hypervisors`),
    client.request(`${endpoints.placement}/resource_providers`),
  ]);
  const hasInventory = async (uuid: string): Promise<boolean> => {
    const answer = await client.request(`${endpoints.placement}/resource_providers/${uuid}/inventories`);
    return Object.keys(record(record(answer)['inventories'])).length > 0;
  };
  // Candidates for a server would not do: a host that is full is none, for as long as its servers are there.
  const uuids = names(providers, 'resource_providers', 'uuid', () => true);
  const found = await Promise.all(uuids.map(hasInventory));
  const known = uuids.filter((_, index) => found[index]);
  return {
    up: names(services, 'services', 'host', (each) => each['state'] === 'up'),
    hypervisors: names(hypervisors, 'hypervisors', 'hypervisor_hostname', () => true),
    inventoried: names(providers, 'resource_providers', 'name', (each) => known.includes(String(each['uuid']))),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function names(answer: unknown, list: string, key: string, isWanted: (each: Fields) => boolean): readonly string[] {
  const found = record(answer)[list];
  const entries = Array.isArray(found) ? found.map(record) : [];
  return entries.filter(isWanted).map((each) => String(each[key]));
}

function record(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
