import { keyOf, type Clock, type Informer, type ObjectKey } from '@smalt/controller-runtime';
import type { VirtualMachineInstance } from '@smalt/vm-api';

/** After so long the cache would have had what was made or deleted. */
const LONGEST_MS = 30_000;

interface Expected {
  /** Undefined for one that was deleted. */
  readonly instance: VirtualMachineInstance | undefined;
  readonly until: number;
}

/** The instances of replica sets as they will be seen: with those that were made or deleted and that the cache lacks yet. */
export class ExpectedInstances {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #expected = new Map<ObjectKey, Expected>();

  constructor(instances: Pick<Informer<VirtualMachineInstance>, 'onChange'>, clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    instances.onChange(({ key, current }) => {
      const expected = this.#expected.get(key);
      if (expected === undefined) return;
      const isSeen =
        expected.instance === undefined ? current?.metadata.deletionTimestamp !== undefined : current !== undefined;
      if (isSeen || current === undefined) this.#expected.delete(key);
    });
  }

  made(instance: VirtualMachineInstance): void {
    this.#expected.set(keyOf(instance), { instance, until: this.#clock.monotonic() + LONGEST_MS });
  }

  deleted(key: ObjectKey): void {
    this.#expected.set(key, { instance: undefined, until: this.#clock.monotonic() + LONGEST_MS });
  }

  /** Those that are known, of one owner, as they will be seen. */
  merge(known: readonly VirtualMachineInstance[], ownerUid: string): readonly VirtualMachineInstance[] {
    this.#forgetOld();
    const keys = new Set(known.map(keyOf));
    const made = [...this.#expected.values()].flatMap(({ instance }) => {
      const isOwn = instance?.metadata.ownerReferences?.some(({ uid }) => uid === ownerUid) === true;
      return instance !== undefined && isOwn && !keys.has(keyOf(instance)) ? [instance] : [];
    });
    const left = known.filter((instance) => {
      const expected = this.#expected.get(keyOf(instance));
      return expected === undefined || expected.instance !== undefined;
    });
    return [...left, ...made];
  }

  #forgetOld(): void {
    const now = this.#clock.monotonic();
    for (const [key, { until }] of this.#expected) if (until <= now) this.#expected.delete(key);
  }
}
