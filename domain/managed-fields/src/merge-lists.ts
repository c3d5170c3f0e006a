import type { JsonValue } from '@smalt/json';

import type { ListType } from './field-type.ts';
import { itemElement } from './item-element.ts';
import { ManagedFieldsError } from './managed-fields-error.ts';
import { type PathElement, printElement } from './path-element.ts';

type MergeItems = (live: JsonValue, applied: JsonValue) => JsonValue | undefined;

interface Indexed {
  /** One for each item, in order. */
  readonly elements: readonly PathElement[];
  readonly byElement: ReadonlyMap<PathElement, JsonValue>;
}

/**
 * Merges two lists whose items have identities. Items of both follow the applied order; live items that are not applied
 * keep their place among them as well as that allows.
 */
export function mergeLists(
  live: readonly JsonValue[],
  applied: readonly JsonValue[],
  type: ListType,
  mergeItems: MergeItems,
): readonly JsonValue[] {
  return new ListMerge(indexLive(live, type), indexApplied(applied, type), mergeItems).run(live);
}

/** A walk along both lists at once. */
class ListMerge {
  readonly #live: Indexed;
  readonly #applied: Indexed;
  readonly #mergeItems: MergeItems;
  /** The items of both, in the order in which they are to come. */
  readonly #shared: readonly PathElement[];
  readonly #merged = new Set<PathElement>();
  readonly #result: JsonValue[] = [];
  #sharedAt = 0;
  #liveAt = 0;
  #appliedAt = 0;

  constructor(live: Indexed, applied: Indexed, mergeItems: MergeItems) {
    this.#live = live;
    this.#applied = applied;
    this.#mergeItems = mergeItems;
    this.#shared = applied.elements.filter((element) => live.byElement.has(element));
  }

  run(live: readonly JsonValue[]): readonly JsonValue[] {
    while (this.#liveAt < this.#live.elements.length || this.#appliedAt < this.#applied.elements.length) {
      const liveElement = this.#live.elements[this.#liveAt];
      const appliedElement = this.#applied.elements[this.#appliedAt];
      if (liveElement !== undefined && !this.#applied.byElement.has(liveElement)) {
        this.#result.push(live[this.#liveAt] ?? null);
        this.#liveAt++;
      } else {
        this.#step(liveElement, appliedElement);
      }
    }
    return this.#result;
  }

  /** Goes on where the live item, if there is one, is applied too. */
  #step(liveElement: PathElement | undefined, appliedElement: PathElement | undefined): void {
    if (liveElement !== undefined && liveElement === appliedElement) {
      this.#take(liveElement);
      this.#liveAt++;
      return;
    }
    const next = this.#shared[this.#sharedAt];
    if (liveElement !== undefined && appliedElement !== undefined && isOutOfTurn(liveElement, next)) {
      this.#liveAt++;
      return;
    }
    if (liveElement !== undefined && this.#merged.has(liveElement)) this.#liveAt++;
    if (appliedElement !== undefined) this.#take(appliedElement);
  }

  #take(element: PathElement): void {
    const value = this.#applied.byElement.get(element) ?? null;
    const current = this.#live.byElement.get(element);
    const item = current === undefined ? value : this.#mergeItems(current, value);
    if (item !== undefined) this.#result.push(item);
    this.#merged.add(element);
    if (this.#shared[this.#sharedAt] === element) this.#sharedAt++;
    this.#appliedAt++;
  }
}

/** A live item that is applied too, but not as the next of those: it comes when the applied order gets to it. */
function isOutOfTurn(element: PathElement, nextShared: PathElement | undefined): boolean {
  return nextShared !== undefined && nextShared !== element;
}

function indexApplied(list: readonly JsonValue[], type: ListType): Indexed {
  const byElement = new Map<PathElement, JsonValue>();
  for (const item of list) {
    const element = itemElement(type, item);
    if (byElement.has(element))
      throw new ManagedFieldsError('failed', `duplicate entries for key ${printElement(element)}`);
    byElement.set(element, item);
  }
  return { elements: [...byElement.keys()], byElement };
}

function indexLive(list: readonly JsonValue[], type: ListType): Indexed {
  const byElement = new Map<PathElement, JsonValue>();
  const elements = list.map((item) => {
    const element = itemElement(type, item);
    // Which of several alike would an applied item be merged with? None.
    byElement.set(element, byElement.has(element) ? null : item);
    return element;
  });
  return { elements, byElement };
}
