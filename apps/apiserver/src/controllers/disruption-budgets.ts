import { isSameJson, type JsonObject } from '@smalt/json';
import { selectorMatches } from '@smalt/kubernetes-api';
import type { Resource } from '@smalt/resource';

import { isConflict, isNotFound } from '../errors/status-error.ts';
import { objectAt, textAt } from '../identity/object-fields.ts';
import { metadataOf } from '../registry/object-metadata.ts';
import { storageName } from '../registry/storage-name.ts';
import type { StoreEvent } from '../store/store-event.ts';
import type { Store } from '../store/store.ts';
import { requireResource, type ControllerDependencies } from './controller-dependencies.ts';
import { controllerOf, disruptionStatus } from './disruption-status.ts';
import { WorkLoop } from './work-loop.ts';

const GROUP = 'policy';

/** Keeps the status of PodDisruptionBudgets true to the pods they select. */
export class DisruptionBudgets implements AsyncDisposable {
  readonly #deps: ControllerDependencies;
  readonly #budgets: Resource;
  readonly #loop: WorkLoop;
  readonly #unsubscribe: readonly (() => void)[];

  constructor(deps: ControllerDependencies) {
    this.#deps = deps;
    this.#budgets = requireResource(deps.catalog, GROUP, 'v1', 'poddisruptionbudgets');
    this.#loop = new WorkLoop({ reconcile: (key, signal) => this.#reconcile(key, signal), onFailure: deps.onFailure });
    const storage = storageName(this.#budgets);
    this.#unsubscribe = [
      deps.store.subscribe(storage, (events) => events.forEach(({ object }) => this.#loop.add(object.key))),
      deps.store.subscribe('pods', (events) => this.#takePods(events)),
    ];
    for (const { key } of deps.store.range(storage)) this.#loop.add(key);
  }

  idle(): Promise<void> {
    return this.#loop.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await this.#loop[Symbol.asyncDispose]();
  }

  #takePods(events: readonly StoreEvent[]): void {
    if (this.#deps.store.count(storageName(this.#budgets)) === 0) return;
    for (const { object, previous } of events) {
      const labels = [object.labels, ...(previous === undefined ? [] : [previous.labels])];
      for (const budget of budgetsIn(this.#deps.store, object.namespace)) {
        const selector = objectAt(objectAt(budget.value, 'spec'), 'selector');
        if (labels.some((each) => selectorMatches(selector, each))) this.#loop.add(budget.key);
      }
    }
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<number | undefined> {
    const stored = this.#deps.store.get(storageName(this.#budgets), key);
    if (stored === undefined) return undefined;
    const budget = stored.value;
    const { namespace, name } = stored;
    const pods = podsOf(this.#deps.store, namespace, budget);
    const now = this.#deps.now();
    const { status, recheckAfterMs } = disruptionStatus({
      budget,
      pods,
      expectedScale: this.#scale(namespace, pods),
      now,
    });
    if (isSameJson(status, objectAt(budget, 'status'))) return recheckAfterMs;
    const options = { context: this.#deps.contextFor(signal), subresource: 'status' } as const;
    try {
      await this.#deps.registry.update(this.#budgets, { namespace, name }, { ...budget, status }, options);
    } catch (error) {
      if (isConflict(error)) return 0;
      if (!isNotFound(error)) throw error;
    }
    return recheckAfterMs;
  }

  // The pods that there should be are those that all the controllers of the pods want together.
  #scale(namespace: string, pods: readonly JsonObject[]): number | undefined {
    const wanted = new Map<string, number>();
    for (const pod of pods) {
      const reference = controllerOf(pod);
      if (reference === undefined || wanted.has(textAt(reference, 'uid'))) continue;
      const scale = this.#scaleOf(namespace, reference);
      if (scale === undefined) return undefined;
      wanted.set(textAt(reference, 'uid'), scale);
    }
    return [...wanted.values()].reduce((sum, scale) => sum + scale, 0);
  }

  #scaleOf(namespace: string, reference: JsonObject): number | undefined {
    const apiVersion = textAt(reference, 'apiVersion');
    const slash = apiVersion.indexOf('/');
    const group = slash < 0 ? '' : apiVersion.slice(0, slash);
    const { catalog, store } = this.#deps;
    const resource = catalog.findKind(group, apiVersion.slice(slash + 1), textAt(reference, 'kind'));
    if (resource?.scale === undefined) return undefined;
    const key = `${resource.isNamespaced ? namespace : ''}/${textAt(reference, 'name')}`;
    const owner = store.get(storageName(resource), key)?.value;
    if (owner === undefined || metadataOf(owner)['uid'] !== reference['uid']) return undefined;
    let value: unknown = owner;
    for (const part of resource.scale.specReplicas) value = fieldOf(value, part);
    return typeof value === 'number' ? value : 0;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** The budgets of a namespace. */
export function budgetsIn(store: Store, namespace: string): ReturnType<Store['range']> {
  return store.range('poddisruptionbudgets.policy', `${namespace}/`, `${namespace}0`);
}

function podsOf(store: Store, namespace: string, budget: JsonObject): readonly JsonObject[] {
  const { selector } = objectAt(budget, 'spec');
  if (selector === undefined || selector === null) return [];
  const wanted = objectAt(objectAt(budget, 'spec'), 'selector');
  const pods = store.range('pods', `${namespace}/`, `${namespace}0`);
  return pods.filter((pod) => selectorMatches(wanted, pod.labels)).map((pod) => pod.value);
}
