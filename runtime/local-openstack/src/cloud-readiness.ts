import type { CloudClient } from './cloud-client.ts';
import type { ServiceType } from './configuration/cloud-address.ts';

/** What a cloud tells of its computes. */
export interface ComputeSightings {
  /** Whose compute service is up. */
  readonly up: readonly string[];
  /** Listed as hypervisors, which takes a mapping to their cell. */
  readonly hypervisors: readonly string[];
  /** Named by Placement as candidates for a small server. */
  readonly candidates: readonly string[];
}

/** What is missing until every host can take servers, in words; nothing when all is well. */
export function missingSightings(hosts: readonly string[], seen: ComputeSightings): readonly string[] {
  const lacks = (words: string, seenHosts: readonly string[]): readonly string[] =>
    hosts.filter((host) => !seenHosts.includes(host)).map((host) => `${host} is not ${words}`);
  return [
    ...lacks('up', seen.up),
    ...lacks('listed as a hypervisor', seen.hypervisors),
    // A provider exists a moment before its inventory does, and only then can anything be scheduled.
    ...lacks('a candidate for servers', seen.candidates),
  ];
}

/** Asks Nova and Placement for all computes. */
export async function lookForComputes(
  client: CloudClient,
  endpoints: Readonly<Record<ServiceType, string>>,
): Promise<ComputeSightings> {
  const wish = 'resources=VCPU:1,MEMORY_MB:64,DISK_GB:1';
  const [services, hypervisors, providers, fitting] = await Promise.all([
    client.request(`${endpoints.compute}/os-services?binary=nova-compute`),
    client.request(`${endpoints.compute}/os-hypervisors`),
    client.request(`${endpoints.placement}/resource_providers`),
    client.request(`${endpoints.placement}/allocation_candidates?${wish}`),
  ]);
  const fits = Object.keys(record(record(fitting)['provider_summaries']));
  return {
    up: names(services, 'services', 'host', (each) => each['state'] === 'up'),
    hypervisors: names(hypervisors, 'hypervisors', 'hypervisor_hostname', () => true),
    candidates: names(providers, 'resource_providers', 'name', (each) => fits.includes(String(each['uuid']))),
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
