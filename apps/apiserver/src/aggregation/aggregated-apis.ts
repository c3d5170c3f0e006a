import { isSameJson, type JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { FollowedList } from '../admission/followed-list.ts';
import { requireResource, type ControllerDependencies } from '../controllers/controller-dependencies.ts';
import { WorkLoop } from '../controllers/work-loop.ts';
import { serviceUnavailableError } from '../errors/make-status-error.ts';
import { isConflict, isNotFound } from '../errors/status-error.ts';
import type { Incoming } from '../http/api-steps.ts';
import type { UpgradeCall } from '../http/upgrade-handler.ts';
import { objectAt } from '../identity/object-fields.ts';
import type { User } from '../identity/user.ts';
import { storageName } from '../registry/storage-name.ts';
import { apiServiceOf, availableStatus, type ApiService, type Availability } from './api-service.ts';
import { foreignResources } from './foreign-resources.ts';
import type { FrontProxy } from './front-proxy.ts';
import { probeService, targetOf } from './probe-service.ts';
import { proxyRequest } from './proxy-request.ts';
import { tunnelUpgrade } from './tunnel-upgrade.ts';
import type { TlsTarget } from './tls-target.ts';

/** The OpenAPI documents of a group and version. */
export interface LocalApiDocuments {
  readonly v2: JsonObject;
  readonly v3: JsonObject;
}

/** A group and version that a component in this very process serves. */
export interface LocalApi {
  /** What discovery shows of it: an APIResourceList. */
  readonly discovery: JsonObject;
  /** What is told of it beside; without them only what discovery shows. */
  readonly documents?: LocalApiDocuments;
  serve(user: User, incoming: Incoming): Promise<void>;
  upgrade?(call: UpgradeCall): Promise<void>;
}

const LOOK_AGAIN_MS = 30_000;
const RETRY_MS = 2_000;
const LOCAL: Availability = { status: 'True', reason: 'Local', message: 'Local APIServices are always available' };

/** Serves the groups that other servers, or components in this process, have taken over. */
export class AggregatedApis implements AsyncDisposable {
  readonly #deps: ControllerDependencies;
  readonly #proxy: FrontProxy;
  readonly #apiServices: Resource;
  readonly #followed: FollowedList<ApiService>;
  readonly #local = new Map<string, LocalApi>();
  readonly #lists = new Map<string, JsonObject>();
  readonly #listeners = new Set<() => void>();
  readonly #loop: WorkLoop;
  readonly #unsubscribe: () => void;
  #resources: readonly Resource[] | undefined;

  constructor(deps: ControllerDependencies, proxy: FrontProxy) {
    this.#deps = deps;
    this.#proxy = proxy;
    this.#apiServices = requireResource(deps.catalog, 'apiregistration.k8s.io', 'v1', 'apiservices');
    const storage = storageName(this.#apiServices);
    this.#followed = new FollowedList(deps.store, storage, (object) => [apiServiceOf(object) ?? []].flat());
    this.#loop = new WorkLoop({
      reconcile: (name, signal) => this.#reconcile(name, signal),
      onFailure: deps.onFailure,
    });
    this.#unsubscribe = deps.store.subscribe(storage, (events) => {
      for (const { object } of events) this.#loop.add(object.name);
    });
    for (const { name } of deps.store.range(storage)) this.#loop.add(name);
  }

  /** Lets a component of this process serve a group and version, until the returned function is called. */
  registerApi(group: string, version: string, api: LocalApi): () => void {
    const key = `${group}/${version}`;
    this.#local.set(key, api);
    this.#setList(key, api.discovery);
    return () => {
      this.#local.delete(key);
      this.#setList(key, undefined);
    };
  }

  /** What discovery shows of them. */
  resources(): readonly Resource[] {
    this.#resources ??= [...this.#lists].flatMap(([key, list]) => {
      const [group = '', version = ''] = key.split('/');
      return foreignResources(group, version, list);
    });
    return this.#resources;
  }

  /** The documents of those that have some of their own, by path: `apis/group/version`. */
  documents(): ReadonlyMap<string, LocalApiDocuments> {
    const all = [...this.#local].flatMap(([key, { documents }]) =>
      documents === undefined ? [] : [[`apis/${key}`, documents] as const],
    );
    return new Map(all);
  }

  /** Calls the listener when that has changed. */
  subscribe(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Answers a request to one of them; false when it is none. */
  async serve(user: User, incoming: Incoming): Promise<boolean> {
    const { exchange, info } = incoming;
    const key = groupVersionOf(info.path);
    const local = key === undefined ? undefined : this.#local.get(key);
    if (local !== undefined && info.isResourceRequest) {
      await local.serve(user, incoming);
      return true;
    }
    const target = key === undefined || local !== undefined ? undefined : this.#target(key);
    if (target === undefined) return false;
    const headers = { ...this.#proxy.headersFor(user, exchange.headers), host: target.serverName };
    await proxyRequest(exchange, { path: exchange.url, headers, target });
    return true;
  }

  /** Passes a request on that goes on in another protocol; false when it is for none of them. */
  async upgrade(call: UpgradeCall): Promise<boolean> {
    const key = groupVersionOf(call.info.path);
    const local = key === undefined ? undefined : this.#local.get(key);
    if (local?.upgrade !== undefined) {
      await local.upgrade(call);
      return true;
    }
    const target = key === undefined ? undefined : this.#target(key);
    if (target === undefined) return false;
    const own = { host: target.serverName, upgrade: call.request.headers.upgrade };
    const headers = { ...this.#proxy.headersFor(call.user, call.request.headers), ...own };
    await tunnelUpgrade(call, { path: call.request.url ?? '/', headers, target });
    return true;
  }

  idle(): Promise<void> {
    return this.#loop.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    this.#followed[Symbol.dispose]();
    await this.#loop[Symbol.asyncDispose]();
  }

  #target(key: string): TlsTarget | undefined {
    const api = this.#followed.items.find(({ group, version }) => `${group}/${version}` === key);
    if (api === undefined) return undefined;
    try {
      return targetOf(this.#deps.store, this.#proxy, api);
    } catch {
      // Why is told by the condition of the APIService; a client only has to know that it may try again.
      throw serviceUnavailableError('service unavailable');
    }
  }

  #setList(key: string, list: JsonObject | undefined): void {
    if (list === undefined ? !this.#lists.has(key) : isSameJson(this.#lists.get(key) ?? {}, list)) return;
    if (list === undefined) this.#lists.delete(key);
    else this.#lists.set(key, list);
    this.#resources = undefined;
    for (const listener of this.#listeners) listener();
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<number | undefined> {
    const object = this.#deps.store.get(storageName(this.#apiServices), `/${name}`)?.value;
    const api = object === undefined ? undefined : apiServiceOf(object);
    // The name of an APIService is its version and its group.
    const dot = name.indexOf('.');
    const key = `${name.slice(dot + 1)}/${name.slice(0, dot)}`;
    if (object === undefined || api === undefined) {
      if (!this.#local.has(key)) this.#setList(key, undefined);
      if (object !== undefined) await this.#tell(name, object, LOCAL, signal);
      return undefined;
    }
    const { availability, list } = await probeService(this.#deps.store, this.#proxy, api, signal);
    // A server that is away for a moment keeps its place in discovery.
    if (list !== undefined) this.#setList(key, list);
    await this.#tell(name, object, availability, signal);
    return availability.status === 'True' ? LOOK_AGAIN_MS : RETRY_MS;
  }

  async #tell(name: string, object: JsonObject, availability: Availability, signal: AbortSignal): Promise<void> {
    const before = objectAt(object, 'status');
    const status = availableStatus(before, availability, this.#deps.now());
    if (isSameJson(status, before)) return;
    const options = { context: this.#deps.contextFor(signal), subresource: 'status' } as const;
    try {
      await this.#deps.registry.update(this.#apiServices, { namespace: '', name }, { ...object, status }, options);
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}

// A path with dots in it might mean something else to the other server than to those who allowed the request.
function groupVersionOf(path: string): string | undefined {
  const parts = path.split('/').slice(1);
  if (parts.some((part) => part === '.' || part === '..')) return undefined;
  const [root, group, version] = parts;
  if (root !== 'apis' || group === undefined || version === undefined || version === '') return undefined;
  return `${group}/${version}`;
}
