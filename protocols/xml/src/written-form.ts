// A symbol that is not enumerable: `{ ...node, text }` and JSON leave it behind, so an edited node never prints
// the text of the node it was made from.
const WRITTEN: unique symbol = Symbol('written');

/** How the text of a document wrote a node: all of it, or for an element its start tag and its end tag. */
export interface WrittenForm {
  readonly start: string;
  readonly end: string;
}

/** Remembers how `node` was written, for a node that `printXml` would otherwise write differently. */
export function rememberWritten(node: object, form: WrittenForm): void {
  Object.defineProperty(node, WRITTEN, { value: form });
}

/** How `node` was written, if it was parsed and not written as `printXml` would. */
export function writtenForm(node: {
  readonly kind: string;
  readonly [WRITTEN]?: WrittenForm;
}): WrittenForm | undefined {
  return node[WRITTEN];
}
