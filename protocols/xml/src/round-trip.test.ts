import { readdirSync, readFileSync } from 'node:fs';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { element, isXmlError, parseXml, printXml, withElementAt, type XmlDocument, type XmlNode } from './index.ts';

const fixtures = new URL('fixtures/', import.meta.url);
const names = readdirSync(fixtures);

const ODDITIES =
  '<?xml version="1.0"  encoding=\'utf-8\' standalone="no" ?>\r\n<!--a\rb-->\n' +
  '<!DOCTYPE a  PUBLIC "-//X" "it\'s.dtd" [ <!ENTITY b "]c"> ] >\n<?go  now ?>' +
  '<a  x = "1>2" y=\'&#x41;\t&#10;\' ><b ></b ><c />😀&#13;\r\n&gt;&#xD;<![CDATA[]]]]><!----><?p?></a\n>\r\n<!-- z -->\r';

describe('documents that libvirt printed', () => {
  it.each(names)('prints %s back byte for byte', (name) => {
    const text = fixture(name);

    const printed = printXml(parseXml(text));

    expect(printed).toBe(text);
  });

  it.each(names.filter((name) => !fixture(name).includes('<metadata>')))(
    'needs no memory of the text for %s',
    (name) => {
      const text = fixture(name);

      const printed = printXml(parseXml(text), { asWritten: false });

      expect(printed).toBe(text);
    },
  );

  it.each(names)('reads the same tree from both ways to print %s', (name) => {
    const parsed = parseXml(fixture(name));

    const again = parseXml(printXml(parsed, { asWritten: false }));

    expect(again).toEqual(parsed);
  });

  it('keeps what libvirt wrote around an edit, foreign quotes included', () => {
    const text = fixture('domain.xml');
    const parsed = parseXml(text);

    const root = withElementAt(parsed.root, 'name', () => element('name', {}, ['web-2']));

    expect(printXml({ ...parsed, root })).toBe(text.replace('<name>web-1<', '<name>web-2<'));
  });
});

describe('any document', () => {
  it.each([
    '<a  b="😀"></a >',
    "<a b='😀'>\r\n</a>",
    '<!--😀\r--><a/>\r\n',
    '<a>\r</a>',
    '<a x="&#38;#60;"/>',
    '<é/>',
    '<a><b\n/></a\t>',
    '<!DOCTYPE a><a/>',
    ODDITIES,
  ])('prints %j as it was', (text) => {
    expect(printXml(parseXml(text))).toBe(text);
  });

  it('reads back the tree that was printed', () => {
    fc.assert(
      fc.property(documents(), (document) => {
        expect(parseXml(printXml(document))).toEqual(document);
      }),
      { numRuns: 300 },
    );
  });

  it('prints the text that was parsed, whatever it was made of, or refuses it with a place', () => {
    const seeds = [...['domain.xml', 'network.xml', 'storage-volume.xml'].map(fixture), ODDITIES, ODDITIES];
    fc.assert(
      fc.property(fc.constantFrom(...seeds), fc.array(edits(), { maxLength: 3 }), (seed, changes) => {
        const text = changes.reduce(applyEdit, seed);

        const printed = printXmlBack(text);

        expect([text.replace(/^\uFEFF/, ''), REFUSED]).toContain(printed);
      }),
      { numRuns: 1_500 },
    );
  });

  it('refuses or keeps a value of any characters, in every place', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PLACES), hostileText(), (place, value) => {
        const tree = place(value);

        const readBack = readPrinted(tree);

        expect([tree, REFUSED]).toContainEqual(readBack);
      }),
      { numRuns: 1_500 },
    );
  });
});

const REFUSED = 'refused with a place';

const PLACES: readonly ((value: string) => ReturnType<typeof element>)[] = [
  (value) => element('domain', {}, [element(value)]),
  (value) => element('domain', { [value]: 'x' }),
  (value) => element('domain', { name: value }),
  (value) => element('domain', {}, [value]),
  (value) => element('domain', {}, [{ kind: 'cdata', text: value }]),
  (value) => element('domain', {}, [{ kind: 'comment', text: value }]),
  (value) => element('domain', {}, [{ kind: 'processing-instruction', name: 'go', text: value }]),
  (value) => element('domain', {}, [{ kind: 'processing-instruction', name: value, text: '' }]),
];

