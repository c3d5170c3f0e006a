import { escapeAttribute } from './escape.ts';
import type { XmlAttribute } from './node.ts';

/** The tag that opens an element, as libvirt writes it: single quotes, and closed at once when there is no content. */
export function startTag(name: string, attributes: readonly XmlAttribute[], isEmpty: boolean): string {
  let tag = `<${name}`;
  for (const attribute of attributes) tag += ` ${attribute.name}='${escapeAttribute(attribute.value)}'`;
  return isEmpty ? `${tag}/>` : `${tag}>`;
}

/** The tag that closes an element. */
export function endTag(name: string): string {
  return `</${name}>`;
}
