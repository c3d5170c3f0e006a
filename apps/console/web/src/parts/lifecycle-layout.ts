/** A state in a diagram, at a place of a grid. */
export interface LifecycleState {
  readonly name: string;
  readonly label: string;
  readonly column: number;
  readonly row: number;
}

export interface LifecycleEdge {
  readonly from: string;
  readonly to: string;
}

export interface Box {
  readonly name: string;
  readonly label: string;
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly id: string;
  readonly path: string;
}

export const BOX = { width: 108, height: 32 } as const;
const GAP = { x: 36, y: 26 } as const;
const EDGE = 4;

/** Where boxes and arrows go. Arrows leave and enter at the side that faces the other box. */
export function layOutLifecycle(
  states: readonly LifecycleState[],
  edges: readonly LifecycleEdge[],
): {
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
} {
  const boxes = states.map(({ name, label, column, row }) => ({
    name,
    label,
    x: EDGE + column * (BOX.width + GAP.x),
    y: EDGE + row * (BOX.height + GAP.y),
  }));
  const byName = new Map(boxes.map((box) => [box.name, box]));
  const lines = edges.flatMap(({ from, to }) => {
    const start = byName.get(from);
    const end = byName.get(to);
    return start === undefined || end === undefined ? [] : [{ id: `${from}-${to}`, path: arrow(start, end) }];
  });
  const width = Math.max(0, ...boxes.map(({ x }) => x)) + BOX.width + EDGE;
  const height = Math.max(0, ...boxes.map(({ y }) => y)) + BOX.height + EDGE;
  return { boxes, lines, width, height };
}

function arrow(start: Box, end: Box): string {
  const isSideways = start.x !== end.x;
  const forward = isSideways ? Math.sign(end.x - start.x) : Math.sign(end.y - start.y);
  // Two arrows between the same boxes run beside each other.
  const shift = forward * 6;
  if (!isSideways) {
    const x = start.x + BOX.width / 2 + shift;
    return `M${x} ${edgeY(start, forward)}L${x} ${edgeY(end, -forward)}`;
  }
  const startY = start.y + BOX.height / 2 + shift;
  const endY = end.y + BOX.height / 2 + shift;
  const startX = edgeX(start, forward);
  const endX = edgeX(end, -forward);
  if (start.y === end.y) return `M${startX} ${startY}L${endX} ${endY}`;
  const middle = (startX + endX) / 2;
  return `M${startX} ${startY}C${middle} ${startY} ${middle} ${endY} ${endX} ${endY}`;
}

function edgeX({ x }: Box, side: number): number {
  return side > 0 ? x + BOX.width : x;
}

function edgeY({ y }: Box, side: number): number {
  return side > 0 ? y + BOX.height : y;
}
