import type { HostProcessor } from './host-processor.ts';

/**
 * Chooses processors for a pod that gets them for itself: on one cell if it fits on one, whole cores first, and what is over on
 * a core that is broken already. Undefined when there are too few.
 */
export function takeProcessors(
  all: readonly HostProcessor[],
  free: ReadonlySet<number>,
  count: number,
): readonly number[] | undefined {
  const open = all.filter(({ id }) => free.has(id));
  if (open.length < count) return undefined;
  const cells = [...Map.groupBy(open, ({ cell }) => cell)].map(([cell, processors]) => ({ cell, processors }));
  // The fullest cell that is enough leaves large ones for large pods; else the emptiest ones, so that it lies on few.
  const fitting = cells.filter(({ processors }) => processors.length >= count);
  const chosen = fitting.toSorted((left, right) => size(left) - size(right) || left.cell - right.cell).slice(0, 1);
  const inOrder =
    chosen.length > 0 ? chosen : cells.toSorted((left, right) => size(right) - size(left) || left.cell - right.cell);
  const taken: number[] = [];
  for (const { processors } of inOrder) taken.push(...takeOnCell(all, processors, count - taken.length));
  return taken.toSorted((left, right) => left - right);
}

interface Cell {
  readonly cell: number;
  readonly processors: readonly HostProcessor[];
}

function size({ processors }: Cell): number {
  return processors.length;
}

function takeOnCell(all: readonly HostProcessor[], open: readonly HostProcessor[], count: number): readonly number[] {
  const threads = Map.groupBy(all, ({ core }) => core);
  const cores = [...Map.groupBy(open, ({ core }) => core)].map(([core, left]) => ({
    ids: left.map(({ id }) => id),
    isWhole: left.length === threads.get(core)?.length,
  }));
  const taken: number[] = [];
  const whole = cores.filter(({ isWhole }) => isWhole);
  for (const { ids } of whole) if (taken.length + ids.length <= count) taken.push(...ids);
  const broken = cores.filter(({ isWhole }) => !isWhole);
  const rest = [...broken, ...whole].flatMap(({ ids }) => ids).filter((id) => !taken.includes(id));
  return [...taken, ...rest.slice(0, count - taken.length)];
}
