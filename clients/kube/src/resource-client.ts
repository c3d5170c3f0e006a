import { isJsonObject, printJson, type JsonValue } from '@smalt/json';
import {
  apiVersionOf,
  resourcePath,
  type KindReference,
  type KubernetesList,
  type KubernetesObject,
  type WatchEvent,
} from '@smalt/kubernetes';

import { statusError } from './answer-error.ts';
import { KubeError } from './kube-error.ts';
import { printJsonPatch } from './print-json-patch.ts';
import { readAnswer } from './read-answer.ts';
import type {
  ApplyOptions,
  DeleteOptions,
  ListOptions,
  ReadOptions,
  SubresourceOptions,
  WatchOptions,
  WriteOptions,
} from './request-options.ts';
import { listQuery, watchQuery, writeQuery } from './request-query.ts';
import type { KubeRequest, Transport } from './transport.ts';
import { readWatchEvents } from './watch-lines.ts';

const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** Servers that cannot leave the rest of an object out send it all. */
const METADATA_TYPE = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';

const PAGE = 500;
/** Two bookmarks that should have come and did not. */
const WATCH_IDLE_MS = 150_000;

/** An object as one writes it: kind and version are filled in. */
export type Draft<T extends KubernetesObject> = Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'status'> & {
  readonly metadata: Partial<T['metadata']>;
};

/** Any part of an object, for apply and for patches. */
export type Fields = Readonly<Record<string, unknown>>;

/** Reads and writes the objects of one kind. */
export class ResourceClient<T extends KubernetesObject> {
  readonly kind: KindReference<T>;
  readonly #transport: Transport;
  readonly #defaults: { readonly namespace: string; readonly fieldManager: string };

  constructor(
    kind: KindReference<T>,
    transport: Transport,
    defaults: { readonly namespace: string; readonly fieldManager: string },
  ) {
    this.kind = kind;
    this.#transport = transport;
    this.#defaults = defaults;
  }

  async get(name: string, options: ReadOptions = {}): Promise<T> {
    return await this.#object({ method: 'GET', path: this.#path(options, name), signal: options.signal });
  }

