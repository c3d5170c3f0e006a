import type { JsonObject } from '@smalt/json';

import { ownersOf, type OwnerReference } from './owner-references.ts';

/** Which objects belong to which, by the uid of the owner. Objects are known by an id that the caller chooses. */
export class DependentsIndex {
  readonly #dependents = new Map<string, Set<string>>();
  readonly #owners = new Map<string, readonly OwnerReference[]>();

  /** Takes over what an object says of its owners; undefined forgets the object. */
  set(id: string, object: JsonObject | undefined): void {
    const before = this.#owners.get(id);
    const owners = object === undefined ? [] : ownersOf(object);
    if (before === undefined && owners.length === 0) return;
    for (const { uid } of before ?? []) this.#remove(uid, id);
    for (const { uid } of owners) this.#add(uid, id);
    if (owners.length === 0) this.#owners.delete(id);
    else this.#owners.set(id, owners);
  }

  /** Whom an object said last that it belongs to. */
  ownersOf(id: string): readonly OwnerReference[] {
    return this.#owners.get(id) ?? [];
  }

  /** The ids of what belongs to an object. */
  of(uid: string): readonly string[] {
    return [...(this.#dependents.get(uid) ?? [])];
  }

  #add(uid: string, id: string): void {
    const known = this.#dependents.get(uid);
    if (known === undefined) this.#dependents.set(uid, new Set([id]));
    else known.add(id);
  }

  #remove(uid: string, id: string): void {
    const known = this.#dependents.get(uid);
    known?.delete(id);
    if (known?.size === 0) this.#dependents.delete(uid);
  }
}
