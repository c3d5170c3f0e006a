/** One attribute, with its prefix as written. */
export interface XmlAttribute {
  readonly name: string;
  readonly value: string;
}

/** An element; attributes and children keep their order, whitespace between children is kept as text. */
export interface XmlElement {
  readonly kind: 'element';
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlNode[];
}

/** Character data with every reference resolved. */
export interface XmlText {
  readonly kind: 'text';
  readonly text: string;
}

/** A `<![CDATA[…]]>` section. */
export interface XmlCdata {
  readonly kind: 'cdata';
  readonly text: string;
}

/** A `<!--…-->` comment. */
export interface XmlComment {
  readonly kind: 'comment';
  readonly text: string;
}

/** A `<?name text?>` instruction; `text` starts after the whitespace that follows the name. */
export interface XmlProcessingInstruction {
  readonly kind: 'processing-instruction';
  readonly name: string;
  readonly text: string;
}

/** A document type declaration. It is kept, never acted on: no entity or default comes from it. */
export interface XmlDoctype {
  readonly kind: 'doctype';
  readonly name: string;
  readonly publicId?: string;
  readonly systemId?: string;
  readonly internalSubset?: string;
}

/** The `<?xml version=…?>` line. */
export interface XmlDeclaration {
  readonly kind: 'declaration';
  readonly version: string;
  readonly encoding?: string;
  readonly standalone?: 'yes' | 'no';
}

/** What an element may hold. */
export type XmlNode = XmlElement | XmlText | XmlCdata | XmlComment | XmlProcessingInstruction;

/** What may stand before the root; text is whitespace there. */
export type XmlPrologNode = XmlText | XmlComment | XmlProcessingInstruction | XmlDoctype;

/** What may stand after the root; text is whitespace there. */
export type XmlEpilogNode = XmlText | XmlComment | XmlProcessingInstruction;

/** A whole document: `declaration`, `prolog`, `root` and `epilog` in the order of the text. */
export interface XmlDocument {
  readonly kind: 'document';
  readonly declaration?: XmlDeclaration;
  readonly prolog: readonly XmlPrologNode[];
  readonly root: XmlElement;
  readonly epilog: readonly XmlEpilogNode[];
}

/** Anything that `printXml` prints. */
export type XmlPrintable = XmlDocument | XmlDeclaration | XmlDoctype | XmlNode;
