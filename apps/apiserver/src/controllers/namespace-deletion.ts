import { isSameJson, type JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { isConflict, isNotFound } from '../errors/status-error.ts';
import { objectAt } from '../identity/object-fields.ts';
import { namespaceFinalizersOf } from '../registry/namespace-lifecycle.ts';
import { finalizersOf, isBeingDeleted } from '../registry/object-metadata.ts';
import { storageName } from '../registry/storage-name.ts';
import { storedVersionOf } from '../registry/stored-form.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { requireResource, type ControllerDependencies } from './controller-dependencies.ts';
import { ObjectsFollower } from './follow-objects.ts';
import { namespaceStatus, type Remains } from './namespace-conditions.ts';
import { WorkLoop } from './work-loop.ts';

const FINALIZER = 'kubernetes';
const NAMESPACES = 'namespaces';
// Objects that are stopped by somebody else may change without going, so a look now and then keeps the status true.
const LOOK_AGAIN_MS = 5_000;

/** Empties namespaces that are being deleted, says how far that has got, and lets them go when they are empty. */
export class NamespaceDeletion implements AsyncDisposable {
  readonly #deps: ControllerDependencies;
  readonly #namespaces: Resource;
  readonly #follower: ObjectsFollower;
  readonly #loop: WorkLoop;
  readonly #dying = new Set<string>();

  constructor(deps: ControllerDependencies) {
    this.#deps = deps;
    this.#namespaces = requireResource(deps.catalog, '', 'v1', NAMESPACES);
    this.#loop = new WorkLoop({
      reconcile: (name, signal) => this.#reconcile(name, signal),
      onFailure: deps.onFailure,
    });
    this.#follower = new ObjectsFollower(deps.store, deps.catalog, (storage, events) => {
      for (const { type, object } of events) {
        if (storage === NAMESPACES) this.#loop.add(object.name);
        else if (type === 'DELETED' && this.#dying.has(object.namespace)) this.#loop.add(object.namespace);
      }
    });
    for (const { name } of deps.store.range(NAMESPACES)) this.#loop.add(name);
  }

  idle(): Promise<void> {
    return this.#loop.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#follower[Symbol.dispose]();
    await this.#loop[Symbol.asyncDispose]();
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<number | undefined> {
    const namespace = this.#find(name);
    if (namespace === undefined || !isBeingDeleted(namespace)) {
      this.#dying.delete(name);
      return undefined;
    }
    this.#dying.add(name);
    if (!namespaceFinalizersOf(namespace).includes(FINALIZER)) return undefined;
    const remains = await this.#empty(name, signal);
    await this.#tell(name, remains, signal);
    if (remains.failures.length > 0) throw new Error(`namespace ${name}: ${remains.failures.join(', ')}`);
    if (remains.resources.size > 0) return LOOK_AGAIN_MS;
    await this.#release(name, signal);
    return undefined;
  }

  #find(name: string): JsonObject | undefined {
    return this.#deps.store.get(NAMESPACES, `/${name}`)?.value;
  }

  // Pods go first: they may need the secrets and accounts around them until they have ended.
  async #empty(name: string, signal: AbortSignal): Promise<Remains> {
    const kinds = this.#namespacedKinds();
    const pods = kinds.filter(isPod);
    const first = await this.#deleteAll(name, pods, signal);
    if (first.resources.size > 0) return first;
    return this.#deleteAll(
      name,
      kinds.filter((resource) => !isPod(resource)),
      signal,
    );
  }

  #namespacedKinds(): readonly Resource[] {
    const kinds = new Map<string, Resource>();
    for (const resource of this.#deps.catalog.resources) {
      const storage = storageName(resource);
      if (resource.isNamespaced && resource.verbs.includes('delete') && !kinds.has(storage))
        kinds.set(storage, storedVersionOf(resource));
    }
    return [...kinds.values()];
  }

  async #deleteAll(name: string, kinds: readonly Resource[], signal: AbortSignal): Promise<Remains> {
    const context = this.#deps.contextFor(signal);
    const failures: string[] = [];
    const resources = new Map<string, number>();
    const finalizers = new Map<string, number>();
    for (const resource of kinds) {
      if (this.#contentOf(resource, name).length === 0) continue;
      try {
        const options = { propagationPolicy: 'Background' } as const;
        await this.#deps.registry.deleteCollection(resource, { namespace: name }, options, context);
      } catch (error) {
        signal.throwIfAborted();
        failures.push(error instanceof Error ? error.message : String(error));
      }
      const left = this.#contentOf(resource, name);
      if (left.length > 0) resources.set(`${resource.plural}.${resource.group}`, left.length);
      for (const finalizer of left.flatMap(({ value }) => finalizersOf(value))) {
        finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
      }
    }
    return { resources, finalizers, failures };
  }

  #contentOf(resource: Resource, namespace: string): readonly StoredObject[] {
    // The character after the slash ends the range of one namespace.
    return this.#deps.store.range(storageName(resource), `${namespace}/`, `${namespace}0`);
  }

  async #tell(name: string, remains: Remains, signal: AbortSignal): Promise<void> {
    const namespace = this.#find(name);
    if (namespace === undefined) return;
    const before = objectAt(namespace, 'status');
    const status = namespaceStatus(before, remains, this.#deps.now());
    // A namespace that goes at once need not say how.
    const isNews = remains.resources.size + remains.failures.length > 0 || Array.isArray(before['conditions']);
    if (isNews && !isSameJson(status, before)) await this.#write(name, { ...namespace, status }, 'status', signal);
  }

  async #release(name: string, signal: AbortSignal): Promise<void> {
    const namespace = this.#find(name);
    if (namespace === undefined) return;
    const finalizers = namespaceFinalizersOf(namespace).filter((finalizer) => finalizer !== FINALIZER);
    const object = { ...namespace, spec: { ...objectAt(namespace, 'spec'), finalizers } };
    await this.#write(name, object, 'finalize', signal);
  }

  async #write(
    name: string,
    object: JsonObject,
    subresource: 'status' | 'finalize',
    signal: AbortSignal,
  ): Promise<void> {
    const options = { context: this.#deps.contextFor(signal), subresource };
    try {
      await this.#deps.registry.update(this.#namespaces, { namespace: '', name }, object, options);
    } catch (error) {
      if (isConflict(error)) this.#loop.add(name);
      else if (!isNotFound(error)) throw error;
    }
  }
}

function isPod(resource: Resource): boolean {
  return resource.group === '' && resource.plural === 'pods';
}
