export {
  type AttributeValue,
  cdata,
  type ChildValue,
  comment,
  document,
  element,
  processingInstruction,
  text,
} from './build.ts';
export { cursorAt, XmlCursor } from './cursor.ts';
export {
  withAttribute,
  withChildAdded,
  withChildRemoved,
  withChildren,
  withChildReplaced,
  withElementAt,
} from './edit.ts';
export { isMissing, isXmlError, XmlError, type XmlErrorCode } from './error.ts';
export type { XmlLimits } from './limits.ts';
export {
  attributeNamespace,
  elementNamespace,
  type NamespaceScope,
  namespacesOf,
  splitName,
  type SplitName,
} from './namespaces.ts';
export {
  attribute,
  child,
  children,
  find,
  findAll,
  requireAttribute,
  requireElement,
  requireText,
  valueAt,
} from './navigate.ts';
export type {
  XmlAttribute,
  XmlCdata,
  XmlComment,
  XmlDeclaration,
  XmlDoctype,
  XmlDocument,
  XmlElement,
  XmlEpilogNode,
  XmlNode,
  XmlPrintable,
  XmlProcessingInstruction,
  XmlPrologNode,
  XmlText,
} from './node.ts';
export { parseXml } from './parse-xml.ts';
export { printXml, type PrintOptions } from './print-xml.ts';
export { textContent } from './text-content.ts';
