import type { AnswerReader } from './answer-reader.ts';
import type { Listing } from './listing.ts';
import { ServiceClient, type CallOptions, type ListOptions } from './service-client.ts';
import type { Session } from './session.ts';

/** A network that servers can be on. */
export interface Network {
  readonly id: string;
  readonly name: string;
  /** ACTIVE, BUILD, DOWN or ERROR. */
  readonly status: string | undefined;
  readonly projectId: string | undefined;
  readonly isShared: boolean;
  readonly isExternal: boolean;
  readonly isEnabled: boolean;
  readonly mtu: number | undefined;
  readonly subnetIds: readonly string[];
}

export interface NetworkFilter {
  readonly name?: string | undefined;
  readonly projectId?: string | undefined;
  readonly isShared?: boolean | undefined;
  readonly isExternal?: boolean | undefined;
}

/** Neutron. */
export class Networks {
  readonly #client: ServiceClient;

  constructor(session: Session) {
    this.#client = new ServiceClient({ name: 'network', versionPath: '/v2.0', major: undefined }, session);
  }

  list(filter: NetworkFilter = {}, { pageSize, signal }: ListOptions = {}): Listing<Network> {
    const query = {
      name: filter.name,
      project_id: filter.projectId,
      shared: filter.isShared,
      'router:external': filter.isExternal,
      limit: pageSize,
    };
    return this.#client.list({
      path: '/networks',
      query,
      signal,
      field: 'networks',
      linksField: 'networks_links',
      read: readNetwork,
      idOf: ({ id }) => id,
    });
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Network> {
    const path = '/networks/{network}';
    const answer = await this.#client.read({ method: 'GET', path, ids: { network: id }, signal });
    return readNetwork(answer.object('network'));
  }
}

function readNetwork(item: AnswerReader): Network {
  return {
    id: item.text('id'),
    name: item.optionalText('name') ?? '',
    status: item.optionalText('status'),
    projectId: item.optionalText('project_id') ?? item.optionalText('tenant_id'),
    isShared: item.optionalBoolean('shared') ?? false,
    isExternal: item.optionalBoolean('router:external') ?? false,
    isEnabled: item.optionalBoolean('admin_state_up') ?? true,
    mtu: item.optionalInteger('mtu'),
    subnetIds: item.optionalTexts('subnets'),
  };
}
