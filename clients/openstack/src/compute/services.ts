import type { JsonObject } from '@smalt/json';

import type { AnswerReader } from '../answer-reader.ts';
import type { CallOptions, ServiceClient } from '../service-client.ts';
import type { VersionSpan } from '../microversion.ts';
import { OpenStackError } from '../openstack-error.ts';

/** A process of Nova on some host. */
export interface ComputeService {
  readonly id: string;
  /** What it is: `nova-compute` on hypervisors. */
  readonly binary: string;
  readonly host: string;
  readonly zone: string | undefined;
  /** Whether the scheduler may use it: `enabled` or `disabled`. */
  readonly status: string;
  /** Whether it is alive: `up` or `down`. */
  readonly state: string | undefined;
  readonly disabledReason: string | undefined;
  readonly isForcedDown: boolean;
  readonly updatedAt: string | undefined;
}

export interface ServiceListing {
  readonly services: readonly ComputeService[];
  /** The hosts in cells that cannot be reached just now: that they have a service is all that Nova knows of them. */
  readonly unreachableHosts: readonly string[];
}

export interface ServiceFilter {
  readonly binary?: string | undefined;
  readonly host?: string | undefined;
}

/** What to change of a service; what is not named stays. */
export interface ServiceChange {
  /** A reason goes with `disabled` only. */
  readonly status?: 'enabled' | 'disabled' | undefined;
  readonly disabledReason?: string | undefined;
  /** Says that the host is surely down, whatever its heartbeat says. It stays so until somebody takes it back. */
  readonly isForcedDown?: boolean | undefined;
}

/** Services have a UUID from 2.53 on. */
const VERSIONS: VersionSpan = { least: '2.53', most: '2.93' };

/** Nova's services and their life. */
export class ComputeServices {
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  async list(filter: ServiceFilter = {}, { signal }: CallOptions = {}): Promise<ServiceListing> {
    const query = { binary: filter.binary, host: filter.host };
    const answer = await this.#client.read({
      method: 'GET',
      path: '/os-services',
      query,
      versions: VERSIONS,
      signal,
    });
    const { known = [], unreachable = [] } = Object.groupBy(answer.objects('services'), (item) =>
      isUnreachable(item) ? 'unreachable' : 'known',
    );
    return { services: known.map(readService), unreachableHosts: unreachable.map((item) => item.text('host')) };
  }

  /** The compute service of a host, by its exact name; `unavailable` while its cell cannot be reached. */
  async findCompute(host: string, options: CallOptions = {}): Promise<ComputeService | undefined> {
    const { services, unreachableHosts } = await this.list({ binary: 'nova-compute', host }, options);
    const found = services.find((service) => service.host === host);
    if (found !== undefined || !unreachableHosts.includes(host)) return found;
    throw new OpenStackError('unavailable', `compute: GET /os-services: the cell of ${host} cannot be reached`);
  }

  async update(id: string, change: ServiceChange, { signal }: CallOptions = {}): Promise<ComputeService> {
    const body: JsonObject = {
      ...(change.status !== undefined && { status: change.status }),
      ...(change.disabledReason !== undefined && { disabled_reason: change.disabledReason }),
      ...(change.isForcedDown !== undefined && { forced_down: change.isForcedDown }),
    };
    const path = '/os-services/{service}';
    const answer = await this.#client.read({
      method: 'PUT',
      path,
      ids: { service: id },
      body,
      versions: VERSIONS,
      signal,
    });
    return readService(answer.object('service'));
  }

  /** Forgets a host: its service, its hypervisor, its provider. A `conflict` while it has servers. Stop its agent first. */
  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    const path = '/os-services/{service}';
    await this.#client.act({ method: 'DELETE', path, ids: { service: id }, versions: VERSIONS, signal });
  }
}

function isUnreachable(item: AnswerReader): boolean {
  return !item.has('id') && item.text('status') === 'UNKNOWN';
}

function readService(item: AnswerReader): ComputeService {
  return {
    id: item.text('id'),
    binary: item.text('binary'),
    host: item.text('host'),
    zone: item.optionalText('zone'),
    status: item.text('status'),
    state: item.optionalText('state'),
    disabledReason: item.optionalText('disabled_reason'),
    isForcedDown: item.optionalBoolean('forced_down') ?? false,
    updatedAt: item.optionalTime('updated_at'),
  };
}
