import type { Box } from './flow-boxes.ts';

/** Which card an arrow key leads to from one; undefined for other keys, and at the end. Boxes are in reading order. */
export function nextCard<T extends Box>(boxes: readonly T[], from: T, key: string): T | undefined {
  const index = boxes.indexOf(from);
  switch (key) {
    case 'ArrowRight':
      return boxes[index + 1];
    case 'ArrowLeft':
      return boxes[index - 1];
    case 'Home':
      return boxes[0];
    case 'End':
      return boxes.at(-1);
    case 'ArrowDown':
      return nearest(
        boxes.filter(({ y }) => y > from.y),
        from,
      );
    case 'ArrowUp':
      return nearest(
        boxes.filter(({ y }) => y < from.y),
        from,
      );
    default:
      return undefined;
  }
}

function nearest<T extends Box>(boxes: readonly T[], { x, y }: Box): T | undefined {
  const distance = (box: Box): number => Math.abs(box.y - y) * 1_000 + Math.abs(box.x - x);
  const [first, ...rest] = boxes;
  if (first === undefined) return undefined;
  return rest.reduce((best, box) => (distance(box) < distance(best) ? box : best), first);
}