  /** One page, or everything if there is no limit. */
  async list(options: ListOptions = {}): Promise<KubernetesList<T>> {
    const path = this.#collection(options.namespace);
    const { signal, onRetry } = options;
    const text = await this.#transport.send({ method: 'GET', path, query: listQuery(options), signal, onRetry });
    const value = readAnswer(text, `GET ${path}`);
    if (isJsonObject(value) && Array.isArray(value['items']) && isJsonObject(value['metadata'])) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server vouches for the shape of its items
      return this.#withTypes(value as unknown as KubernetesList<T>);
    }
    throw new KubeError('bad-answer', `GET ${path}: not a list`);
  }

  /** All objects, page by page; all pages show the same moment. */
  async *pages(options: ListOptions = {}): AsyncGenerator<KubernetesList<T>, void> {
    let page = await this.list({ limit: PAGE, ...options });
    yield page;
    while (page.metadata.continue !== undefined && page.metadata.continue !== '') {
      // The token says which moment the pages show; servers refuse to be told twice.
      const next = { resourceVersion: undefined, resourceVersionMatch: undefined, continue: page.metadata.continue };
      page = await this.list({ limit: PAGE, ...options, ...next });
      yield page;
    }
  }

  async create(object: Draft<T>, options: WriteOptions = {}): Promise<T> {
    const namespace = object.metadata.namespace ?? options.namespace;
    const path = this.#path({ namespace });
    return await this.#write({ method: 'POST', path, body: this.#typed(object) }, options);
  }

  /** Puts a whole object in the place of the one that was read; fails if somebody else was faster. */
  async replace(object: T, options: SubresourceOptions = {}): Promise<T> {
    const { name, namespace } = object.metadata;
    const path = this.#path({ namespace }, name, options.subresource);
    return await this.#write({ method: 'PUT', path, body: this.#typed(object) }, options);
  }

  async replaceStatus(object: T, options: WriteOptions = {}): Promise<T> {
    return await this.replace(object, { ...options, subresource: 'status' });
  }

  async patch(
    name: string,
    type: 'json' | 'merge' | 'strategic',
    patch: Fields | readonly Fields[],
    options: SubresourceOptions = {},
  ): Promise<T> {
    const path = this.#path(options, name, options.subresource);
    const body = type === 'json' ? printFields(patch, printJsonPatch) : printFields(patch);
    return await this.#write({ method: 'PATCH', path, body, contentType: PATCH_TYPES[type] }, options);
  }

  /**
   * Server-side apply: says how the fields that are ours shall be. Those we applied before and leave out now go; those of
   * others stay. Without `force` a field that another manager owns is an error with the code `apply-conflict`.
   */
  async apply(name: string, fields: Fields, options: ApplyOptions = {}): Promise<T> {
    return await this.#object(this.#applyRequest(name, fields, options));
  }

  /** Applies fields of the status; see `apply`. A status can be large, so only metadata is asked for in return. */
  async applyStatus(name: string, status: Fields, options: ApplyOptions = {}): Promise<T['metadata']> {
    const request = this.#applyRequest(name, { status }, { ...options, subresource: 'status' });
    const { metadata } = await this.#object({ ...request, accept: METADATA_TYPE });
    return metadata;
  }

  /** How many replicas an object is told to have, by its `scale`, which looks the same for all kinds that have one. */
  async replicas(name: string, options: ReadOptions = {}): Promise<number> {
    const path = this.#path(options, name, 'scale');
    return readReplicas(await this.#transport.send({ method: 'GET', path, signal: options.signal }), `GET ${path}`);
  }

  /** Tells an object how many replicas to have. */
  async scale(name: string, replicas: number, options: WriteOptions = {}): Promise<void> {
    await this.patch(name, 'merge', { spec: { replicas } }, { ...options, subresource: 'scale' });
  }

  /** Deletes an object, or starts to: one with finalizers or a grace period stays for a while. */
  async delete(name: string, options: DeleteOptions = {}): Promise<void> {
    const path = this.#path(options, name);
    await this.#transport.send({ method: 'DELETE', path, body: deleteBody(options), signal: options.signal });
  }

  async deleteCollection(
    options: ListOptions & Pick<DeleteOptions, 'dryRun' | 'propagationPolicy'> = {},
  ): Promise<void> {
    const { namespace, signal } = options;
    const body = deleteBody({ dryRun: options.dryRun, propagationPolicy: options.propagationPolicy });
    await this.#transport.send({
      method: 'DELETE',
      path: this.#collection(namespace),
      query: listQuery(options),
      body,
      signal,
    });
  }

  /**
   * One watch, until the server or the signal ends it; events that come together are one batch. Throws a KubeError with
   * the code `expired` when the resourceVersion is too old. `follow` goes on where a watch ended.
   */
  async *watch(options: WatchOptions = {}): AsyncGenerator<readonly WatchEvent<T>[], void> {
    const path = this.#collection(options.namespace);
    const what = `watch ${path}`;
    const chunks = await this.#transport.open({
      method: 'GET',
      path,
      query: watchQuery(options),
      signal: options.signal,
      idleTimeoutMs: options.idleTimeoutMs ?? WATCH_IDLE_MS,
      onRetry: options.onRetry,
    });
    options.onOpen?.();
    for await (const events of readWatchEvents<T>(chunks, what)) {
      const failed = events.findIndex(({ type }) => type === 'ERROR');
      if (failed !== 0) yield failed < 0 ? events : events.slice(0, failed);
      const failure = events[failed];
      if (failure?.type === 'ERROR') throw statusError(what, failure.object);
    }
  }

  #applyRequest(name: string, fields: Fields, options: ApplyOptions): KubeRequest {
    const path = this.#path(options, name, options.subresource);
    const { metadata } = fields;
    const namespace = this.kind.isNamespaced ? { namespace: options.namespace ?? this.#defaults.namespace } : {};
    const body = this.#typed({ ...fields, metadata: { ...(isFields(metadata) && metadata), ...namespace, name } });
    const query = writeQuery(options, this.#defaults.fieldManager);
    if (options.force === true) query.set('force', 'true');
    return { method: 'PATCH', path, query, body, contentType: PATCH_TYPES.apply, signal: options.signal };
  }

  // The items of built-in kinds do not say what they are.
  #withTypes(list: KubernetesList<T>): KubernetesList<T> {
    const first: Partial<T> | undefined = list.items[0];
    if (first === undefined || first.kind !== undefined) return list;
    const type = { apiVersion: apiVersionOf(this.kind), kind: this.kind.kind };
    return { ...list, items: list.items.map((item) => ({ ...type, ...item })) };
  }

  #write(request: Omit<KubeRequest, 'query' | 'signal'>, options: WriteOptions): Promise<T> {
    return this.#object({
      ...request,
      query: writeQuery(options, this.#defaults.fieldManager),
      signal: options.signal,
    });
  }

  #typed(object: object): string {
    return printFields({ ...object, apiVersion: apiVersionOf(this.kind), kind: this.kind.kind });
  }

  async #object(request: KubeRequest): Promise<T> {
    const value = readAnswer(await this.#transport.send(request), `${request.method} ${request.path}`);
    if (isJsonObject(value) && isJsonObject(value['metadata'])) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server vouches for the shape of its objects
      return value as unknown as T;
    }
    throw new KubeError('bad-answer', `${request.method} ${request.path}: not an object`);
  }

  #path(options: { readonly namespace?: string | undefined }, name?: string, subresource?: string): string {
    const namespace = this.kind.isNamespaced ? (options.namespace ?? this.#defaults.namespace) : undefined;
    return resourcePath({ ...this.kind, namespace, name, subresource });
  }

  #collection(namespace: string | undefined): string {
    return resourcePath({ ...this.kind, namespace: this.kind.isNamespaced ? namespace : undefined });
  }
}

function deleteBody(options: Omit<DeleteOptions, 'signal' | 'namespace'>): string {
  const preconditions = { uid: options.uid, resourceVersion: options.resourceVersion };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: options.propagationPolicy,
    gracePeriodSeconds: options.gracePeriodSeconds,
    dryRun: options.dryRun === true ? ['All'] : undefined,
    preconditions:
      preconditions.uid === undefined && preconditions.resourceVersion === undefined ? undefined : preconditions,
  });
}

function readReplicas(text: string, what: string): number {
  const scale = readAnswer(text, what);
  const spec = isJsonObject(scale) && scale['kind'] === 'Scale' ? scale['spec'] : undefined;
  // The server leaves a zero out.
  const replicas = isJsonObject(spec) ? (spec['replicas'] ?? 0) : undefined;
  if (typeof replicas === 'number') return replicas;
  throw new KubeError('bad-answer', `${what}: not a Scale`);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function printFields(value: unknown, print = printJson): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- objects of the API are JSON by their types
  return print(value as JsonValue);
}
