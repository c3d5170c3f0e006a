import type { XmlNode } from './node.ts';

/**
 * How a path names the child at `index`: `disk` for an only one, `disk[2]` for the second of several, `comment()` and
 * the like for what is not an element.
 */
export function pathStep(siblings: readonly XmlNode[], index: number): string {
  const node = siblings[index];
  const key = stepKey(node);
  const position = siblings.slice(0, index).filter((other) => stepKey(other) === key).length + 1;
  const isOnly = position === 1 && !siblings.slice(index + 1).some((other) => stepKey(other) === key);
  return isOnly ? key : `${key}[${position}]`;
}

/** The name of a node in a path, without a position. */
export function stepKey(node: { readonly kind: string; readonly name?: string } | undefined): string {
  return node?.kind === 'element' ? (node.name ?? '') : `${node?.kind ?? 'node'}()`;
}
