import { attributeText, type AttributeValue, type ChildValue, joinTexts } from './build.ts';
import { isXmlWhitespace } from './characters.ts';
import { cursorAt } from './cursor.ts';
import { XmlError } from './error.ts';
import type { XmlElement, XmlNode } from './node.ts';

/** `owner` with the attribute set, at its old place or else last. `undefined` takes the attribute away. */
export function withAttribute(owner: XmlElement, name: string, value: AttributeValue): XmlElement {
  const { attributes } = owner;
  if (value === undefined) return { ...owner, attributes: attributes.filter((attribute) => attribute.name !== name) };
  const changed = { name, value: attributeText(`${owner.name}/@${name}`, value) };
  const isNew = attributes.every((attribute) => attribute.name !== name);
  return {
    ...owner,
    attributes: isNew
      ? [...attributes, changed]
      : attributes.map((attribute) => (attribute.name === name ? changed : attribute)),
  };
}

/** `owner` with these children and no others. */
export function withChildren(owner: XmlElement, children: readonly ChildValue[]): XmlElement {
  return { ...owner, children: joinTexts(children) };
}

/** `owner` with `child` after its last child element, on a line of its own if that one has one. */
export function withChildAdded(owner: XmlElement, child: XmlNode): XmlElement {
  const { children } = owner;
  const last = children.findLastIndex((node) => node.kind === 'element');
  const before = last > 0 ? children[last - 1] : undefined;
  const gap = before && isGap(before) ? before : undefined;
  return withChildren(owner, [...children.slice(0, last + 1), gap, child, ...children.slice(last + 1)]);
}

/** `owner` with `child` in the place of `old`, which is one of its children. */
export function withChildReplaced(owner: XmlElement, old: XmlNode, child: XmlNode): XmlElement {
  return withChildren(owner, owner.children.with(indexOfChild(owner, old), child));
}

/** `owner` without `old`, which is one of its children, and without the whitespace in front of it. */
export function withChildRemoved(owner: XmlElement, old: XmlNode): XmlElement {
  return withoutChildAt(owner, indexOfChild(owner, old));
}

/**
 * `root` with the first element at `path` changed by `edit`, or removed if that returns `undefined`. Everything
 * beside the way there is shared with the old tree. Throws `missing` if the path leads nowhere.
 */
export function withElementAt(
  root: XmlElement,
  path: string,
  edit: (element: XmlElement) => XmlElement | undefined,
): XmlElement {
  const found = cursorAt(root).require(path);
  let edited = edit(found.element);
  for (let { parent, index } = found; parent; { parent, index } = parent) {
    const owner = parent.element;
    edited = edited ? { ...owner, children: owner.children.with(index, edited) } : withoutChildAt(owner, index);
  }
  return edited ?? root;
}

function withoutChildAt(owner: XmlElement, index: number): XmlElement {
  const before = owner.children[index - 1];
  const first = before && isGap(before) ? index - 1 : index;
  return withChildren(owner, owner.children.toSpliced(first, index + 1 - first));
}

function isGap(node: XmlNode): boolean {
  return node.kind === 'text' && isXmlWhitespace(node.text);
}

function indexOfChild(owner: XmlElement, child: XmlNode): number {
  const index = owner.children.indexOf(child);
  if (index >= 0) return index;
  throw new XmlError('missing', `the node to change is not a child of ${owner.name}`, { path: owner.name });
}
