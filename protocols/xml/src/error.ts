/** What is wrong with a text, a tree or a lookup. `protocols/xml/README.md` explains each. */
export type XmlErrorCode =
  | 'malformed'
  | 'invalid-character'
  | 'undefined-entity'
  | 'too-large'
  | 'too-deep'
  | 'too-many-nodes'
  | 'invalid-name'
  | 'invalid-value'
  | 'duplicate'
  | 'invalid-path'
  | 'missing';

/** Where an error is: a place in a text, or a path in a tree. */
export interface XmlErrorPlace {
  readonly line?: number;
  readonly column?: number;
  readonly path?: string;
}

/** The one error of this package. Parse errors carry a line and a column (from 1), all others the path in the tree. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
  readonly code: XmlErrorCode;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly path: string | undefined;

  constructor(code: XmlErrorCode, message: string, options: XmlErrorPlace & ErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.line = options.line;
    this.column = options.column;
    this.path = options.path;
  }
}

/** Whether `error` comes from this package. */
export function isXmlError(error: unknown): error is XmlError {
  return error instanceof XmlError;
}

/** Whether `error` says that an element, attribute or text that was asked for is not there. */
export function isMissing(error: unknown): error is XmlError {
  return isXmlError(error) && error.code === 'missing';
}

/** A place in a text, for an error about it. */
export interface TextPlace {
  readonly text: string;
  readonly offset: number;
}

/** An error about a place in a text, with line and column in the message. */
export function errorAt(place: TextPlace, code: XmlErrorCode, message: string, options?: ErrorOptions): XmlError {
  const before = place.text.slice(0, place.offset);
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  return new XmlError(code, `${message} (line ${line}, column ${column})`, { ...options, line, column });
}
