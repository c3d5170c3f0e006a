import type { AnswerReader } from '../answer-reader.ts';
import type { Listing } from '../listing.ts';
import type { VersionSpan } from '../microversion.ts';
import type { CallOptions, ListOptions, ServiceClient } from '../service-client.ts';

/** A size that servers can have. */
export interface Flavor {
  readonly id: string;
  readonly name: string;
  readonly vcpus: number;
  readonly memoryMiB: number;
  readonly diskGiB: number;
  readonly ephemeralGiB: number;
  readonly swapMiB: number;
  readonly isPublic: boolean;
  /** Undefined if this user may not see them. */
  readonly extraSpecs: Readonly<Record<string, string>> | undefined;
}

/** Extra specs are within from 2.61 on. */
const VERSIONS: VersionSpan = { least: '2.61', most: '2.93' };

/** Flavors: those that are public, and those of the project. */
export class Flavors {
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  list({ pageSize, signal }: ListOptions = {}): Listing<Flavor> {
    return this.#client.list({
      path: '/flavors/detail',
      query: { limit: pageSize },
      versions: VERSIONS,
      signal,
      field: 'flavors',
      linksField: 'flavors_links',
      read: readFlavor,
      idOf: ({ id }) => id,
    });
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Flavor> {
    const path = '/flavors/{flavor}';
    const answer = await this.#client.read({ method: 'GET', path, ids: { flavor: id }, versions: VERSIONS, signal });
    return readFlavor(answer.object('flavor'));
  }

  /** The flavor of exactly that name; names are unique. */
  async findByName(name: string, options: CallOptions = {}): Promise<Flavor | undefined> {
    return await this.list(options).find((flavor) => flavor.name === name);
  }
}

function readFlavor(item: AnswerReader): Flavor {
  return {
    id: item.text('id'),
    name: item.text('name'),
    vcpus: item.integer('vcpus'),
    memoryMiB: item.integer('ram'),
    diskGiB: item.integer('disk'),
    ephemeralGiB: item.optionalInteger('OS-FLV-EXT-DATA:ephemeral') ?? 0,
    // Up to 2.74 no swap is written as "".
    swapMiB: item.isText('swap') ? 0 : (item.optionalInteger('swap') ?? 0),
    isPublic: item.optionalBoolean('os-flavor-access:is_public') ?? true,
    extraSpecs: item.has('extra_specs') ? item.textMap('extra_specs') : undefined,
  };
}
