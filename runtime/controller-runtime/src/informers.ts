import type { KubeClient } from '@smalt/kube';
import {
  apiVersionOf,
  printFieldSelector,
  printLabelSelector,
  type KindReference,
  type KubernetesObject,
} from '@smalt/kubernetes';

import { Informer, type InformerOptions } from './informer.ts';

type SharedOptions = Pick<InformerOptions<KubernetesObject>, 'clock' | 'random' | 'onFailure'>;

/** The informers of a process: whoever asks for the same objects shares one watch and one cache. */
export class Informers {
  readonly #client: KubeClient;
  readonly #defaults: SharedOptions;
  readonly #informers = new Map<string, Informer<never>>();
  /** Set while informers run: those that are asked for then start at once. */
  #start: ((informer: Informer<never>) => void) | undefined;

  constructor(client: KubeClient, defaults: SharedOptions) {
    this.#client = client;
    this.#defaults = defaults;
  }

  /** The informer for these objects. Options other than `select` count for who asks first. */
  for<T extends KubernetesObject>(kind: KindReference<T>, options: Partial<InformerOptions<T>> = {}): Informer<T> {
    const key = informerKey(kind, options);
    const known = this.#informers.get(key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key names the kind, and a kind has one type
    if (known !== undefined) return known as unknown as Informer<T>;
    const informer = new Informer(this.#client.resource(kind), { ...this.#defaults, ...options });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    const untyped = informer as unknown as Informer<never>;
    this.#informers.set(key, untyped);
    this.#start?.(untyped);
    return informer;
  }

  /** Runs all informers, those that are asked for later too, until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    const stopped = Promise.withResolvers<void>();
    const running: Promise<void>[] = [];
    this.#start = (informer) => {
      const run = informer.run(signal);
      running.push(run);
      run.catch(stopped.reject);
    };
    for (const informer of this.#informers.values()) this.#start(informer);
    const onAbort = (): void => stopped.resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      await stopped.promise;
      await Promise.all(running);
    } finally {
      this.#start = undefined;
      signal.removeEventListener('abort', onAbort);
    }
  }

  async whenSynced(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from(this.#informers.values(), (informer) => informer.whenSynced(signal)));
  }

  /** The kinds whose caches have not had all objects yet. */
  unsynced(): readonly string[] {
    return [...this.#informers].filter(([, informer]) => !informer.hasSynced).map(([key]) => key);
  }
}

function informerKey<T extends KubernetesObject>(
  kind: KindReference<T>,
  { select }: Partial<InformerOptions<T>>,
): string {
  const words = [
    `${apiVersionOf(kind)} ${kind.plural}`,
    select?.namespace,
    select?.labelSelector && printLabelSelector(select.labelSelector),
    select?.fieldSelector && printFieldSelector(select.fieldSelector),
  ];
  return words.filter((word) => word !== undefined && word !== '').join(' ');
}
