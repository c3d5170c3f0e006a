import { codePointName, findInvalidCharacter, isXmlName, isXmlWhitespace } from './characters.ts';
import type { XmlErrorCode } from './error.ts';
import type { XmlAttribute, XmlDeclaration, XmlDoctype, XmlDocument, XmlElement } from './node.ts';
import type { XmlLeaf } from './print-leaf.ts';

/** Why a node cannot be written; `attribute` names the attribute that is to blame. */
export interface Refusal {
  readonly code: XmlErrorCode;
  readonly reason: string;
  readonly attribute?: string;
}

/** Why an element cannot be written so that it reads the same, if so. */
export function refuseElement(element: XmlElement): Refusal | undefined {
  const refusal = refuseName(element.name);
  if (refusal) return refusal;
  const seen = new Set<string>();
  for (const attribute of element.attributes) {
    const reason = refuseAttribute(attribute, seen);
    if (reason) return { ...reason, attribute: attribute.name };
    seen.add(attribute.name);
  }
  return undefined;
}

/** Why a node without children cannot be written so that it reads the same, if so. */
export function refuseLeaf(node: XmlLeaf): Refusal | undefined {
  switch (node.kind) {
    case 'text':
      return refuseCharacters(node.text);
    case 'cdata':
      return refuseRaw(node.text, /\]\]>/);
    case 'comment':
      return refuseRaw(node.text, /--|-$/);
    case 'processing-instruction':
      if (node.name.toLowerCase() === 'xml') return { code: 'invalid-name', reason: `'${node.name}' is reserved` };
      return refuseName(node.name) ?? refuseRaw(node.text, /\?>|^[ \t\n]/);
    case 'doctype':
      return refuseDoctype(node);
    case 'declaration':
      return refuseDeclaration(node);
  }
}

/** Why the nodes around the root cannot stand there, if so. */
export function refuseSurroundings(document: XmlDocument): Refusal | undefined {
  const around = [...document.prolog, ...document.epilog];
  if (around.some((node) => node.kind === 'text' && !isXmlWhitespace(node.text))) {
    return { code: 'invalid-value', reason: 'only whitespace may stand beside the root' };
  }
  const doctypes = around.filter((node) => node.kind === 'doctype');
  return doctypes.length > 1 ? { code: 'duplicate', reason: 'a document has one doctype' } : undefined;
}

function refuseAttribute({ name, value }: XmlAttribute, seen: ReadonlySet<string>): Refusal | undefined {
  if (seen.has(name)) return { code: 'duplicate', reason: 'the attribute is there twice' };
  if (name === 'xml:space' && value !== 'default' && value !== 'preserve') {
    return { code: 'invalid-value', reason: "must be 'default' or 'preserve'" };
  }
  return refuseName(name) ?? refuseCharacters(value);
}

function refuseDoctype({ name, publicId, systemId, internalSubset }: XmlDoctype): Refusal | undefined {
  if (publicId !== undefined && systemId === undefined) {
    return { code: 'invalid-value', reason: 'a public identifier needs a system identifier' };
  }
  if (systemId?.includes('"') && systemId.includes("'")) {
    return { code: 'invalid-value', reason: 'a system identifier cannot hold both kinds of quotes' };
  }
  return (
    refuseName(name) ??
    refuseRaw(publicId ?? '', /[^- \na-zA-Z0-9'()+,./:=?;!*#@$_%]/) ??
    refuseRaw(systemId ?? '') ??
    refuseRaw(internalSubset ?? '', /\][ \t\n]*>/)
  );
}

function refuseDeclaration({ version, encoding, standalone }: XmlDeclaration): Refusal | undefined {
  if (!/^1\.[0-9]+$/.test(version)) return { code: 'invalid-value', reason: `version '${version}'` };
  if (encoding !== undefined && !/^[A-Za-z][\w.-]*$/.test(encoding)) {
    return { code: 'invalid-value', reason: `encoding '${encoding}'` };
  }
  if (standalone === undefined || standalone === 'yes' || standalone === 'no') return undefined;
  return { code: 'invalid-value', reason: `standalone '${String(standalone)}'` };
}

function refuseName(name: string): Refusal | undefined {
  return isXmlName(name) ? undefined : { code: 'invalid-name', reason: `'${name}' is not an XML name` };
}

// Where nothing can be escaped, a carriage return would be read back as a line feed.
function refuseRaw(value: string, forbidden?: RegExp): Refusal | undefined {
  const found = /\r/.exec(value) ?? forbidden?.exec(value);
  if (found) return { code: 'invalid-value', reason: `${JSON.stringify(found[0])} cannot be written here` };
  return refuseCharacters(value);
}

function refuseCharacters(value: string): Refusal | undefined {
  const at = findInvalidCharacter(value);
  if (at < 0) return undefined;
  return { code: 'invalid-character', reason: `character ${codePointName(value, at)} is not allowed in XML` };
}
