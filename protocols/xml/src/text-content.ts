import type { XmlElement, XmlNode } from './node.ts';

/** All text inside `element` at any depth, CDATA included, comments and instructions left out. */
export function textContent(element: XmlElement): string {
  let content = '';
  const ahead: XmlNode[] = element.children.toReversed();
  for (let node = ahead.pop(); node; node = ahead.pop()) {
    if (node.kind === 'text' || node.kind === 'cdata') content += node.text;
    if (node.kind === 'element') for (const child of node.children.toReversed()) ahead.push(child);
  }
  return content;
}
