import type { Listing } from '../listing.ts';
import type { VersionSpan } from '../microversion.ts';
import { OpenStackError } from '../openstack-error.ts';
import type { CallOptions, ListOptions, QueryValue, ServiceClient } from '../service-client.ts';
import { newServerRequest, type NewServer } from './new-server.ts';
import { readServer, type Server } from './server.ts';

/** Which servers to list. */
export interface ServerFilter {
  /** The compute service they are on. Only administrators may ask. */
  readonly host?: string | undefined;
  /** The hypervisor they are on. */
  readonly node?: string | undefined;
  /** A regular expression, to Nova; `findByName` looks for one exact name. */
  readonly name?: string | undefined;
  readonly status?: string | undefined;
  readonly projectId?: string | undefined;
  /** Those of all projects; so by default if a host or a node is given. */
  readonly isAllProjects?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Those that have changed since, deleted ones included. */
  readonly changesSince?: string | undefined;
  /** Those too that are deleted but can be restored. They are on their hosts still. */
  readonly withSoftDeleted?: boolean | undefined;
}

export interface ServerName {
  readonly id: string;
  readonly name: string | undefined;
}

export interface ServerSearchOptions extends CallOptions {
  readonly isAllProjects?: boolean | undefined;
}

/** The flavor is within a server from 2.47 on; from 2.69 on servers of lost cells are listed rather than left out. */
const VERSIONS: VersionSpan = { least: '2.47', most: '2.93' };
const CREATE_VERSIONS: VersionSpan = { least: '2.37', most: '2.93' };
/** A host can be asked for from 2.74 on. */
const CREATE_ON_HOST_VERSIONS: VersionSpan = { least: '2.74', most: '2.93' };

/** Servers: what there is, and their beginning and end. */
export class Servers {
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  /**
   * Servers with all details. Nova ignores filters that a user may not use; a server on another host than was asked
   * for is therefore a `forbidden` error, and never listed.
   */
  list(filter: ServerFilter = {}, options: ListOptions = {}): Listing<Server> {
    return this.#client.list({
      ...listCall('/servers/detail', filter, options),
      read: (item) => checkPlace(readServer(item), filter),
      idOf: ({ id }) => id,
    });
  }

  /** Ids and names of servers; costs Nova less than details. */
  listNames(filter: ServerFilter = {}, options: ListOptions = {}): Listing<ServerName> {
    return this.#client.list({
      ...listCall('/servers', filter, options),
      read: (item) => ({ id: item.text('id'), name: item.optionalText('name') }),
      idOf: ({ id }) => id,
    });
  }

  /** All servers of exactly that name. */
  async findByName(name: string, { isAllProjects, signal }: ServerSearchOptions = {}): Promise<readonly Server[]> {
    const pattern = `^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
    const found = await this.list({ name: pattern, isAllProjects }, { signal }).all();
    return found.filter((server) => server.name === name);
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Server> {
    const path = '/servers/{server}';
    const answer = await this.#client.read({ method: 'GET', path, ids: { server: id }, versions: VERSIONS, signal });
    return readServer(answer.object('server'));
  }

  /** Has a server made, and gives its id. It is not there yet: wait until its status is ACTIVE or ERROR. */
  async create(server: NewServer, { signal }: CallOptions = {}): Promise<string> {
    const versions = server.host === undefined ? CREATE_VERSIONS : CREATE_ON_HOST_VERSIONS;
    const body = newServerRequest(server);
    const answer = await this.#client.read({ method: 'POST', path: '/servers', body, versions, signal });
    return answer.object('server').text('id');
  }

  /** Has a server deleted. It is gone once `get` says `not-found`. */
  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#client.act({
      method: 'DELETE',
      path: '/servers/{server}',
      ids: { server: id },
      versions: VERSIONS,
      signal,
    });
  }

  /** Sets some metadata of a server and leaves the rest. */
  async mergeMetadata(
    id: string,
    metadata: Readonly<Record<string, string>>,
    { signal }: CallOptions = {},
  ): Promise<Readonly<Record<string, string>>> {
    const answer = await this.#client.read({
      method: 'POST',
      path: '/servers/{server}/metadata',
      ids: { server: id },
      body: { metadata },
      versions: VERSIONS,
      signal,
    });
    return answer.textMap('metadata');
  }

  async deleteMetadata(id: string, key: string, { signal }: CallOptions = {}): Promise<void> {
    const path = '/servers/{server}/metadata/{key}';
    await this.#client.act({ method: 'DELETE', path, ids: { server: id, key }, versions: VERSIONS, signal });
  }
}

function listCall(path: string, filter: ServerFilter, { pageSize, signal }: ListOptions) {
  const query = { ...filterQuery(filter), limit: pageSize };
  return { path, query, versions: VERSIONS, signal, field: 'servers', linksField: 'servers_links' };
}

function filterQuery(filter: ServerFilter): Readonly<Record<string, QueryValue>> {
  const isAllProjects = filter.isAllProjects ?? (filter.host !== undefined || filter.node !== undefined);
  return {
    all_tenants: isAllProjects ? 1 : undefined,
    host: filter.host,
    node: filter.node,
    name: filter.name,
    status: filter.status,
    project_id: filter.projectId,
    tags: filter.tags?.join(','),
    'changes-since': filter.changesSince,
    soft_deleted: filter.withSoftDeleted === true ? true : undefined,
  };
}

function checkPlace(server: Server, filter: ServerFilter): Server {
  // Nothing but the id is known of a server in a cell that cannot be reached.
  if (server.status === 'UNKNOWN') return server;
  const isThere =
    (filter.host === undefined || server.host === filter.host) &&
    (filter.node === undefined || server.hypervisorHostname === filter.node);
  if (isThere) return server;
  const asked = filter.host ?? filter.node ?? '';
  throw new OpenStackError(
    'forbidden',
    `compute: GET /servers/detail: the filter for ${asked} was ignored (server ${server.id} is listed, on ${server.host ?? 'a host we may not see'}): use a user with the role admin`,
  );
}
