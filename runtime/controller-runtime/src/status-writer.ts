import { isNotFound, type Fields, type ResourceClient } from '@smalt/kube';
import type { KubernetesObject } from '@smalt/kubernetes';

import { AwaitedWrites } from './awaited-writes.ts';
import { systemClock, type Clock } from './clock.ts';
import type { Informer } from './informer.ts';
import { splitKey, type ObjectKey } from './object-key.ts';

// Not imported: an import of the module runs all its getters, which load worker threads.
const { isDeepStrictEqual } = process.getBuiltinModule('node:util');

interface Written {
  readonly uid: string | undefined;
  readonly status: Fields;
}

/**
 * Writes the part of a status that one controller owns, by server-side apply under the controller's name: fields it
 * wrote before and leaves out now go, and those of other controllers are never touched. Nothing is sent when the object
 * already says so.
 */
export class StatusWriter<T extends KubernetesObject> {
  readonly #client: Pick<ResourceClient<T>, 'applyStatus'>;
  readonly #informer: Pick<Informer<T>, 'cache' | 'onChange'>;
  readonly #fieldManager: string;
  /** By object, so that what was written to one that is gone does not count for the next of its name. */
  readonly #written = new Map<ObjectKey, Written>();
  readonly #awaited: AwaitedWrites<T>;

  constructor(
    client: Pick<ResourceClient<T>, 'applyStatus'>,
    informer: Pick<Informer<T>, 'cache' | 'onChange'> & Partial<Pick<Informer<T>, 'lists'>>,
    fieldManager: string,
    clock: Pick<Clock, 'monotonic'> = systemClock,
  ) {
    this.#client = client;
    this.#informer = informer;
    this.#fieldManager = fieldManager;
    this.#awaited = new AwaitedWrites(informer, clock);
    informer.onChange(({ key, current }) => {
      if (current === undefined) this.#written.delete(key);
    });
  }

  /** Returns whether anything was sent. An object that is gone needs no status. */
  async apply(key: ObjectKey, status: Fields, signal: AbortSignal): Promise<boolean> {
    const object = this.#informer.cache.get(key);
    const uid = object?.metadata.uid;
    const written = this.#written.get(key);
    const isKnown = written?.uid === uid && isDeepStrictEqual(written?.status, status);
    // Somebody may have overwritten our fields by force or by hand since.
    if (isKnown && contains(statusOf(object), status)) return false;
    const { name, namespace } = splitKey(key);
    const options = { namespace, fieldManager: this.#fieldManager, force: true, signal };
    try {
      const { resourceVersion } = await this.#client.applyStatus(name, status, options);
      this.#written.set(key, { uid, status });
      // Of the object that was looked at: for another one of its name nobody waits.
      this.#awaited.expect(key, { uid, resourceVersion });
      return true;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#written.delete(key);
      return false;
    }
  }

  /**
   * Takes for written what the object says already, if this writer has not written to it yet: a process that starts anew
   * need not write all over again. Only for who knows that nothing else there is its own.
   */
  adopt(key: ObjectKey, status: Fields): void {
    const object = this.#informer.cache.get(key);
    if (object === undefined || this.#written.has(key) || !contains(statusOf(object), status)) return;
    this.#written.set(key, { uid: object.metadata.uid, status });
  }

  /**
   * Whether the cache has what was written last. Who decides by a status of his own must not go by an older one. What a new
   * list does not show either counts as had: no cache gets what a store that was put back does not know.
   */
  hasSeen(key: ObjectKey): boolean {
    return this.#informer.cache.get(key) === undefined || !this.#awaited.isBehind(key);
  }
}

function statusOf(object: KubernetesObject | undefined): unknown {
  return object !== undefined && 'status' in object ? (object.status ?? {}) : {};
}

/** Whether everything in `part` stands in `whole`; lists of conditions are compared by type. */
// Plain loops: this runs over a whole status with every change of it.
function contains(whole: unknown, part: unknown): boolean {
  if (whole === part) return true;
  if (Array.isArray(part)) return Array.isArray(whole) && containsItems(whole, part);
  if (!isFields(part) || !isFields(whole)) return false;
  for (const name in part) {
    const value = part[name];
    if (value !== undefined && !(Object.hasOwn(whole, name) && contains(whole[name], value))) return false;
  }
  return true;
}

function containsItems(whole: readonly unknown[], part: readonly unknown[]): boolean {
  if (part.length > 0 && part.every(isTyped)) {
    return part.every((item) =>
      contains(
        whole.filter(isTyped).find(({ type }) => type === item.type),
        item,
      ),
    );
  }
  if (whole.length !== part.length) return false;
  for (let index = 0; index < part.length; index++) if (!contains(whole[index], part[index])) return false;
  return true;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTyped(value: unknown): value is { readonly type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
