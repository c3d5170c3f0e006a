import type { Resource } from '@smalt/resource';

/** Tells that what is served has changed: resources that were not there before, and resources that are no longer there. */
export interface CatalogChange {
  readonly added: readonly Resource[];
  readonly removed: readonly Resource[];
}

/**
 * The resources that are served right now. Each comes from a source (`built-in`, or the name of the
 * CustomResourceDefinition that declares it), and a source replaces all of its resources at once.
 */
export class Catalog {
  readonly #sources = new Map<string, readonly Resource[]>();
  readonly #listeners = new Set<(change: CatalogChange) => void>();
  readonly #byPlural = new Map<string, Resource>();
  readonly #byKind = new Map<string, Resource>();
  #resources: readonly Resource[] = [];
  #generation = 0;

  /** Grows with every change, so that what was computed from the catalog can be told to be stale. */
  get generation(): number {
    return this.#generation;
  }

  /** All of them, sources in the order in which they first came. */
  get resources(): readonly Resource[] {
    return this.#resources;
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#byPlural.get(`${group}/${version}/${plural}`);
  }

  findKind(group: string, version: string, kind: string): Resource | undefined {
    return this.#byKind.get(`${group}/${version}/${kind}`);
  }

  /** Every version in which a resource is served. */
  versionsOf(group: string, plural: string): readonly Resource[] {
    return this.#resources.filter((resource) => resource.group === group && resource.plural === plural);
  }

  /** Serves these resources for the source, instead of those it had; an empty list removes the source. */
  replace(source: string, resources: readonly Resource[]): void {
    const before = this.#sources.get(source) ?? [];
    if (resources.length === 0) this.#sources.delete(source);
    else this.#sources.set(source, resources);
    this.#index();
    const change = {
      added: resources.filter((resource) => !before.includes(resource)),
      removed: before.filter((resource) => !resources.includes(resource)),
    };
    if (change.added.length + change.removed.length === 0) return;
    this.#generation++;
    for (const listener of this.#listeners) listener(change);
  }

  /** Calls the listener after every change, until the returned function is called. */
  subscribe(listener: (change: CatalogChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #index(): void {
    this.#resources = [...this.#sources.values()].flat();
    this.#byPlural.clear();
    this.#byKind.clear();
    for (const resource of this.#resources) {
      this.#byPlural.set(`${resource.group}/${resource.version}/${resource.plural}`, resource);
      this.#byKind.set(`${resource.group}/${resource.version}/${resource.kind}`, resource);
    }
  }
}
