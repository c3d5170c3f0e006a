import type { Lease, ObjectChange } from '@smalt/controller-runtime';

/** Its node lived once, and nobody here saw when: too long ago to be a sign of life, but it can be missed from now on. */
const ONCE = 0;

/**
 * When the lease of each node was seen to be renewed. One that is merely there shows only that its node lived once: it may
 * have been dead for days, and the times in it are of another clock.
 */
export class LeaseSightings {
  readonly #seenAt = new Map<string, number>();

  seenAt(node: string): number | undefined {
    return this.#seenAt.get(node);
  }

  /** `seenAt` is undefined where nobody knows when it happened: then only what is there, and what is gone, is noted. */
  take({ old, current }: ObjectChange<Lease>, seenAt: number | undefined): void {
    const name = current?.metadata.name ?? old?.metadata.name;
    if (name === undefined) return;
    if (current === undefined) this.#seenAt.delete(name);
    else if (old !== undefined && old.metadata.uid === current.metadata.uid) {
      if (seenAt !== undefined && isRenewed(old, current)) this.#seenAt.set(name, seenAt);
    } else if (current.spec.renewTime !== undefined && !this.#seenAt.has(name)) this.#seenAt.set(name, ONCE);
  }
}

function isRenewed(old: Lease, current: Lease): boolean {
  return current.spec.renewTime !== undefined && current.spec.renewTime !== old.spec.renewTime;
}
