import {
  XmlCdata as ParsedCdata,
  XmlComment as ParsedComment,
  XmlDeclaration as ParsedDeclaration,
  type XmlDocument as ParsedDocument,
  XmlDocumentType as ParsedDoctype,
  XmlElement as ParsedElement,
  XmlProcessingInstruction as ParsedInstruction,
  type XmlText as ParsedText,
} from '@rgrove/parse-xml';

import type {
  XmlAttribute,
  XmlComment,
  XmlDeclaration,
  XmlDoctype,
  XmlDocument,
  XmlElement,
  XmlEpilogNode,
  XmlNode,
  XmlProcessingInstruction,
  XmlPrologNode,
  XmlText,
} from './node.ts';
import { printLeaf, type XmlLeaf } from './print-leaf.ts';
import type { SourceText } from './source-text.ts';
import { endTag, startTag } from './start-tag.ts';
import { rememberWritten } from './written-form.ts';

/** Our document from the parser's. Every node is frozen, and remembers how it was written if that was not our way. */
export function convertDocument(parsed: ParsedDocument, source: SourceText): XmlDocument {
  const prolog: XmlPrologNode[] = [];
  const epilog: XmlEpilogNode[] = [];
  let declaration: XmlDeclaration | undefined;
  let root: XmlElement | undefined;
  let at = 0;

  for (const node of parsed.children) {
    const side = root ? epilog : prolog;
    side.push(...whitespace(source, at, node.start));
    if (node instanceof ParsedElement) root = convertElement(node, source);
    else if (node instanceof ParsedDeclaration) declaration = convertDeclaration(node, source);
    else if (node instanceof ParsedDoctype) prolog.push(convertDoctype(node, source));
    else side.push(convertMiscellany(node, source));
    at = node.end;
  }
  epilog.push(...whitespace(source, at, source.text.length));

  if (!root) throw new TypeError('the parser returned a document without a root');
  const rest = { prolog: Object.freeze(prolog), root, epilog: Object.freeze(epilog) };
  return Object.freeze<XmlDocument>({ kind: 'document', ...(declaration && { declaration }), ...rest });
}

// Nothing but whitespace can stand between the nodes of a document; the parser does not report it.
function whitespace(source: SourceText, start: number, end: number): readonly XmlText[] {
  return start < end ? [leaf({ kind: 'text', text: source.text.slice(start, end) }, source.written(start, end))] : [];
}

interface Frame {
  readonly parsed: ParsedElement;
  readonly children: XmlNode[];
}

// A loop with a stack of its own, so that the depth of a document is no matter of ours.
function convertElement(root: ParsedElement, source: SourceText): XmlElement {
  const open: Frame[] = [];
  let frame: Frame = { parsed: root, children: [] };
  for (;;) {
    const child = frame.parsed.children[frame.children.length];
    if (child instanceof ParsedElement) {
      open.push(frame);
      frame = { parsed: child, children: [] };
    } else if (child) {
      frame.children.push(convertContent(child, source));
    } else {
      const done = closeElement(frame, source);
      const parent = open.pop();
      if (!parent) return done;
      parent.children.push(done);
      frame = parent;
    }
  }
}

function closeElement({ parsed, children }: Frame, source: SourceText): XmlElement {
  const { name } = parsed;
  const attributes: XmlAttribute[] = [];
  for (const [attribute, value] of Object.entries(parsed.attributes)) {
    attributes.push(Object.freeze({ name: attribute, value }));
  }
  const element: XmlElement = {
    kind: 'element',
    name,
    attributes: Object.freeze(attributes),
    children: Object.freeze(children),
  };

  const isEmpty = children.length === 0;
  const start = startTag(name, attributes, isEmpty);
  const end = isEmpty ? '' : endTag(name);
  const written = source.writtenTags(parsed.start, parsed.end, start, end);
  if (written) rememberWritten(element, written);
  return Object.freeze(element);
}

function convertContent(
  parsed: ParsedText | ParsedCdata | ParsedComment | ParsedInstruction,
  source: SourceText,
): XmlNode {
  if (parsed instanceof ParsedComment || parsed instanceof ParsedInstruction) return convertMiscellany(parsed, source);
  const kind = parsed instanceof ParsedCdata ? 'cdata' : 'text';
  return leaf({ kind, text: parsed.text }, source.written(parsed.start, parsed.end));
}

function convertMiscellany(
  parsed: ParsedComment | ParsedInstruction,
  source: SourceText,
): XmlComment | XmlProcessingInstruction {
  const written = source.written(parsed.start, parsed.end);
  if (parsed instanceof ParsedComment) return leaf({ kind: 'comment', text: parsed.content }, written);
  return leaf({ kind: 'processing-instruction', name: parsed.name, text: parsed.content }, written);
}

function convertDoctype(parsed: ParsedDoctype, source: SourceText): XmlDoctype {
  const { publicId, systemId, internalSubset } = parsed;
  const node: XmlDoctype = {
    kind: 'doctype',
    name: parsed.name,
    ...(publicId !== null && { publicId }),
    ...(systemId !== null && { systemId }),
    ...(internalSubset !== null && { internalSubset }),
  };
  return leaf(node, source.written(parsed.start, parsed.end));
}

function convertDeclaration(parsed: ParsedDeclaration, source: SourceText): XmlDeclaration {
  const { encoding, standalone } = parsed;
  const node: XmlDeclaration = {
    kind: 'declaration',
    version: parsed.version,
    ...(encoding !== null && { encoding }),
    ...(standalone !== null && { standalone }),
  };
  return leaf(node, source.written(parsed.start, parsed.end));
}

function leaf<Node extends XmlLeaf>(node: Node, written: string): Node {
  if (printLeaf(node) !== written) rememberWritten(node, { start: written, end: '' });
  return Object.freeze(node);
}
