import type { CelType } from './cel-type.ts';
import { CelUint, type CelValue } from './cel-value.ts';
import { lengthOf } from './code-points.ts';
import { exactly, ONE, type CostRange } from './cost-range.ts';
import type { ExpressionNode } from './expression-tree.ts';

/** The size of what is written out in an expression. */
export function writtenSize(node: ExpressionNode): CostRange | undefined {
  if (node.kind === 'list') return exactly(node.elements.length);
  if (node.kind === 'map') return exactly(node.entries.length);
  return node.kind === 'literal' ? literalSize(node.value) : undefined;
}

function literalSize(value: CelValue): CostRange | undefined {
  if (typeof value === 'string') return exactly(lengthOf(value));
  if (value instanceof Uint8Array) return exactly(value.length);
  return value === null || typeof value !== 'object' || value instanceof CelUint ? ONE : undefined;
}

/** Whether the values of a type all have the same size. */
export function isScalar(type: CelType): boolean {
  if (type.kind === 'optional') return isScalar(type.value);
  return ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'].includes(type.kind);
}
