import { cursorAt } from './cursor.ts';
import type { XmlElement } from './node.ts';

/** The first child element called `name`. */
export function child(parent: XmlElement, name: string): XmlElement | undefined {
  return parent.children.find((node): node is XmlElement => node.kind === 'element' && node.name === name);
}

/** The child elements called `name`, or all of them. */
export function children(parent: XmlElement, name?: string): readonly XmlElement[] {
  return parent.children.filter(
    (node): node is XmlElement => node.kind === 'element' && (name === undefined || node.name === name),
  );
}

/** The value of the attribute called `name`, if it is there. */
export function attribute(owner: XmlElement, name: string): string | undefined {
  return owner.attributes.find((candidate) => candidate.name === name)?.value;
}

/** The first element at a path below `root`, such as `devices/disk[2]/source`. */
export function find(root: XmlElement, path: string): XmlElement | undefined {
  return cursorAt(root).find(path)?.element;
}

/** All elements at a path below `root`, in the order of the document. */
export function findAll(root: XmlElement, path: string): readonly XmlElement[] {
  return cursorAt(root)
    .findAll(path)
    .map((cursor) => cursor.element);
}

/** The attribute (`os/type/@arch`) or the text (`os/type`) at a path below `root`, if it is there. */
export function valueAt(root: XmlElement, path: string): string | undefined {
  return cursorAt(root).value(path);
}

/** The first element at a path below `root`. Throws `missing` with the path from `root` on if there is none. */
export function requireElement(root: XmlElement, path: string): XmlElement {
  return cursorAt(root).require(path).element;
}

/** The attribute of `root` called `name`, or at a path such as `os/type/@arch`. Throws `missing` if there is none. */
export function requireAttribute(root: XmlElement, name: string): string {
  return cursorAt(root).requireAttribute(name);
}

/** The text of `root`, or of the element at a path below it. Throws `missing` if it is empty or whitespace. */
export function requireText(root: XmlElement, path?: string): string {
  return cursorAt(root).requireText(path);
}
