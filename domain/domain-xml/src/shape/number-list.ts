/** Numbers as libvirt and Linux write sets of processors and cells: `0-3,8`. */
export function printNumberList(numbers: readonly number[]): string {
  const sorted = [...new Set(numbers)].toSorted((left, right) => left - right);
  const runs: { readonly from: number; to: number }[] = [];
  for (const number of sorted) {
    const last = runs.at(-1);
    if (last && last.to + 1 === number) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
