import type { AnswerReader } from './answer-reader.ts';
import type { Listing } from './listing.ts';
import { ServiceClient, type CallOptions, type ListOptions } from './service-client.ts';
import type { Session } from './session.ts';

/** An image that servers can be made of. */
export interface Image {
  readonly id: string;
  readonly name: string | undefined;
  /** `active` once it can be used. */
  readonly status: string;
  readonly visibility: string | undefined;
  readonly diskFormat: string | undefined;
  readonly sizeBytes: number | undefined;
  readonly minDiskGiB: number;
  readonly minMemoryMiB: number;
  readonly createdAt: string | undefined;
}

export interface ImageFilter {
  readonly name?: string | undefined;
  readonly status?: string | undefined;
  readonly visibility?: string | undefined;
}

/** Glance. */
export class Images {
  readonly #client: ServiceClient;

  constructor(session: Session) {
    this.#client = new ServiceClient({ name: 'image', versionPath: '/v2', major: undefined }, session);
  }

  /** Images, the newest first. */
  list(filter: ImageFilter = {}, { pageSize, signal }: ListOptions = {}): Listing<Image> {
    const { name, status, visibility } = filter;
    return this.#client.list({
      path: '/images',
      query: { name, status, visibility, limit: pageSize },
      signal,
      field: 'images',
      read: readImage,
      idOf: ({ id }) => id,
    });
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Image> {
    return readImage(await this.#client.read({ method: 'GET', path: '/images/{image}', ids: { image: id }, signal }));
  }

  /** The newest image of exactly that name that can be used. Names are not unique. */
  async findByName(name: string, options: CallOptions = {}): Promise<Image | undefined> {
    return await this.list({ name, status: 'active' }, options).find((image) => image.name === name);
  }
}

function readImage(item: AnswerReader): Image {
  return {
    id: item.text('id'),
    name: item.optionalText('name'),
    status: item.text('status'),
    visibility: item.optionalText('visibility'),
    diskFormat: item.optionalText('disk_format'),
    sizeBytes: item.optionalInteger('size'),
    minDiskGiB: item.optionalInteger('min_disk') ?? 0,
    minMemoryMiB: item.optionalInteger('min_ram') ?? 0,
    createdAt: item.optionalTime('created_at'),
  };
}
