import type { Resource } from '@smalt/resource';

import type { Catalog } from '../catalog/catalog.ts';
import type { Registry } from '../registry/registry.ts';
import type { WriteContext } from '../registry/write-context.ts';
import type { Store } from '../store/store.ts';

/** What the loops of the server work with: the same registry that requests go through, and the store's own events. */
export interface ControllerDependencies {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly registry: Registry;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The context of a write that the server makes by itself. */
  readonly contextFor: (signal: AbortSignal) => WriteContext;
  /** Told of what failed and will be tried again. */
  readonly onFailure: (name: string, error: unknown) => void;
}

/** A built-in resource that a loop cannot do without. */
export function requireResource(catalog: Catalog, group: string, version: string, plural: string): Resource {
  const resource = catalog.find(group, version, plural);
  if (resource === undefined) throw new TypeError(`${plural} are not served`);
  return resource;
}
