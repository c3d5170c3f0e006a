import {
  source,
  type ControllerSource,
  type Informer,
  type InformerLists,
  type Informers,
  type ObjectKey,
} from '@smalt/controller-runtime';
import { labelSelectorFrom } from '@smalt/kubernetes';
import { virtualMachineInstanceKind, WellKnownName, type VirtualMachineInstance } from '@smalt/vm-api';

/** The instances that are on this node, and those that are to come here; no others are watched. */
export class Instances {
  readonly #placed: Informer<VirtualMachineInstance>;
  readonly #coming: Informer<VirtualMachineInstance>;

  constructor(informers: Informers, nodeName: string) {
    const labelled = (label: string): Informer<VirtualMachineInstance> =>
      informers.for(virtualMachineInstanceKind, {
        select: { labelSelector: labelSelectorFrom({ matchLabels: { [label]: nodeName } }) },
      });
    this.#placed = labelled(WellKnownName.nodeNameLabel);
    this.#coming = labelled(WellKnownName.migrationTargetNodeNameLabel);
  }

  get sources(): readonly ControllerSource[] {
    return [source(this.#placed), source(this.#coming)];
  }

  /** The lists of both caches together: all instances have come with the older of those that they go back to. */
  get lists(): InformerLists {
    const [one, other] = [this.#placed.lists, this.#coming.lists];
    return {
      begun: one.begun + other.begun,
      kept: one.kept + other.kept,
      keptBegunAt: Math.min(one.keptBegunAt ?? -Infinity, other.keptBegunAt ?? -Infinity),
    };
  }

  /** One that is on this node and was a target may be in both caches: the one that is here counts. */
  get(key: ObjectKey): VirtualMachineInstance | undefined {
    return this.#placed.cache.get(key) ?? this.#coming.cache.get(key);
  }

  list(): readonly VirtualMachineInstance[] {
    return [...this.#placed.cache.list(), ...this.#coming.cache.list()];
  }

  async whenSynced(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#placed.whenSynced(signal), this.#coming.whenSynced(signal)]);
  }
}
