import type { Lease, ObjectChange } from '@smalt/controller-runtime';

/**
 * When the lease of each node was seen to be renewed. A lease that is merely there shows nothing: its node may have been
 * dead for days, and its times are of another clock.
 */
export class LeaseSightings {
  readonly #seenAt = new Map<string, number>();

  seenAt(node: string): number | undefined {
    return this.#seenAt.get(node);
  }

  take({ old, current }: ObjectChange<Lease>, now: number): void {
    const name = current?.metadata.name ?? old?.metadata.name;
    if (name === undefined) return;
    if (current === undefined) this.#seenAt.delete(name);
    else if (old !== undefined && old.metadata.uid === current.metadata.uid && isRenewed(old, current)) {
      this.#seenAt.set(name, now);
    }
  }
}

function isRenewed(old: Lease, current: Lease): boolean {
  return current.spec.renewTime !== undefined && current.spec.renewTime !== old.spec.renewTime;
}
