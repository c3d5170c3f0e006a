import type { JsonObject } from '@smalt/json';

import type { MutableObject } from './json-kind.ts';
import { compareElements, type PathElement, SELF } from './path-element.ts';

/** Collects paths in any order and makes a canonical field set of them. */
export class FieldSetBuilder {
  #isMember = false;
  #children: Map<PathElement, FieldSetBuilder> | undefined;

  get isEmpty(): boolean {
    return this.#children === undefined;
  }

  /** Adds the field at this path. The path may be reused: it is not kept. */
  insert(path: readonly PathElement[], from = 0): void {
    const element = path[from];
    if (element === undefined) this.#isMember = true;
    else this.#descend(element).insert(path, from + 1);
  }

  build(): JsonObject {
    const result: MutableObject = {};
    if (this.#children === undefined) return result;
    for (const element of [...this.#children.keys()].toSorted(compareElements)) {
      const child = this.#children.get(element);
      if (child === undefined) continue;
      const below = child.build();
      result[element] = child.#isMember && !child.isEmpty ? { [SELF]: {}, ...below } : below;
    }
    return result;
  }

  #descend(element: PathElement): FieldSetBuilder {
    this.#children ??= new Map();
    let child = this.#children.get(element);
    if (child === undefined) {
      child = new FieldSetBuilder();
      this.#children.set(element, child);
    }
    return child;
  }
}
