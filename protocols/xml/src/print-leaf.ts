import { escapeText } from './escape.ts';
import type { XmlCdata, XmlComment, XmlDeclaration, XmlDoctype, XmlProcessingInstruction, XmlText } from './node.ts';

/** A node without children. */
export type XmlLeaf = XmlText | XmlCdata | XmlComment | XmlProcessingInstruction | XmlDoctype | XmlDeclaration;

/** The text of a node without children; its values have been checked. */
export function printLeaf(node: XmlLeaf): string {
  switch (node.kind) {
    case 'text':
      return escapeText(node.text);
    case 'cdata':
      return `<![CDATA[${node.text}]]>`;
    case 'comment':
      return `<!--${node.text}-->`;
    case 'processing-instruction':
      return node.text === '' ? `<?${node.name}?>` : `<?${node.name} ${node.text}?>`;
    case 'doctype':
      return printDoctype(node);
    case 'declaration':
      return printDeclaration(node);
  }
}

function printDoctype({ name, publicId, systemId, internalSubset }: XmlDoctype): string {
  const subset = internalSubset === undefined ? '' : ` [${internalSubset}]`;
  if (systemId === undefined) return `<!DOCTYPE ${name}${subset}>`;
  const ids = publicId === undefined ? 'SYSTEM' : `PUBLIC ${quoted(publicId)}`;
  return `<!DOCTYPE ${name} ${ids} ${quoted(systemId)}${subset}>`;
}

function printDeclaration({ version, encoding, standalone }: XmlDeclaration): string {
  const encodingPart = encoding === undefined ? '' : ` encoding='${encoding}'`;
  const standalonePart = standalone === undefined ? '' : ` standalone='${standalone}'`;
  return `<?xml version='${version}'${encodingPart}${standalonePart}?>`;
}

// Nothing can be escaped here, so the value chooses the quotes.
function quoted(value: string): string {
  return value.includes('"') ? `'${value}'` : `"${value}"`;
}
