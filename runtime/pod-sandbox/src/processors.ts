/** Processors as the kernel lists them, `0-2,7`; none where the text is empty. */
export function parseProcessors(text: string): readonly number[] {
  if (text.trim() === '') return [];
  return text
    .trim()
    .split(',')
    .flatMap((part) => {
      const [first = Number.NaN, last = first] = part.split('-').map(Number);
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
    });
}

/** The same the other way round, in order. */
export function printProcessors(processors: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const each of [...new Set(processors)].toSorted((left, right) => left - right)) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === each - 1) last[1] = each;
    else runs.push([each, each]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}
