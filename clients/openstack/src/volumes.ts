import type { AnswerReader } from './answer-reader.ts';
import type { Listing } from './listing.ts';
import type { VersionSpan } from './microversion.ts';
import { ServiceClient, type CallOptions, type ListOptions } from './service-client.ts';
import type { Session } from './session.ts';

/** A volume that servers can have. */
export interface Volume {
  readonly id: string;
  readonly name: string;
  /** available, in-use, creating, deleting, error, …. */
  readonly status: string;
  readonly sizeGiB: number;
  readonly type: string | undefined;
  readonly availabilityZone: string | undefined;
  readonly isBootable: boolean;
  readonly serverIds: readonly string[];
  readonly createdAt: string | undefined;
}

export interface VolumeType {
  readonly id: string;
  readonly name: string;
  readonly isPublic: boolean;
}

export interface NewVolume {
  readonly name: string;
  readonly sizeGiB: number;
  /** The image to fill it with. */
  readonly imageId?: string | undefined;
  /** The name or id of its type. */
  readonly type?: string | undefined;
  readonly availabilityZone?: string | undefined;
}

export interface VolumeFilter {
  readonly name?: string | undefined;
  readonly status?: string | undefined;
  readonly isAllProjects?: boolean | undefined;
}

const VERSIONS: VersionSpan = { least: '3.0', most: '3.70' };

/** Cinder, as far as a server that boots from a volume needs it. */
export class Volumes {
  readonly #client: ServiceClient;

  constructor(session: Session) {
    this.#client = new ServiceClient({ name: 'volume', versionPath: '/v3', major: 3 }, session);
  }

  list(filter: VolumeFilter = {}, { pageSize, signal }: ListOptions = {}): Listing<Volume> {
    const { name, status, isAllProjects } = filter;
    const query = { name, status, all_tenants: isAllProjects === true ? 1 : undefined, limit: pageSize };
    return this.#client.list({
      path: '/volumes/detail',
      query,
      versions: VERSIONS,
      signal,
      field: 'volumes',
      linksField: 'volumes_links',
      read: readVolume,
      idOf: ({ id }) => id,
    });
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Volume> {
    const path = '/volumes/{volume}';
    const answer = await this.#client.read({ method: 'GET', path, ids: { volume: id }, versions: VERSIONS, signal });
    return readVolume(answer.object('volume'));
  }

  /** Has a volume made. It can be used once its status is `available`. */
  async create(volume: NewVolume, { signal }: CallOptions = {}): Promise<Volume> {
    const wanted = {
      name: volume.name,
      size: volume.sizeGiB,
      ...(volume.imageId !== undefined && { imageRef: volume.imageId }),
      ...(volume.type !== undefined && { volume_type: volume.type }),
      ...(volume.availabilityZone !== undefined && { availability_zone: volume.availabilityZone }),
    };
    const request = { method: 'POST', path: '/volumes', body: { volume: wanted }, versions: VERSIONS } as const;
    return readVolume((await this.#client.read({ ...request, signal })).object('volume'));
  }

  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    const path = '/volumes/{volume}';
    await this.#client.act({ method: 'DELETE', path, ids: { volume: id }, versions: VERSIONS, signal });
  }

  types({ pageSize, signal }: ListOptions = {}): Listing<VolumeType> {
    return this.#client.list({
      path: '/types',
      query: { limit: pageSize },
      versions: VERSIONS,
      signal,
      field: 'volume_types',
      linksField: 'volume_type_links',
      read: readType,
      idOf: ({ id }) => id,
    });
  }
}

function readVolume(item: AnswerReader): Volume {
  return {
    id: item.text('id'),
    name: item.optionalText('name') ?? '',
    status: item.text('status'),
    sizeGiB: item.integer('size'),
    type: item.optionalText('volume_type'),
    availabilityZone: item.optionalText('availability_zone'),
    // The one truth value that Cinder writes as text.
    isBootable: item.optionalText('bootable') === 'true',
    serverIds: item.optionalObjects('attachments').map((attachment) => attachment.text('server_id')),
    createdAt: item.optionalTime('created_at'),
  };
}

function readType(item: AnswerReader): VolumeType {
  return {
    id: item.text('id'),
    name: item.text('name'),
    isPublic: item.optionalBoolean('is_public') ?? true,
  };
}
