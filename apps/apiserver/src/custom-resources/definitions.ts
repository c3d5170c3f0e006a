import { isSameJson, type JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';
import type * as StructuralSchema from '@smalt/structural-schema';

import { requireResource, type ControllerDependencies } from '../controllers/controller-dependencies.ts';
import { WorkLoop } from '../controllers/work-loop.ts';
import { forbiddenError, unknownResourceError } from '../errors/make-status-error.ts';
import { isConflict, isNotFound } from '../errors/status-error.ts';
import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';
import type { AdmissionReview } from '../registry/admission.ts';
import { isBeingDeleted, metadataText } from '../registry/object-metadata.ts';
import { storageName } from '../registry/storage-name.ts';
import { storedVersionOf } from '../registry/stored-form.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { claimedNames } from './accept-names.ts';
import { conversionWarning, isConvertedByWebhook, storageVersionName } from './definition-conversion.ts';
import { isConditionTrue } from './definition-conditions.ts';
import { definitionStatus } from './definition-status.ts';
import { deleteInstances } from './delete-instances.ts';
import { deprecationWarning } from './deprecation-warning.ts';

const GROUP = 'apiextensions.k8s.io';

interface Served {
  /** What was served was made of exactly this. */
  readonly spec: JsonObject;
  readonly names: JsonObject;
  readonly resources: readonly Resource[];
}

/**
 * Serves the kinds that CustomResourceDefinitions declare, from the moment their write is durable until the last of
 * their objects is gone.
 */
export class CustomResourceDefinitions implements AsyncDisposable {
  readonly #deps: ControllerDependencies;
  readonly #definitions: Resource;
  readonly #storage: string;
  readonly #served = new Map<string, Served>();
  readonly #warnings = new WeakMap<Resource, string>();
  readonly #terminating = new WeakMap<StoredObject, boolean>();
  readonly #instances = new Map<string, () => void>();
  readonly #loop: WorkLoop;
  readonly #unsubscribe: () => void;
  /** Here as soon as there is a definition: `admit` loads it before the first one is stored. */
  #schemas: typeof StructuralSchema | undefined;

  /** Serves what is defined already, and from now on everything that will be. */
  static async open(deps: ControllerDependencies): Promise<CustomResourceDefinitions> {
    const definitions = requireResource(deps.catalog, GROUP, 'v1', 'customresourcedefinitions');
    const isNeeded = deps.store.count(storageName(definitions)) > 0;
    return new CustomResourceDefinitions(deps, definitions, isNeeded ? await loadSchemas() : undefined);
  }

  private constructor(deps: ControllerDependencies, definitions: Resource, schemas?: typeof StructuralSchema) {
    this.#deps = deps;
    this.#definitions = definitions;
    this.#storage = storageName(definitions);
    this.#schemas = schemas;
    this.#loop = new WorkLoop({
      reconcile: (name, signal) => this.#reconcile(name, signal),
      onFailure: deps.onFailure,
    });
    for (const { name } of deps.store.range(this.#storage)) this.#take(name);
    this.#unsubscribe = deps.store.subscribe(this.#storage, (events) => {
      for (const { object } of events) this.#take(object.name);
    });
  }

  /** What every client of a resource is told, such as that it is deprecated. */
  warningFor(resource: Resource): string | undefined {
    return this.#warnings.get(resource);
  }

  /** Refuses new objects of a definition that is being deleted; all else passes unchanged. */
  admit(review: AdmissionReview): Promise<JsonObject> | JsonObject | undefined {
    const { resource, object, subresource, addWarning } = review;
    if (isCustomCreation(review)) this.#checkNotTerminating(review);
    if (resource.group !== GROUP || subresource !== '' || object === undefined) return object;
    const warning = conversionWarning(object);
    if (warning !== undefined) addWarning(warning);
    return this.#schemas === undefined ? this.#loadFor(object) : object;
  }

  /** Refuses a new object whose definition went or began to go while the object was admitted. */
  confirm(review: AdmissionReview): void {
    if (!isCustomCreation(review)) return;
    if (this.#definitionOf(review.resource) === undefined) throw unknownResourceError();
    this.#checkNotTerminating(review);
  }

  /** Resolves when every definition has the status it should have. */
  idle(): Promise<void> {
    return this.#loop.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    for (const unsubscribe of this.#instances.values()) unsubscribe();
    await this.#loop[Symbol.asyncDispose]();
  }

  async #loadFor(definition: JsonObject): Promise<JsonObject> {
    this.#schemas = await loadSchemas();
    return definition;
  }

  #storedOf(crd: JsonObject): Resource {
    const name = storageVersionName(crd);
    const resource = this.#versionsOf(crd).get(name);
    if (resource === undefined) throw new TypeError(`a definition was stored that has no version ${name}`);
    return resource;
  }

  #versionsOf(crd: JsonObject): ReadonlyMap<string, Resource> {
    if (this.#schemas === undefined) throw new TypeError('a definition was stored that had not been admitted');
    return this.#schemas.crdResources(crd);
  }

  #checkNotTerminating({ resource, name }: AdmissionReview): void {
    const stored = this.#definitionOf(resource);
    if (stored === undefined || !this.#isTerminating(stored)) return;
    throw forbiddenError(resource, name, 'create not allowed while custom resource definition is terminating');
  }

  /** Each version of a definition is read once: some have hundreds of kilobytes, and every new object of theirs asks. */
  #isTerminating(stored: StoredObject): boolean {
    const known = this.#terminating.get(stored);
    if (known !== undefined) return known;
    const isTerminating = isConditionTrue(objectAt(stored.value, 'status'), 'Terminating');
    this.#terminating.set(stored, isTerminating);
    return isTerminating;
  }

  #definitionOf({ plural, group }: Resource): StoredObject | undefined {
    return this.#stored(`${plural}.${group}`);
  }

  #find(name: string): JsonObject | undefined {
    return this.#stored(name)?.value;
  }

  #stored(name: string): StoredObject | undefined {
    return this.#deps.store.get(this.#storage, `/${name}`);
  }

  #take(name: string): void {
    try {
      this.#serve(name);
    } catch (error) {
      this.#deps.onFailure(name, error);
    }
    this.#loop.add(name);
  }

  // At once, so that whoever created the definition can use it as soon as the answer is there.
  #serve(name: string): void {
    const crd = this.#find(name);
    const status = crd === undefined ? {} : this.#statusOf(name, crd);
    if (crd === undefined || !isConditionTrue(status, 'Established')) {
      this.#served.delete(name);
      this.#deps.catalog.replace(name, []);
      if (crd === undefined) this.#reconsiderOthers(name);
      return;
    }
    const spec = objectAt(crd, 'spec');
    const names = objectAt(status, 'acceptedNames');
    const known = this.#served.get(name);
    if (known !== undefined && isSameJson(known.spec, spec) && isSameJson(known.names, names)) return;
    const resources = this.#resourcesOf({ ...crd, spec: { ...spec, names } });
    this.#served.set(name, { spec, names, resources });
    this.#deps.catalog.replace(name, resources);
  }

  #resourcesOf(crd: JsonObject): readonly Resource[] {
    const isConverted = isConvertedByWebhook(crd);
    // Webhooks are not asked to convert objects. Rather than in a wrong form, other versions are not served at all.
    const served = objectsAt(objectAt(crd, 'spec'), 'versions').filter(
      (version) => version['served'] === true && (!isConverted || version['storage'] === true),
    );
    const all = this.#versionsOf(crd);
    return served.flatMap((version) => {
      const resource = all.get(textAt(version, 'name'));
      if (resource === undefined) return [];
      const warning = deprecationWarning(crd, resource.version);
      if (warning !== undefined) this.#warnings.set(resource, warning);
      return resource;
    });
  }

  #statusOf(name: string, crd: JsonObject): JsonObject {
    const group = textAt(objectAt(crd, 'spec'), 'group');
    // What another one was granted a moment ago may not be written yet.
    const others = this.#others(name, group).map((other) => {
      const names = this.#served.get(other.name)?.names;
      return names === undefined ? other.value : { status: { acceptedNames: names } };
    });
    return definitionStatus(crd, claimedNames(others), this.#deps.now());
  }

  #others(name: string, group: string): ReturnType<ControllerDependencies['store']['range']> {
    const all = this.#deps.store.range(this.#storage);
    return all.filter((object) => object.name !== name && object.name.endsWith(`.${group}`));
  }

  // A definition that is gone may have held a name that another one waits for.
  #reconsiderOthers(name: string): void {
    const group = name.slice(name.indexOf('.') + 1);
    for (const { name: other, value } of this.#others(name, group)) {
      if (!isConditionTrue(objectAt(value, 'status'), 'NamesAccepted')) queueMicrotask(() => this.#take(other));
    }
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<undefined> {
    const crd = this.#find(name);
    if (crd === undefined) {
      this.#instances.get(name)?.();
      this.#instances.delete(name);
      return undefined;
    }
    if (isBeingDeleted(crd)) return this.#cleanUp(name, crd, signal);
    const status = this.#statusOf(name, crd);
    if (isSameJson(status, objectAt(crd, 'status'))) return undefined;
    const options = { context: this.#deps.contextFor(signal), subresource: 'status' } as const;
    try {
      await this.#deps.registry.update(this.#definitions, { namespace: '', name }, { ...crd, status }, options);
    } catch (error) {
      // Whoever changed or removed it meanwhile made an event, which brings us back.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
    return undefined;
  }

  async #cleanUp(name: string, crd: JsonObject, signal: AbortSignal): Promise<undefined> {
    const [served] = this.#served.get(name)?.resources ?? this.#resourcesOf(crd);
    // Objects are there whether or not a version of them is served.
    const instances = served === undefined ? this.#storedOf(crd) : storedVersionOf(served);
    const { store, registry, now } = this.#deps;
    if (!this.#instances.has(name)) {
      const unsubscribe = store.subscribe(storageName(instances), (events) => {
        if (events.some(({ type }) => type === 'DELETED')) this.#loop.add(name);
      });
      this.#instances.set(name, unsubscribe);
    }
    const deps = { store, registry, now, definitions: this.#definitions };
    const dying = { name: metadataText(crd, 'name'), crd, instances };
    await deleteInstances(deps, dying, this.#deps.contextFor(signal));
    return undefined;
  }
}

// Schemas and their expressions are megabytes of code, which a server without definitions does not need.
function loadSchemas(): Promise<typeof StructuralSchema> {
  return import('@smalt/structural-schema');
}

function isCustomCreation({ operation, resource, subresource }: AdmissionReview): boolean {
  return operation === 'CREATE' && subresource === '' && !resource.isBuiltIn;
}
