import type { VersionSpan } from '../microversion.ts';
import type { CallOptions, ServiceClient } from '../service-client.ts';
import { readResources, resourcesQuery } from './resource-providers.ts';

/** What a consumer, which is a server or a migration, has of which providers. */
export interface ConsumerAllocations {
  /** By provider, then by resource class; empty if it has nothing. */
  readonly providers: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly projectId: string | undefined;
  readonly userId: string | undefined;
  /** Undefined for a consumer that has nothing, and for one that is to be new. */
  readonly generation: number | undefined;
}

export interface NewAllocations extends ConsumerAllocations {
  readonly projectId: string;
  readonly userId: string;
}

export interface CandidateFilter {
  readonly resources: Readonly<Record<string, number>>;
  /** Traits that are needed; with `!` in front, traits that must not be there. */
  readonly required?: readonly string[] | undefined;
  /** A provider must be in one of these aggregates, by UUID. */
  readonly memberOf?: readonly string[] | undefined;
  readonly inTree?: string | undefined;
  readonly limit?: number | undefined;
}

/** A provider that has room, and how much there is of it. */
export interface AllocationCandidate {
  readonly providerId: string;
  readonly traits: readonly string[];
  /** By resource class: what there is in all, overcommitment included, and what is taken. */
  readonly resources: Readonly<Record<string, { readonly capacity: number; readonly used: number }>>;
}

export interface AllocationCandidates {
  readonly providers: readonly AllocationCandidate[];
  /** Whether Placement stopped at the limit: there may be more. */
  readonly isCut: boolean;
}

/** Consumer generations came with 1.28, trees in candidates with 1.31. */
const VERSIONS: VersionSpan = { least: '1.28', most: '1.37' };
const CANDIDATE_VERSIONS: VersionSpan = { least: '1.31', most: '1.39' };
const PATH = '/allocations/{consumer}';

/** Allocations, and where there is room for more. */
export class Allocations {
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  async get(consumer: string, { signal }: CallOptions = {}): Promise<ConsumerAllocations> {
    const answer = await this.#client.read({
      method: 'GET',
      path: PATH,
      ids: { consumer },
      versions: VERSIONS,
      signal,
    });
    return {
      providers: answer.map('allocations', (fields, key) => readResources(fields.object(key))),
      projectId: answer.optionalText('project_id'),
      userId: answer.optionalText('user_id'),
      generation: answer.optionalInteger('consumer_generation'),
    };
  }

  /** Makes these all the allocations of a consumer; a `concurrent-update` if its generation is old. */
  async set(consumer: string, wanted: NewAllocations, { signal }: CallOptions = {}): Promise<void> {
    const allocations = Object.fromEntries(
      Object.entries(wanted.providers).map(([provider, resources]) => [provider, { resources }]),
    );
    const body = {
      allocations,
      project_id: wanted.projectId,
      user_id: wanted.userId,
      consumer_generation: wanted.generation ?? null,
    };
    await this.#client.act({
      method: 'PUT',
      path: PATH,
      ids: { consumer },
      body,
      versions: VERSIONS,
      signal,
    });
  }

  /** Frees all that a consumer has; `not-found` if it has nothing. */
  async delete(consumer: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#client.act({ method: 'DELETE', path: PATH, ids: { consumer }, versions: VERSIONS, signal });
  }

  /** Providers with room for that much, most of all of one request. */
  async candidates(filter: CandidateFilter, { signal }: CallOptions = {}): Promise<AllocationCandidates> {
    const query = {
      resources: resourcesQuery(filter.resources),
      required: filter.required?.join(',') || undefined,
      member_of: filter.memberOf === undefined ? undefined : `in:${filter.memberOf.join(',')}`,
      in_tree: filter.inTree,
      limit: filter.limit,
    };
    const request = { method: 'GET', path: '/allocation_candidates', query, versions: CANDIDATE_VERSIONS } as const;
    const answer = await this.#client.read({ ...request, signal });
    const requests = answer.objects('allocation_requests');
    const requested = new Set(requests.flatMap((each) => each.object('allocations').names));
    const summaries = answer.map('provider_summaries', (fields, key) => {
      const summary = fields.object(key);
      const resources = summary.map('resources', (classes, name) => ({
        capacity: classes.object(name).integer('capacity'),
        used: classes.object(name).integer('used'),
      }));
      return { providerId: key, traits: summary.optionalTexts('traits'), resources };
    });
    // The summaries also tell of providers that merely belong to the same tree.
    const providers = Object.values(summaries).filter(({ providerId }) => requested.has(providerId));
    return { providers, isCut: filter.limit !== undefined && requests.length >= filter.limit };
  }
}
