import type { JsonObject } from '@smalt/json';

import type { AnswerReader } from '../answer-reader.ts';
import type { VersionSpan } from '../microversion.ts';
import type { CallOptions, ServiceCall, ServiceClient } from '../service-client.ts';

/** A group of hosts. */
export interface Aggregate {
  readonly id: number;
  /** The id it has in Placement. */
  readonly uuid: string;
  readonly name: string;
  readonly availabilityZone: string | undefined;
  readonly hosts: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

export interface NewAggregate {
  readonly name: string;
  readonly availabilityZone?: string | undefined;
}

/** Aggregates have a UUID from 2.41 on. */
const VERSIONS: VersionSpan = { least: '2.41', most: '2.93' };

/** Host aggregates and availability zones. */
export class Aggregates {
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  async list({ signal }: CallOptions = {}): Promise<readonly Aggregate[]> {
    const answer = await this.#client.read({ method: 'GET', path: '/os-aggregates', versions: VERSIONS, signal });
    return answer.objects('aggregates').map(readAggregate);
  }

  async get(id: number, { signal }: CallOptions = {}): Promise<Aggregate> {
    const path = '/os-aggregates/{aggregate}';
    const ids = { aggregate: id };
    const answer = await this.#client.read({ method: 'GET', path, ids, versions: VERSIONS, signal });
    return readAggregate(answer.object('aggregate'));
  }

  async create({ name, availabilityZone }: NewAggregate, { signal }: CallOptions = {}): Promise<Aggregate> {
    const aggregate = { name, ...(availabilityZone !== undefined && { availability_zone: availabilityZone }) };
    const answer = await this.#client.read({
      method: 'POST',
      path: '/os-aggregates',
      body: { aggregate },
      versions: VERSIONS,
      signal,
    });
    return readAggregate(answer.object('aggregate'));
  }

  /** Deletes an aggregate; a `bad-request` while it has hosts. */
  async delete(id: number, { signal }: CallOptions = {}): Promise<void> {
    const path = '/os-aggregates/{aggregate}';
    await this.#client.act({ method: 'DELETE', path, ids: { aggregate: id }, versions: VERSIONS, signal });
  }

  /** Adds a host; a `conflict` if it is in there, or in another availability zone. */
  async addHost(id: number, host: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#client.act(this.#action(id, { add_host: { host } }, signal));
  }

  /** Removes a host; `not-found` if it is not in there. */
  async removeHost(id: number, host: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#client.act(this.#action(id, { remove_host: { host } }, signal));
  }

  /** Sets some metadata and leaves the rest; null deletes. */
  async mergeMetadata(
    id: number,
    metadata: Readonly<Record<string, string | null>>,
    { signal }: CallOptions = {},
  ): Promise<Aggregate> {
    const answer = await this.#client.read(this.#action(id, { set_metadata: { metadata } }, signal));
    return readAggregate(answer.object('aggregate'));
  }

  // Nova answers with the whole aggregate: who adds a thousand hosts to one must not read a million names.
  #action(id: number, body: JsonObject, signal: AbortSignal | undefined): ServiceCall {
    const path = '/os-aggregates/{aggregate}/action';
    return { method: 'POST', path, ids: { aggregate: id }, body, versions: VERSIONS, signal };
  }
}

function readAggregate(item: AnswerReader): Aggregate {
  return {
    id: item.integer('id'),
    uuid: item.text('uuid'),
    name: item.text('name'),
    availabilityZone: item.optionalText('availability_zone'),
    // Nova leaves hosts and metadata out where they are surely empty: in the answer to a creation.
    hosts: item.optionalTexts('hosts'),
    metadata: item.textMap('metadata'),
  };
}
