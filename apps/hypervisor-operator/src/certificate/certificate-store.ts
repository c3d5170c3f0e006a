import type { ControllerSource, Informer, ObjectKey } from '@smalt/controller-runtime';

import { slimDependentObject, type DependentObject } from '../dependents/dependent-object.ts';
import type { OperatorContext } from '../operator-context.ts';
import { isServed } from '../start/served-kinds.ts';
import { certificateKind } from './certificate.ts';
import type { CertificateSettings } from './certificate-settings.ts';

export type CertificateStoreContext = Pick<OperatorContext, 'client' | 'informers' | 'clock'>;
type StoreSettings = Pick<CertificateSettings, 'when' | 'namespace' | 'resyncMs'>;

/** The certificates of hosts, from when the cluster knows such a thing: cert-manager may be installed at any time. */
export class CertificateStore implements ControllerSource {
  /** There is nothing to wait for: the kind may never be served. */
  readonly informer: ControllerSource['informer'] = { whenSynced: () => Promise.resolve() };
  readonly #context: CertificateStoreContext;
  readonly #settings: StoreSettings;
  readonly #listeners = new Set<(key: ObjectKey) => void>();
  #informer: Informer<DependentObject> | undefined;
  /** The last question, which all nodes share for a while. */
  #asked: { readonly at: number; readonly isServed: Promise<boolean> } | undefined;

  constructor(context: CertificateStoreContext, settings: StoreSettings) {
    this.#context = context;
    this.#settings = settings;
  }

  subscribe(add: (key: ObjectKey) => void): () => void {
    this.#listeners.add(add);
    return () => void this.#listeners.delete(add);
  }

  /** All certificates there are; undefined while the cluster does not know the kind. */
  async open(signal: AbortSignal): Promise<Informer<DependentObject>['cache'] | undefined> {
    if (this.#informer === undefined && !(await this.#isServed(signal))) return undefined;
    this.#informer ??= this.#follow();
    await this.#informer.whenSynced(signal);
    return this.#informer.cache;
  }

  async #isServed(signal: AbortSignal): Promise<boolean> {
    if (this.#settings.when !== 'auto') return this.#settings.when === 'always';
    const now = this.#context.clock.monotonic();
    if (this.#asked === undefined || now - this.#asked.at >= this.#settings.resyncMs) {
      this.#asked = { at: now, isServed: isServed(this.#context.client, certificateKind, signal) };
    }
    const asked = this.#asked;
    try {
      return await asked.isServed;
    } catch (error) {
      // A question that failed is no answer: the next one asks again.
      if (this.#asked === asked) this.#asked = undefined;
      throw error;
    }
  }

  #follow(): Informer<DependentObject> {
    const { namespace } = this.#settings;
    const informer = this.#context.informers.for(certificateKind, {
      select: { namespace },
      transform: slimDependentObject,
    });
    informer.onChange(({ old, current }) => {
      const owners = [old, current].flatMap((object) => object?.metadata.ownerReferences ?? []);
      const names = new Set(owners.filter(({ kind }) => kind === 'Node').map(({ name }) => name));
      for (const add of this.#listeners) names.forEach(add);
    });
    return informer;
  }
}
