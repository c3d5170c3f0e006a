import type { JsonObject, JsonValue } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { isConflict, isNotFound } from '../errors/status-error.ts';
import { finalizersOf, isBeingDeleted, metadataText } from '../registry/object-metadata.ts';
import { storageName } from '../registry/storage-name.ts';
import { storedVersionOf } from '../registry/stored-form.ts';
import type { ObjectKey } from '../registry/write-context.ts';
import type { StoreEvent } from '../store/store-event.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { ControllerDependencies } from './controller-dependencies.ts';
import { DependentsIndex } from './dependents-index.ts';
import { ObjectsFollower } from './follow-objects.ts';
import { ownersOf, referencesWithout, type OwnerReference } from './owner-references.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, planCollection, type OwnerState } from './plan-collection.ts';
import { WorkLoop } from './work-loop.ts';

/** An object that the collector looks at. */
interface Item {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly object: JsonObject;
}

const SCAN_AT_ONCE = 200;
const NO_UIDS: ReadonlySet<string> = new Set();

/**
 * Deletes what belongs to objects that are gone, and carries out the deletions that wait for dependents or let them be.
 * Everything it knows it reads from the objects, so a restart loses nothing.
 */
export class GarbageCollector implements AsyncDisposable {
  readonly #deps: ControllerDependencies;
  readonly #index = new DependentsIndex();
  readonly #undecided = new Set<string>();
  #resources: ReadonlyMap<string, Resource> = new Map();
  readonly #follower: ObjectsFollower;
  readonly #loop: WorkLoop;
  readonly #unsubscribe: () => void;
  readonly #scanned: Promise<void>;
  #isStopped = false;

