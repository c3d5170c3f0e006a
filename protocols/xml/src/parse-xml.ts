import { parseXml as parseTree, type XmlDocument as ParsedDocument, XmlError as ParserError } from '@rgrove/parse-xml';

import { codePointName, findInvalidCharacter } from './characters.ts';
import { convertDocument } from './convert-tree.ts';
import { errorAt, type XmlErrorCode } from './error.ts';
import { checkLength, checkNesting, type XmlLimits } from './limits.ts';
import type { XmlDocument } from './node.ts';
import { SourceText } from './source-text.ts';

const MAX_MESSAGE = 200;

/**
 * The document in `text`, with nothing left out: `printXml` gives the same text back. Throws an `XmlError` with line
 * and column if it is not well-formed XML 1.0 or over a limit. Only the five predefined entities are known.
 */
export function parseXml(text: string, limits: XmlLimits = {}): XmlDocument {
  checkLength(text, limits);
  const source = new SourceText(text);
  // The parser would skip a second byte order mark, and we would take it for whitespace.
  if (source.text.startsWith('\uFEFF')) {
    throw errorAt({ text: source.text, offset: 0 }, 'malformed', 'more than one byte order mark');
  }
  checkCharacters(source.text);
  checkNesting(source.text, limits);
  return convertDocument(parse(source.text), source);
}

// Done here because the parser does not look into a doctype, and counts wrong where an emoji stands before.
function checkCharacters(text: string): void {
  const offset = findInvalidCharacter(text);
  if (offset < 0) return;
  const reason = `character ${codePointName(text, offset)} is not allowed in XML`;
  throw errorAt({ text, offset }, 'invalid-character', reason);
}

function parse(text: string): ParsedDocument {
  try {
    return parseTree(text, {
      includeOffsets: true,
      preserveCdata: true,
      preserveComments: true,
      preserveDocumentType: true,
      preserveXmlDeclaration: true,
    });
  } catch (error) {
    if (!(error instanceof ParserError)) throw error;
    const place = { text, offset: utf16Offset(text, error.pos) };
    throw errorAt(place, errorCode(error), errorMessage(error), { cause: error });
  }
}

function errorCode(error: ParserError): XmlErrorCode {
  if (error.message.startsWith("Named entity isn't defined")) return 'undefined-entity';
  return error.message.startsWith('Duplicate attribute') ? 'duplicate' : 'malformed';
}

// The message of the parser ends in its own position and an excerpt.
function errorMessage(error: ParserError): string {
  const position = error.message.lastIndexOf(` (line ${error.line}, column ${error.column})`);
  return error.message.slice(0, Math.min(position, MAX_MESSAGE));
}

/** The parser counts code points, strings count UTF-16 units. */
function utf16Offset(text: string, codePoints: number): number {
  let offset = 0;
  for (let count = 0; count < codePoints && offset < text.length; count += 1) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}
