import { type GrowingStep, readTraceLine, type TraceLine } from './read-trace-line.ts';
import type { TraceStep } from './trace-report.ts';

/** Makes a tree of the indented lines between `Flow:` and `Final flow:`. */
export function growTraceTree(lines: readonly string[]): readonly TraceStep[] {
  const root: TraceStep[] = [];
  // From the root to where the last line was put.
  const open: TraceLine[] = [];
  for (const line of lines) {
    const next = readTraceLine(line);
    if (next === undefined) continue;
    while (open.length > 0 && !isBelow(next, open.at(-1))) open.pop();
    (open.at(-1)?.step.steps ?? root).push(next.step);
    open.push(next);
  }
  return root;
}

/**
 * Further in is below. At the same column, a note belongs to the action before it, a table or bridge to the action that
 * led there, and a table to its bridge.
 */
function isBelow(line: TraceLine, above: TraceLine | undefined): boolean {
  if (above === undefined || line.column < above.column) return false;
  return line.column > above.column || belongsTo(line.step, above.step);
}

function belongsTo(step: GrowingStep, above: GrowingStep): boolean {
  switch (step.kind) {
    case 'note':
    case 'bridge':
      return above.kind === 'action';
    case 'table':
      return above.kind === 'action' || above.kind === 'bridge';
    case 'action':
      return false;
  }
}