  constructor(deps: ControllerDependencies) {
    this.#deps = deps;
    this.#loop = new WorkLoop({ reconcile: (id, signal) => this.#reconcile(id, signal), onFailure: deps.onFailure });
    this.#follower = new ObjectsFollower(deps.store, deps.catalog, (storage, events) => {
      for (const event of events) this.#take(storage, event);
    });
    this.#reconsider();
    this.#unsubscribe = deps.catalog.subscribe(() => this.#reconsider());
    this.#scanned = this.#scan();
  }

  /** Resolves when all that is there was looked at and nothing is left to do for now. */
  async idle(): Promise<void> {
    await this.#scanned;
    await this.#loop.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    this.#follower[Symbol.dispose]();
    await this.#loop[Symbol.asyncDispose]();
    await this.#scanned;
  }

  // Reading every object takes a moment, in which requests want to be served too.
  async #scan(): Promise<void> {
    await nextTurn();
    let count = 0;
    for (const storage of this.#deps.store.resources()) {
      for (const object of this.#deps.store.range(storage)) {
        if (this.#isStopped) return;
        if (count++ % SCAN_AT_ONCE === SCAN_AT_ONCE - 1) await nextTurn();
        // The object may have changed since the list of objects was made.
        const current = this.#deps.store.get(storage, object.key);
        if (current !== undefined) this.#look(storage, current);
      }
    }
  }

  #look(storage: string, object: StoredObject): void {
    const { value, key } = object;
    const id = `${storage}|${key}`;
    const isOfConcern = isConcerned(value);
    this.#index.set(id, isOfConcern ? value : undefined);
    if (isOfConcern) this.#loop.add(id);
  }

  #take(storage: string, { type, object }: StoreEvent): void {
    const { value } = object;
    const id = `${storage}|${object.key}`;
    const before = this.#index.ownersOf(id);
    if (type === 'DELETED') {
      this.#index.set(id, undefined);
      for (const dependent of this.#index.of(metadataText(value, 'uid'))) this.#loop.add(dependent);
    } else this.#look(storage, object);
    this.#wakeOwners(object.namespace, before);
  }

  // An owner that waits for its dependents hears of each that went or let go of it.
  #wakeOwners(namespace: string, owners: readonly OwnerReference[]): void {
    for (const reference of owners) {
      const found = this.#find(reference, namespace);
      if (found?.object === undefined) continue;
      if (isBeingDeleted(found.object)) this.#loop.add(found.id);
    }
  }

  #reconsider(): void {
    const { resources } = this.#deps.catalog;
    // In the version they are stored in, so that a write keeps all they have.
    this.#resources = new Map(resources.map((resource) => [storageName(resource), storedVersionOf(resource)]));
    const ids = [...this.#undecided];
    this.#undecided.clear();
    for (const id of ids) this.#loop.add(id);
  }

  async #reconcile(id: string, signal: AbortSignal): Promise<'back-off' | undefined> {
    // Until everything was read, an object may have more dependents than are known.
    await this.#scanned;
    if (signal.aborted) return undefined;
    const item = this.#itemOf(id);
    if (item === undefined) return undefined;
    const uid = metadataText(item.object, 'uid');
    const owners = ownersOf(item.object).map((reference) => ({
      reference,
      state: this.#stateOf(reference, item.key.namespace),
    }));
    const plan = planCollection({ object: item.object, owners, hasDependents: this.#index.of(uid).length > 0 });
    switch (plan.kind) {
      case 'keep':
        return undefined;
      case 'undecided':
        this.#undecided.add(id);
        return undefined;
      case 'orphan-dependents':
        return this.#orphanDependents(item, uid, signal);
      case 'await-dependents':
        return this.#awaitDependents(item, uid, signal);
      case 'forget-owners':
        return this.#patch(item, ownersPatch(item.object, plan.uids), signal);
      case 'delete': {
        const resourceVersion = metadataText(item.object, 'resourceVersion');
        const options = { propagationPolicy: plan.policy, preconditions: { uid, resourceVersion } };
        const { registry } = this.#deps;
        await this.#unlessChanged(id, () =>
          registry.delete(item.resource, item.key, options, this.#deps.contextFor(signal)),
        );
        return undefined;
      }
    }
  }

  #itemOf(id: string): Item | undefined {
    // No storage is named with the separator, but names of roles may hold it.
    const end = id.indexOf('|');
    const storage = id.slice(0, end);
    const resource = this.#resources.get(storage);
    const object = this.#deps.store.get(storage, id.slice(end + 1));
    if (object === undefined) return undefined;
    if (resource === undefined) {
      this.#undecided.add(id);
      return undefined;
    }
    return { resource, key: { namespace: object.namespace, name: object.name }, object: object.value };
  }

  #find(
    reference: OwnerReference,
    namespace: string,
  ): { readonly id: string; readonly object: JsonObject | undefined } | undefined {
    const { group, version, kind, name } = reference;
    const resource = this.#deps.catalog.findKind(group, version, kind);
    // An object without a namespace cannot say in which one its owner is.
    if (resource === undefined || (resource.isNamespaced && namespace === '')) return undefined;
    const key = `${resource.isNamespaced ? namespace : ''}/${name}`;
    const storage = storageName(resource);
    return { id: `${storage}|${key}`, object: this.#deps.store.get(storage, key)?.value };
  }

  #stateOf(reference: OwnerReference, namespace: string): OwnerState {
    const found = this.#find(reference, namespace);
    if (found === undefined) return 'unknown';
    const { object } = found;
    if (object === undefined || metadataText(object, 'uid') !== reference.uid) return 'absent';
    return isBeingDeleted(object) && finalizersOf(object).includes(FOREGROUND_FINALIZER) ? 'waiting' : 'solid';
  }

  async #orphanDependents(item: Item, uid: string, signal: AbortSignal): Promise<'back-off' | undefined> {
    const uids = new Set([uid]);
    for (const id of this.#index.of(uid)) {
      const dependent = this.#itemOf(id);
      if (dependent !== undefined) await this.#patch(dependent, ownersPatch(dependent.object, uids), signal);
    }
    // Whoever changed in between brings this back with its next version; one that something holds to it does not.
    if (this.#index.of(uid).some((id) => this.#itemOf(id) !== undefined)) return 'back-off';
    return this.#patch(item, finalizerPatch(item.object, ORPHAN_FINALIZER), signal);
  }

  async #awaitDependents(item: Item, uid: string, signal: AbortSignal): Promise<undefined> {
    const dependents = this.#index.of(uid);
    const isBlocked = dependents.some((id) => {
      const dependent = this.#itemOf(id);
      if (dependent === undefined) return false;
      // Two that wait for each other would wait forever.
      if (this.#isWaitingFor(item.object, dependent)) return false;
      return ownersOf(dependent.object).some((owner) => owner.uid === uid && owner.isBlocking);
    });
    if (!isBlocked) return this.#patch(item, finalizerPatch(item.object, FOREGROUND_FINALIZER), signal);
    for (const id of dependents) this.#loop.add(id);
    return undefined;
  }

  #isWaitingFor(owner: JsonObject, dependent: Item): boolean {
    const { object } = dependent;
    if (!isBeingDeleted(object) || !finalizersOf(object).includes(FOREGROUND_FINALIZER)) return false;
    const uid = metadataText(object, 'uid');
    return ownersOf(owner).some((reference) => reference.uid === uid);
  }

  async #patch(item: Item, metadata: Readonly<Record<string, JsonValue>>, signal: AbortSignal): Promise<undefined> {
    const uid = metadataText(item.object, 'uid');
    const resourceVersion = metadataText(item.object, 'resourceVersion');
    const patch = { kind: 'merge', body: { metadata: { uid, resourceVersion, ...metadata } } } as const;
    const options = { context: this.#deps.contextFor(signal), subresource: '' } as const;
    await this.#unlessChanged(idOf(item), () => this.#deps.registry.patch(item.resource, item.key, patch, options));
    return undefined;
  }

  async #unlessChanged(id: string, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (isConflict(error)) this.#loop.add(id);
      else if (!isNotFound(error)) throw error;
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isConcerned(object: JsonObject): boolean {
  return ownersOf(object).length > 0 || (isBeingDeleted(object) && finalizersOf(object).length > 0);
}

function idOf({ resource, key }: Item): string {
  return `${storageName(resource)}|${key.namespace}/${key.name}`;
}

function ownersPatch(object: JsonObject, uids: ReadonlySet<string> = NO_UIDS): Readonly<Record<string, JsonValue>> {
  const left = referencesWithout(object, uids);
  return { ownerReferences: left.length === 0 ? null : left };
}

function finalizerPatch(object: JsonObject, finalizer: string): Readonly<Record<string, JsonValue>> {
  const left = finalizersOf(object).filter((name) => name !== finalizer);
  return { finalizers: left.length === 0 ? null : left };
}
