import { isDeepStrictEqual } from 'node:util';

import { isNotFound, type Fields, type ResourceClient } from '@smalt/kube';
import type { KubernetesObject } from '@smalt/kubernetes';

import type { ObjectReader } from './object-cache.ts';
import { splitKey, type ObjectKey } from './object-key.ts';

/**
 * Writes the part of a status that one controller owns, by server-side apply under the controller's name: fields it
 * wrote before and leaves out now go, and those of other controllers are never touched. Nothing is sent when the object
 * already says so.
 */
export class StatusWriter<T extends KubernetesObject> {
  readonly #client: ResourceClient<T>;
  readonly #reader: ObjectReader<T>;
  readonly #fieldManager: string;
  readonly #written = new Map<ObjectKey, { readonly uid: string | undefined; readonly status: Fields }>();

  constructor(client: ResourceClient<T>, reader: ObjectReader<T>, fieldManager: string) {
    this.#client = client;
    this.#reader = reader;
    this.#fieldManager = fieldManager;
  }

  /** Returns whether anything was sent. An object that is gone needs no status. */
  async apply(key: ObjectKey, status: Fields, signal: AbortSignal): Promise<boolean> {
    const object = this.#reader.get(key);
    const uid = object?.metadata.uid;
    const written = this.#written.get(key);
    const isKnown = written?.uid === uid && isDeepStrictEqual(written?.status, status);
    // Somebody may have overwritten our fields by force or by hand since.
    if (isKnown && contains(statusOf(object), status)) return false;
    const { name, namespace } = splitKey(key);
    try {
      await this.#client.applyStatus(name, status, {
        namespace,
        fieldManager: this.#fieldManager,
        force: true,
        signal,
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.forget(key);
      return false;
    }
    this.#written.set(key, { uid, status });
    return true;
  }

  /** Call it for objects that are gone. */
  forget(key: ObjectKey): void {
    this.#written.delete(key);
  }
}

function statusOf(object: KubernetesObject | undefined): unknown {
  return object !== undefined && 'status' in object ? object.status : undefined;
}

/** Whether everything in `part` stands in `whole`; lists of conditions are compared by type. */
function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part)) return Array.isArray(whole) && containsItems(whole, part);
  if (typeof part !== 'object' || part === null) return Object.is(whole, part);
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(
    ([name, value]) => Object.hasOwn(whole, name) && contains(Reflect.get(whole, name), value),
  );
}

function containsItems(whole: readonly unknown[], part: readonly unknown[]): boolean {
  if (part.every(isTyped))
    return part.every((item) =>
      whole.some((other) => isTyped(other) && other.type === item.type && contains(other, item)),
    );
  return whole.length === part.length && part.every((item, index) => contains(whole[index], item));
}

function isTyped(value: unknown): value is { readonly type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