const SPECIAL = [
  '<',
  '>',
  '&',
  '"',
  "'",
  ']]>',
  '\r',
  '\n',
  '\t',
  ' ',
  '-',
  '--',
  '?>',
  '&#10;',
  '😀',
  '\u0085',
  '\u2028',
];

function fixture(name: string): string {
  return readFileSync(new URL(name, fixtures), 'utf8');
}

function printXmlBack(text: string): string {
  try {
    return printXml(parseXml(text));
  } catch (error) {
    if (isXmlError(error) && error.line !== undefined && error.column !== undefined) return REFUSED;
    throw error;
  }
}

function readPrinted(tree: XmlNode): XmlNode | string {
  try {
    return parseXml(printXml(tree)).root;
  } catch (error) {
    if (isXmlError(error) && error.path?.startsWith('domain')) return REFUSED;
    throw error;
  }
}

function documents(): fc.Arbitrary<XmlDocument> {
  const comments = fc.record({ kind: fc.constant('comment' as const), text: raw(/--|-$/g) });
  const instructions = fc.record({
    kind: fc.constant('processing-instruction' as const),
    name: xmlNames(),
    text: raw(/\?>|^[ \t\n]+/g),
  });
  const cdata = fc.record({ kind: fc.constant('cdata' as const), text: raw(/\]\]>/g) });
  const { node } = fc.letrec<{ node: XmlNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      validText().map((text) => ({ kind: 'text' as const, text })),
      comments,
      instructions,
      cdata,
      fc
        .tuple(
          xmlNames(),
          fc.dictionary(xmlNames(), validText(), { maxKeys: 4 }),
          fc.array(tie('node'), { maxLength: 5 }),
        )
        .map(([name, attributes, children]) => element(name, attributes, children)),
    ),
  }));
  const gaps = fc.constantFrom({ kind: 'text' as const, text: '\n' }, { kind: 'text' as const, text: ' \t\r\n' });
  const around = fc.tuple(comments, gaps, instructions);
  const doctypes = fc.record(
    {
      kind: fc.constant('doctype' as const),
      name: xmlNames(),
      systemId: fc.constantFrom('a.dtd', "it's", 'say "x"', ''),
      internalSubset: raw(/\][ \t\n]*>/g),
    },
    { requiredKeys: ['kind', 'name'] },
  );
  return fc.record({
    kind: fc.constant('document' as const),
    prolog: fc.tuple(comments, doctypes, comments),
    root: fc.array(node, { maxLength: 6 }).map((children) => element('root', {}, children)),
    epilog: around.map(([first, , last]) => [first, last]),
  });
}

function xmlNames(): fc.Arbitrary<string> {
  const simple = fc.stringMatching(/^[A-Za-wyzÀ-Ö_][-.\w·]{0,8}$/);
  return fc.oneof(
    simple,
    fc.tuple(simple, simple).map(([prefix, name]) => `${prefix}:${name}`),
    fc.constantFrom('名', '𐐀𐐁', '__proto__', 'constructor', 'toString'),
  );
}

/** Text of all that XML can carry, with much of what it treats specially. */
function validText(): fc.Arbitrary<string> {
  return hostileText().map((text) =>
    text.toWellFormed().replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''),
  );
}

function raw(forbidden: RegExp): fc.Arbitrary<string> {
  return validText().map((text) => {
    let left = text.replaceAll('\r', '');
    while (left.search(forbidden) >= 0) left = left.replaceAll(forbidden, '');
    return left;
  });
}

function hostileText(): fc.Arbitrary<string> {
  const units = fc.oneof(
    fc.constantFrom(...SPECIAL, '\0', '\u001F', '\uFFFE', '\uD800'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
    fc.string({ minLength: 1, maxLength: 5 }),
  );
  return fc.array(units, { maxLength: 6 }).map((parts) => parts.join(''));
}

interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

function edits(): fc.Arbitrary<Edit> {
  return fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.nat({ max: 3 }),
    insert: fc.oneof(
      fc.constantFrom(
        '',
        ...SPECIAL,
        '</',
        '/>',
        '<!--',
        '-->',
        '<a>',
        '</a>',
        '<![CDATA[',
        '<?',
        '&x;',
        '&#0;',
        '\uFEFF',
      ),
      fc.string({ maxLength: 4 }),
    ),
  });
}

function applyEdit(text: string, { at, remove, insert }: Edit): string {
  const start = Math.floor(at * text.length);
  return text.slice(0, start) + insert + text.slice(start + remove);
}
