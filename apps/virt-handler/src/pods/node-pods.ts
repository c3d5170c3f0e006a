import type { Informer, Informers } from '@smalt/controller-runtime';
import type { KubeletPods } from '@smalt/pod-sandbox';

import { handledPodKind, handledPods, instanceKeyOf, slimHandledPod, type HandledPod } from './handled-pod.ts';

const BY_UID = 'uid';

/** The pods of instances that the kubelet of this node runs; those of other nodes are not watched. */
export class NodePods implements KubeletPods {
  readonly #informer: Informer<HandledPod>;

  constructor(informers: Informers, nodeName: string) {
    const fieldSelector = { requirements: [{ field: 'spec.nodeName', isEqual: true, value: nodeName }] };
    const select = { fieldSelector, labelSelector: handledPods };
    this.#informer = informers.for(handledPodKind, { select, transform: slimHandledPod });
    this.#informer.addIndex(BY_UID, ({ metadata }) => (metadata.uid === undefined ? [] : [metadata.uid]));
  }

  /** The pod as it was last seen. It waits until all are known once: before that none could be told to be missing. */
  async find(podUid: string, signal: AbortSignal): Promise<HandledPod | undefined> {
    await this.#informer.whenSynced(signal);
    return this.#informer.cache.byIndex(BY_UID, podUid)[0];
  }

  /** Calls back with the instance of every pod that has changed, `namespace/name`. */
  onChange(listener: (key: string) => void): void {
    this.#informer.onChange(({ current, old }) => {
      const pod = current ?? old;
      const key = pod === undefined ? undefined : instanceKeyOf(pod);
      if (key !== undefined) listener(key);
    });
  }
}
