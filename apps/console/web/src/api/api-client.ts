import { resourcePath, type KindReference, type KubernetesObject } from '@smalt/kubernetes';

import { isOfKind } from '../live/follow-query.ts';
import { ApiError } from './api-error.ts';
import { readFailure } from './read-failure.ts';

export interface ApiClientOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Told when a call was refused for want of a user. Only `/session` says whether the session is over. */
  readonly onUnauthorized: () => void;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface Place {
  readonly namespace?: string | undefined;
  readonly name: string;
}

export interface WriteOptions {
  /** Nothing is kept: the server only says whether it would be taken, and what it would become. */
  readonly isDryRun?: boolean;
  readonly signal?: AbortSignal | undefined;
}

const FIELD_MANAGER = 'smalt-console';
const SESSION_PATH = '/session';

/** Calls the API as the user who is signed in. All calls reject with an ApiError. */
export class ApiClient {
  readonly #options: ApiClientOptions;

  constructor(options: ApiClientOptions) {
    this.#options = options;
  }

  async get<T extends KubernetesObject>(kind: KindReference<T>, place: Place, signal?: AbortSignal): Promise<T> {
    return expectKind(kind, await this.call('GET', pathOf(kind, place), { signal }));
  }

  async create<T extends KubernetesObject>(
    kind: KindReference<T>,
    object: object,
    options: WriteOptions & { readonly namespace?: string | undefined } = {},
  ): Promise<T> {
    const path = resourcePath({ ...placeOf(kind), namespace: kind.isNamespaced ? options.namespace : undefined });
    return expectKind(kind, await this.call('POST', path, { body: object, ...written(options) }));
  }

  /** Server-side apply: only the fields given here become the console's. */
  async apply<T extends KubernetesObject>(
    kind: KindReference<T>,
    place: Place,
    object: object,
    options: WriteOptions = {},
  ): Promise<T> {
    const { query, ...rest } = written(options);
    const contentType = 'application/apply-patch+yaml';
    const call = { body: object, contentType, query: { ...query, force: 'true' }, ...rest };
    return expectKind(kind, await this.call('PATCH', pathOf(kind, place), call));
  }

  async replace<T extends KubernetesObject>(
    kind: KindReference<T>,
    place: Place,
    object: object,
    options: WriteOptions = {},
  ): Promise<T> {
    return expectKind(kind, await this.call('PUT', pathOf(kind, place), { body: object, ...written(options) }));
  }

  /** A JSON merge patch. */
  async patch<T extends KubernetesObject>(
    kind: KindReference<T>,
    place: Place,
    patch: object,
    options: WriteOptions = {},
  ): Promise<T> {
    const contentType = 'application/merge-patch+json';
    return expectKind(
      kind,
      await this.call('PATCH', pathOf(kind, place), { body: patch, contentType, ...written(options) }),
    );
  }

  async remove(kind: KindReference, place: Place, options: WriteOptions = {}): Promise<void> {
    await this.call('DELETE', pathOf(kind, place), written(options));
  }

  /** Any call below `/api`, `/apis`, `/ha`, `/switches` or `/session`. Resolves the JSON of the answer, undefined without one. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<unknown> {
    const answer = await this.open(method, path, options);
    const text = await answer.text();
    if (text === '' || !(answer.headers.get('content-type') ?? '').includes('json')) return undefined;
    return JSON.parse(text);
  }

  /** The same for answers that come bit by bit: resolves with the head of one that is a success. */
  async open(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    const answer = await this.#fetch(method, path, options);
    if (answer.status === 401 && path !== SESSION_PATH) this.#options.onUnauthorized();
    if (!answer.ok) throw readFailure(answer.status, await answer.text());
    return answer;
  }

  async #fetch(
    method: string,
    path: string,
    { body, contentType, query = {}, signal }: CallOptions,
  ): Promise<Response> {
    const search = new URLSearchParams(query).toString();
    const url = search === '' ? path : `${path}?${search}`;
    const headers = {
      accept: 'application/json',
      // Shows that a script of this page made the call: a form of another site cannot set it.
      'x-smalt-console': '1',
      ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
    };
    try {
      const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      return await this.#options.fetch(url, { ...request, ...(signal === undefined ? {} : { signal }) });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      const message = 'The console cannot be reached. Look whether it runs, and whether the network is up.';
      throw new ApiError({ code: 'unreachable', status: 0, message, cause });
    }
  }
}

/** The path of one object, or of a subresource of it. */
export function pathOf(kind: KindReference, { namespace, name }: Place, subresource?: string): string {
  return resourcePath({ ...placeOf(kind), namespace: kind.isNamespaced ? namespace : undefined, name, subresource });
}

function placeOf({ group, version, plural }: KindReference): Pick<KindReference, 'group' | 'version' | 'plural'> {
  return { group, version, plural };
}

function written({ isDryRun = false, signal }: WriteOptions): Pick<CallOptions, 'query' | 'signal'> {
  return { query: { fieldManager: FIELD_MANAGER, ...(isDryRun ? { dryRun: 'All' } : {}) }, signal };
}

function expectKind<T extends KubernetesObject>(kind: KindReference<T>, answer: unknown): T {
  if (isObject(answer) && isOfKind(kind, answer)) return answer;
  throw new ApiError({
    code: 'failed',
    status: 200,
    message: `The server answered with something that is no ${kind.kind}`,
  });
}

function isObject(value: unknown): value is KubernetesObject {
  return typeof value === 'object' && value !== null && 'metadata' in value && typeof value.metadata === 'object';
}
