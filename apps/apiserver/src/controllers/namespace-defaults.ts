import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { isAlreadyExists, isNotFound, isStatusError } from '../errors/status-error.ts';
import { objectAt, textAt } from '../identity/object-fields.ts';
import { isBeingDeleted } from '../registry/object-metadata.ts';
import { requireResource, type ControllerDependencies } from './controller-dependencies.ts';
import { WorkLoop } from './work-loop.ts';

const NAMESPACES = 'namespaces';
const ROOT_CA = 'kube-root-ca.crt';
const DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Keeps in every namespace what pods expect there: the account `default`, and the certificate of the authority. */
export class NamespaceDefaults implements AsyncDisposable {
  readonly #deps: ControllerDependencies;
  readonly #accounts: Resource;
  readonly #configMaps: Resource;
  readonly #ca: string;
  readonly #loop: WorkLoop;
  readonly #unsubscribe: readonly (() => void)[];

  constructor(deps: ControllerDependencies, ca: string) {
    this.#deps = deps;
    this.#ca = ca;
    this.#accounts = requireResource(deps.catalog, '', 'v1', 'serviceaccounts');
    this.#configMaps = requireResource(deps.catalog, '', 'v1', 'configmaps');
    this.#loop = new WorkLoop({
      reconcile: (name, signal) => this.#reconcile(name, signal),
      onFailure: deps.onFailure,
    });
    const { store } = deps;
    this.#unsubscribe = [
      store.subscribe(NAMESPACES, (events) => events.forEach(({ object }) => this.#loop.add(object.name))),
      store.subscribe('serviceaccounts', (events) => {
        for (const { type, object } of events) {
          if (type === 'DELETED' && object.name === 'default') this.#loop.add(object.namespace);
        }
      }),
      store.subscribe('configmaps', (events) => {
        for (const { object } of events) if (object.name === ROOT_CA) this.#loop.add(object.namespace);
      }),
    ];
    for (const { name } of store.range(NAMESPACES)) this.#loop.add(name);
  }

  idle(): Promise<void> {
    return this.#loop.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await this.#loop[Symbol.asyncDispose]();
  }

  async #reconcile(namespace: string, signal: AbortSignal): Promise<undefined> {
    const object = this.#deps.store.get(NAMESPACES, `/${namespace}`)?.value;
    if (object === undefined || isBeingDeleted(object)) return undefined;
    const { store } = this.#deps;
    if (store.get('serviceaccounts', `${namespace}/default`) === undefined) {
      await this.#create(this.#accounts, namespace, account(namespace), signal);
    }
    const known = store.get('configmaps', `${namespace}/${ROOT_CA}`)?.value;
    if (known === undefined) await this.#create(this.#configMaps, namespace, rootCa(namespace, this.#ca), signal);
    else if (textAt(objectAt(known, 'data'), 'ca.crt') !== this.#ca) await this.#correct(namespace, known, signal);
    return undefined;
  }

  async #create(resource: Resource, namespace: string, object: JsonObject, signal: AbortSignal): Promise<void> {
    try {
      await this.#deps.registry.create(resource, namespace, object, this.#deps.contextFor(signal));
    } catch (error) {
      // The namespace may be on its way out by now.
      const isLate = isNotFound(error) || (isStatusError(error) && error.code === 'Forbidden');
      if (!isAlreadyExists(error) && !isLate) throw error;
    }
  }

  async #correct(namespace: string, known: JsonObject, signal: AbortSignal): Promise<void> {
    const object = { ...known, data: { 'ca.crt': this.#ca } };
    const options = { context: this.#deps.contextFor(signal), subresource: '' } as const;
    try {
      await this.#deps.registry.update(this.#configMaps, { namespace, name: ROOT_CA }, object, options);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function account(namespace: string): JsonObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
}

function rootCa(namespace: string, ca: string): JsonObject {
  const annotations = { 'kubernetes.io/description': DESCRIPTION };
  const metadata = { name: ROOT_CA, namespace, annotations };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'ca.crt': ca } };
}
