/** The word for a number of libvirt: `pm-suspended`; `unknown-42` when it is newer than we are. */
export function wordOf(numbers: Readonly<Record<string, number>>, wanted: number): string {
  const found = Object.entries(numbers).find(([, number]) => number === wanted);
  return found ? found[0].replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : `unknown-${wanted}`;
}
