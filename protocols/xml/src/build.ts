import { XmlError } from './error.ts';
import type {
  XmlAttribute,
  XmlCdata,
  XmlComment,
  XmlDocument,
  XmlElement,
  XmlNode,
  XmlProcessingInstruction,
  XmlText,
} from './node.ts';

/** A value for an attribute; `undefined` leaves the attribute out. */
export type AttributeValue = string | number | bigint | undefined;

/** A child for `element`: a node, a string for text, or `undefined` for nothing. */
export type ChildValue = XmlNode | string | undefined;

/**
 * An element with attributes in the order of the object and children in the order of the list. Neighbouring strings
 * and texts become one text, as they would be after parsing.
 */
export function element(
  name: string,
  attributes: Readonly<Record<string, AttributeValue>> = {},
  children: readonly ChildValue[] = [],
): XmlElement {
  return { kind: 'element', name, attributes: attributeList(name, attributes), children: joinTexts(children) };
}

/** Character data. */
export function text(value: string): XmlText {
  return { kind: 'text', text: value };
}

/** A CDATA section. */
export function cdata(value: string): XmlCdata {
  return { kind: 'cdata', text: value };
}

/** A comment. */
export function comment(value: string): XmlComment {
  return { kind: 'comment', text: value };
}

/** A processing instruction. */
export function processingInstruction(name: string, value: string = ''): XmlProcessingInstruction {
  return { kind: 'processing-instruction', name, text: value };
}

/** A document with nothing around its root. */
export function document(root: XmlElement): XmlDocument {
  return { kind: 'document', prolog: [], root, epilog: [] };
}

/** The children as the parser would give them: texts joined, empty ones dropped. */
export function joinTexts(children: readonly ChildValue[]): readonly XmlNode[] {
  const joined: XmlNode[] = [];
  for (const child of children) {
    const node = typeof child === 'string' ? text(child) : child;
    if (node === undefined || (node.kind === 'text' && node.text === '')) continue;
    const last = joined.at(-1);
    if (node.kind === 'text' && last?.kind === 'text') joined[joined.length - 1] = text(last.text + node.text);
    else joined.push(node);
  }
  return joined;
}

function attributeList(owner: string, attributes: Readonly<Record<string, AttributeValue>>): readonly XmlAttribute[] {
  const list: XmlAttribute[] = [];
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) list.push({ name, value: attributeText(`${owner}/@${name}`, value) });
  }
  return list;
}

/** The text of an attribute value; a number that is not finite is refused. */
export function attributeText(path: string, value: string | number | bigint): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new XmlError('invalid-value', `${path}: ${value} is not a finite number`, { path });
  }
  return String(value);
}
