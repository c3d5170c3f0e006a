import type { AnswerReader } from '../answer-reader.ts';
import type { Listing } from '../listing.ts';
import type { VersionSpan } from '../microversion.ts';
import { isNotFound } from '../openstack-error.ts';
import type { CallOptions, ListOptions, ServiceClient } from '../service-client.ts';

/** A server as its hypervisor names it. */
export interface HypervisorServer {
  readonly id: string;
  /** The name of the guest, such as `instance-00000001`; not that of the server. */
  readonly instanceName: string;
}

/** A hypervisor, in short. Its id is that of its resource provider too. */
export interface HypervisorSummary {
  readonly id: string;
  readonly hostname: string;
  /** Whether its compute service is alive: `up` or `down`. */
  readonly state: string;
  /** `enabled` or `disabled`. */
  readonly status: string;
  /** The servers on it, if they were asked for. */
  readonly servers: readonly HypervisorServer[] | undefined;
}

/** A hypervisor, with what its host has told Nova. */
export interface ComputeHypervisor extends HypervisorSummary {
  readonly type: string;
  readonly version: number | undefined;
  readonly hostAddress: string | undefined;
  readonly serviceId: string;
  readonly serviceHost: string;
  readonly disabledReason: string | undefined;
  readonly vcpus: number | undefined;
  readonly vcpusUsed: number | undefined;
  readonly memoryMiB: number | undefined;
  readonly memoryUsedMiB: number | undefined;
  readonly diskGiB: number | undefined;
  readonly diskUsedGiB: number | undefined;
  readonly runningServers: number | undefined;
}

export interface HypervisorListOptions extends ListOptions {
  readonly withServers?: boolean | undefined;
}

export interface HypervisorFindOptions extends CallOptions {
  readonly withServers?: boolean | undefined;
}

/**
 * From 2.88 on, details cost one message to each host, and fail for all of them if one does not answer; so 2.87 is the
 * newest of use.
 */
const VERSIONS: VersionSpan = { least: '2.53', most: '2.87' };
const SUMMARY_VERSIONS: VersionSpan = { least: '2.53', most: '2.93' };

/** The hypervisors that Nova knows. */
export class ComputeHypervisors {
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  /** All of them, in short. */
  list(options: HypervisorListOptions = {}): Listing<HypervisorSummary> {
    return this.#client.list({
      ...listCall('/os-hypervisors', SUMMARY_VERSIONS, options),
      read: readSummary,
    });
  }

  /** All of them, with details. */
  listDetails(options: HypervisorListOptions = {}): Listing<ComputeHypervisor> {
    return this.#client.list({
      ...listCall('/os-hypervisors/detail', VERSIONS, options),
      read: readHypervisor,
    });
  }

  /** The hypervisor of exactly that name. Nova itself finds all names that contain it. */
  async findByHostname(hostname: string, options: HypervisorFindOptions = {}): Promise<ComputeHypervisor | undefined> {
    const query = { hypervisor_hostname_pattern: hostname, with_servers: options.withServers };
    const request = { method: 'GET', path: '/os-hypervisors/detail', query, versions: VERSIONS } as const;
    try {
      const answer = await this.#client.read({ ...request, signal: options.signal });
      const found = answer.objects('hypervisors').map(readHypervisor);
      return found.find((hypervisor) => hypervisor.hostname === hostname);
    } catch (error) {
      // To match nothing is not found, in Nova's eyes.
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async get(id: string, { withServers, signal }: HypervisorFindOptions = {}): Promise<ComputeHypervisor> {
    const path = '/os-hypervisors/{hypervisor}';
    const query = { with_servers: withServers };
    const answer = await this.#client.read({
      method: 'GET',
      path,
      ids: { hypervisor: id },
      query,
      versions: VERSIONS,
      signal,
    });
    return readHypervisor(answer.object('hypervisor'));
  }
}

function listCall(path: string, versions: VersionSpan, options: HypervisorListOptions) {
  return {
    path,
    versions,
    signal: options.signal,
    query: { with_servers: options.withServers, limit: options.pageSize },
    field: 'hypervisors',
    linksField: 'hypervisors_links',
    idOf: ({ id }: HypervisorSummary) => id,
  };
}

function readSummary(item: AnswerReader): HypervisorSummary {
  const servers = item.has('servers') ? item.objects('servers') : undefined;
  return {
    id: item.text('id'),
    hostname: item.text('hypervisor_hostname'),
    state: item.text('state'),
    status: item.text('status'),
    servers: servers?.map((server) => ({ id: server.text('uuid'), instanceName: server.text('name') })),
  };
}

function readHypervisor(item: AnswerReader): ComputeHypervisor {
  const service = item.object('service');
  return {
    ...readSummary(item),
    type: item.text('hypervisor_type'),
    version: item.optionalInteger('hypervisor_version'),
    hostAddress: item.optionalText('host_ip'),
    serviceId: service.text('id'),
    serviceHost: service.text('host'),
    disabledReason: service.optionalText('disabled_reason'),
    vcpus: item.optionalInteger('vcpus'),
    vcpusUsed: item.optionalInteger('vcpus_used'),
    memoryMiB: item.optionalInteger('memory_mb'),
    memoryUsedMiB: item.optionalInteger('memory_mb_used'),
    diskGiB: item.optionalInteger('local_gb'),
    diskUsedGiB: item.optionalInteger('local_gb_used'),
    runningServers: item.optionalInteger('running_vms'),
  };
}
