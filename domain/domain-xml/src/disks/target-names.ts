const LETTERS = 26;

/** Gives out the names of disks in the guest, `vda`, `vdb`, … and `sda`, `sdb`, …: the next free one of a bus. */
export class TargetNames {
  readonly #used = new Map<string, number>();

  next(bus: string): { readonly name: string; readonly index: number } {
    const prefix = bus === 'virtio' ? 'vd' : 'sd';
    const index = this.#used.get(prefix) ?? 0;
    this.#used.set(prefix, index + 1);
    return { name: prefix + lettersOf(index), index };
  }
}

/** `a` to `z`, then `aa`: as Linux counts disks. */
export function lettersOf(index: number): string {
  const last = String.fromCodePoint('a'.charCodeAt(0) + (index % LETTERS));
  return index < LETTERS ? last : lettersOf(Math.floor(index / LETTERS) - 1) + last;
}
