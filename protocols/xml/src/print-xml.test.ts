import { describe, expect, it } from 'vitest';

import {
  cdata,
  comment,
  document,
  element,
  parseXml,
  printXml,
  processingInstruction,
  text,
  type XmlDocument,
  type XmlElement,
} from './index.ts';

describe('printXml', () => {
  it("writes libvirt's style: single quotes, empty elements closed at once, five characters escaped everywhere", () => {
    const tree = element('a', { b: `<>&"'`, c: '\t\n\r' }, [`<>&"'\t\n\r`, element('d'), cdata('<e>'), comment(' f ')]);

    expect(printXml(tree)).toBe(
      `<a b='&lt;&gt;&amp;&quot;&apos;' c='&#9;&#10;&#13;'>&lt;&gt;&amp;&quot;&apos;\t\n&#13;<d/><![CDATA[<e>]]><!-- f --></a>`,
    );
  });

  it('writes the parts of a document in order', () => {
    const whole: XmlDocument = {
      kind: 'document',
      declaration: { kind: 'declaration', version: '1.0', encoding: 'utf-8', standalone: 'no' },
      prolog: [text('\n'), { kind: 'doctype', name: 'a', publicId: 'p', systemId: 's"', internalSubset: ' ' }],
      root: element('a'),
      epilog: [processingInstruction('go'), processingInstruction('go', 'on'), text('\n')],
    };

    expect(printXml(whole)).toBe(
      `<?xml version='1.0' encoding='utf-8' standalone='no'?>\n<!DOCTYPE a PUBLIC "p" 's"' [ ]><a/><?go?><?go on?>\n`,
    );
  });

  it('forgets how a text was written when told to, so that equal trees print equally', () => {
    const first = parseXml('<a  b="1" ><c></c>&#x41;</a >');
    const second = parseXml(`<a b='1'><c/>A</a>`);

    expect(printXml(first, { asWritten: false })).toBe(printXml(second));
  });

  it('prints a copy of a parsed node by its values, never by the old text', () => {
    const { root } = parseXml('<a b="1">&#x41;</a>');

    const copy: XmlElement = { ...root, attributes: [{ name: 'b', value: '2' }] };

    expect(printXml(copy)).toBe("<a b='2'>&#x41;</a>");
  });

  it('lays out elements that hold no text, two spaces a level', () => {
    const tree = element('a', {}, [
      element('b', {}, ['text', element('c')]),
      element('d', {}, [element('e'), comment('f')]),
    ]);

    expect(printXml(tree, { indent: true })).toBe(
      '<a>\n  <b>text<c/></b>\n  <d>\n    <e/>\n    <!--f-->\n  </d>\n</a>',
    );
  });

  it('prints and lays out any depth', () => {
    const depth = 100_000;
    let tree = element('a');
    for (let level = 1; level < depth; level += 1) tree = element('a', {}, [tree]);

    expect(printXml(tree)).toBe(`${'<a>'.repeat(depth - 1)}<a/>${'</a>'.repeat(depth - 1)}`);
  });

  it.each([
    { tree: element('a b'), code: 'invalid-name', message: "a b: 'a b' is not an XML name" },
    { tree: element(''), code: 'invalid-name', message: ": '' is not an XML name" },
    {
      tree: domain(element('disk', {}, [element('1')])),
      code: 'invalid-name',
      message: "domain/devices/disk[2]/1: '1' is not an XML name",
    },
    {
      tree: domain(element('disk', { 'a=': '1' })),
      code: 'invalid-name',
      message: "domain/devices/disk[2]/@a=: 'a=' is not an XML name",
    },
    {
      tree: domain(element('disk', { type: 'a\0' })),
      code: 'invalid-character',
      message: 'domain/devices/disk[2]/@type: character U+0000 is not allowed in XML',
    },
    {
      tree: domain(element('disk', { 'xml:space': 'some' })),
      code: 'invalid-value',
      message: "domain/devices/disk[2]/@xml:space: must be 'default' or 'preserve'",
    },
    {
      tree: domain(element('disk', {}, ['\u001B'])),
      code: 'invalid-character',
      message: 'domain/devices/disk[2]/text(): character U+001B is not allowed in XML',
    },
    {
      tree: domain(comment('a--b')),
      code: 'invalid-value',
      message: 'domain/devices/comment(): "--" cannot be written here',
    },
    {
      tree: element('a', {}, [comment('b-')]),
      code: 'invalid-value',
      message: 'a/comment(): "-" cannot be written here',
    },
    {
      tree: element('a', {}, [comment('\r')]),
      code: 'invalid-value',
      message: 'a/comment(): "\\r" cannot be written here',
    },
    {
      tree: element('a', {}, [cdata(']]>')]),
      code: 'invalid-value',
      message: 'a/cdata(): "]]>" cannot be written here',
    },
    {
      tree: element('a', {}, [processingInstruction('XML')]),
      code: 'invalid-name',
      message: "a/processing-instruction(): 'XML' is reserved",
    },
    {
      tree: element('a', {}, [processingInstruction('go', 'a?>')]),
      code: 'invalid-value',
      message: 'a/processing-instruction(): "?>" cannot be written here',
    },
    {
      tree: {
        ...element('a', { b: 1 }),
        attributes: [...element('a', { b: 1 }).attributes, { name: 'b', value: '2' }],
      },
      code: 'duplicate',
      message: 'a/@b: the attribute is there twice',
    },
    {
      tree: { ...document(element('a')), prolog: [text('b')] },
      code: 'invalid-value',
      message: 'document: only whitespace may stand beside the root',
    },
    {
      tree: { ...document(element('a')), prolog: [doctype(), doctype()] },
      code: 'duplicate',
      message: 'document: a document has one doctype',
    },
    {
      tree: { ...doctype(), systemId: `"'` },
      code: 'invalid-value',
      message: 'doctype(): a system identifier cannot hold both kinds of quotes',
    },
    {
      tree: { ...doctype(), publicId: 'p' },
      code: 'invalid-value',
      message: 'doctype(): a public identifier needs a system identifier',
    },
    {
      tree: { ...doctype(), internalSubset: '] >' },
      code: 'invalid-value',
      message: 'doctype(): "] >" cannot be written here',
    },
    {
      tree: { ...doctype(), publicId: '"', systemId: '' },
      code: 'invalid-value',
      message: 'doctype(): "\\"" cannot be written here',
    },
    {
      tree: { kind: 'declaration', version: "1'" } as const,
      code: 'invalid-value',
      message: "declaration(): version '1''",
    },
    {
      tree: { kind: 'declaration', version: '1.0', encoding: '8 bit' } as const,
      code: 'invalid-value',
      message: "declaration(): encoding '8 bit'",
    },
  ])('refuses $message', ({ tree, code, message }) => {
    expect(() => printXml(tree)).toThrow(expect.objectContaining({ code, message, path: message.split(': ')[0] }));
  });
});

function doctype(): { readonly kind: 'doctype'; readonly name: string } {
  return { kind: 'doctype', name: 'a' };
}

function domain(second: Parameters<typeof printXml>[0] & { kind: 'element' | 'comment' }): XmlElement {
  return element('domain', {}, [element('name'), element('devices', {}, [element('disk'), 'text', second])]);
}
