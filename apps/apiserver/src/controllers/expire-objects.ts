import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { isNotFound } from '../errors/status-error.ts';
import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';
import { metadataText } from '../registry/object-metadata.ts';
import { storageName } from '../registry/storage-name.ts';
import { changeStoredObject } from './change-stored-object.ts';
import { requireResource, type ControllerDependencies } from './controller-dependencies.ts';

const HOUR_MS = 3_600_000;
const SWEEP_EVERY_MS = 60_000;

/** Removes events an hour after they were last seen, and requests for certificates that nobody needs any more. */
export class ObjectExpiry implements AsyncDisposable {
  readonly #deps: ControllerDependencies;
  readonly #timer: NodeJS.Timeout;
  #sweep: Promise<void> = Promise.resolve();

  constructor(deps: ControllerDependencies) {
    this.#deps = deps;
    this.#timer = setInterval(() => {
      this.#sweep = this.sweep().catch((error: unknown) => deps.onFailure('expiry', error));
    }, SWEEP_EVERY_MS);
    this.#timer.unref();
  }

  /** Removes what is too old right now. */
  async sweep(): Promise<void> {
    const { catalog } = this.#deps;
    await this.#expire(requireResource(catalog, '', 'v1', 'events'), isOldEvent);
    const requests = requireResource(catalog, 'certificates.k8s.io', 'v1', 'certificatesigningrequests');
    await this.#expire(requests, isOldRequest);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweep;
  }

  async #expire(resource: Resource, isOld: (object: JsonObject, now: number) => boolean): Promise<void> {
    const { store, now } = this.#deps;
    const time = now();
    const old = store.range(storageName(resource)).filter((object) => isOld(object.value, time));
    const removals = old.map(async ({ namespace, name }) => {
      try {
        // It may have been seen again since.
        await changeStoredObject(store, resource, { namespace, name }, (object) =>
          isOld(object, time) ? { kind: 'delete' } : { kind: 'nothing' },
        );
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    });
    await Promise.all(removals);
  }
}

function isOldEvent(event: JsonObject, now: number): boolean {
  const moments = [
    metadataText(event, 'creationTimestamp'),
    textAt(event, 'eventTime'),
    textAt(event, 'lastTimestamp'),
    textAt(objectAt(event, 'series'), 'lastObservedTime'),
  ];
  const times = moments.filter((text) => text !== '').map((text) => Date.parse(text));
  return now - Math.max(...times) > HOUR_MS;
}

function isOldRequest(request: JsonObject, now: number): boolean {
  const conditions = objectsAt(objectAt(request, 'status'), 'conditions');
  const ageMs = now - Date.parse(metadataText(request, 'creationTimestamp'));
  const decided = conditions.find(({ type }) => type === 'Approved' || type === 'Denied' || type === 'Failed');
  if (decided === undefined) return ageMs > 24 * HOUR_MS;
  const updated = textAt(decided, 'lastUpdateTime') || metadataText(request, 'creationTimestamp');
  return now - Date.parse(updated) > HOUR_MS;
}
