// More than any machine has; a set such as `0-4000000000` must not cost its size.
const MAX_ID = 65_535;

/**
 * The numbers in a set as libvirt writes it (`0-3,^1,7`), in ascending order. `undefined` if it is none: a set is not
 * empty, ranges go upwards, and only single numbers are excluded.
 */
export function readIdSet(text: string): readonly number[] | undefined {
  const ids = new Set<number>();
  for (const part of text.replace(/,\s*$/, '').split(',')) {
    const [, not, first, last = first] = /^\s*(\^?)(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part) ?? [];
    if (first === undefined || (not === '^' && last !== first)) return undefined;
    if (Number(last) > MAX_ID || Number(first) > Number(last)) return undefined;
    for (let id = Number(first); id <= Number(last); id += 1) {
      if (not === '^') ids.delete(id);
      else ids.add(id);
    }
  }
  return ids.size === 0 ? undefined : [...ids].toSorted((left, right) => left - right);
}
