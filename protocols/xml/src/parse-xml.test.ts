import { describe, expect, it } from 'vitest';

import { element, isXmlError, parseXml, printXml, type XmlError } from './index.ts';

describe('parseXml', () => {
  it('keeps every kind of node, the order of attributes, and whitespace', () => {
    const text = `<a z='1' b='2'>\n <!--c--><?go now?><![CDATA[<d>]]>e</a>`;

    const { root } = parseXml(text);

    expect(root).toEqual({
      kind: 'element',
      name: 'a',
      attributes: [
        { name: 'z', value: '1' },
        { name: 'b', value: '2' },
      ],
      children: [
        { kind: 'text', text: '\n ' },
        { kind: 'comment', text: 'c' },
        { kind: 'processing-instruction', name: 'go', text: 'now' },
        { kind: 'cdata', text: '<d>' },
        { kind: 'text', text: 'e' },
      ],
    });
  });

  it('keeps what stands around the root', () => {
    const text = `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<!-- a --><!DOCTYPE b SYSTEM "b.dtd" [<!ENTITY c "d">]><b/>\n<?e?>`;

    const parsed = parseXml(text);

    expect(parsed).toEqual({
      kind: 'document',
      declaration: { kind: 'declaration', version: '1.0', encoding: 'utf-8', standalone: 'yes' },
      prolog: [
        { kind: 'text', text: '\n' },
        { kind: 'comment', text: ' a ' },
        { kind: 'doctype', name: 'b', systemId: 'b.dtd', internalSubset: '<!ENTITY c "d">' },
      ],
      root: element('b'),
      epilog: [
        { kind: 'text', text: '\n' },
        { kind: 'processing-instruction', name: 'e', text: '' },
      ],
    });
  });

  it('resolves references, and reads bare line ends and tabs of attributes as spaces', () => {
    const { root } = parseXml(`<a b='&#10;&#13;&#9;&#x1F600;&lt;&quot;' c='1\n2\t3'>&#13;\r\n\r&amp;</a>`);

    expect(root).toEqual(element('a', { b: '\n\r\t😀<"', c: '1 2 3' }, ['\r\n\n&']));
  });

  it('hands out frozen nodes, so that no text can go stale behind them', () => {
    const { root } = parseXml('<a b="c"><d>e</d></a>');

    expect([root, root.attributes, root.attributes[0], root.children, root.children[0]].every(Object.isFrozen)).toBe(
      true,
    );
  });

  it('drops a byte order mark, and refuses a second one', () => {
    expect(printXml(parseXml('\uFEFF<a/>'))).toBe('<a/>');
    expect(failure('\uFEFF\uFEFF<a/>')).toMatchObject({ code: 'malformed', line: 1, column: 1 });
  });

  it.each([
    { text: '', code: 'malformed', line: 1, column: 1 },
    { text: '<a>\n  <b></a>', code: 'malformed', line: 2, column: 6 },
    { text: '<a/><b/>', code: 'malformed', line: 1, column: 5 },
    { text: '<a>]]></a>', code: 'malformed', line: 1, column: 4 },
    { text: '<a>\n<!-- b -- c --></a>', code: 'malformed', line: 2, column: 8 },
    { text: '<a b=c/>', code: 'malformed', line: 1, column: 6 },
    { text: "<a b='1<'/>", code: 'malformed', line: 1, column: 8 },
    { text: "<a b='1' b='2'/>", code: 'duplicate', line: 1, column: 15 },
    { text: '<a>\r\n😀&b;</a>', code: 'undefined-entity', line: 2, column: 3 },
    { text: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', code: 'undefined-entity', line: 1, column: 34 },
    { text: '<a>\n\n😀 \0</a>', code: 'invalid-character', line: 3, column: 4 },
    { text: '<!DOCTYPE a [\uFFFE]><a/>', code: 'invalid-character', line: 1, column: 14 },
    { text: '<a>\uD800</a>', code: 'invalid-character', line: 1, column: 4 },
    { text: '<a>&#0;</a>', code: 'malformed', line: 1, column: 8 },
  ])('says where $text goes wrong', ({ text, ...expected }) => {
    const error = failure(text);

    expect(error).toMatchObject(expected);
    expect(error.message).toContain(`(line ${expected.line}, column ${expected.column})`);
  });

  it('passes on the error of the parser below as the cause', () => {
    expect(failure('<a>').cause).toBeInstanceOf(Error);
  });

  it('keeps messages short however long the name in them', () => {
    expect(failure(`<a>&${'b'.repeat(100_000)};</a>`).message.length).toBeLessThan(300);
  });
});

describe('limits', () => {
  it('refuses a text over the limit before it looks at it', () => {
    expect(failure('<a/>'.padEnd(4 * 1024 * 1024 + 1))).toMatchObject({ code: 'too-large' });
    expect(failure('<a/>', { maxLength: 3 })).toMatchObject({
      code: 'too-large',
      message: 'document of 4 characters, the limit is 3',
    });
  });

  it('takes 256 levels and refuses the next, with its place', () => {
    expect(parseXml(nested(256)).root.name).toBe('a');
    expect(failure(nested(257))).toMatchObject({ code: 'too-deep', line: 1, column: 256 * 3 + 1 });
  });

  it('takes the deepest limit one can ask for, and refuses a deeper limit', () => {
    expect(parseXml(nested(1024), { maxDepth: 1024 }).root.name).toBe('a');
    expect(failure('<a/>', { maxDepth: 1025 })).toMatchObject({ code: 'invalid-value' });
  });

  it.each([
    '<a>'.repeat(300_000),
    "<a b='>'>".repeat(100_000),
    `<!DOCTYPE a [<!-- ' -->]>${'<a>'.repeat(300_000)}`,
    `<!--<a>-->${'<?b <a>?>'.repeat(10)}${'<a>'.repeat(300_000)}`,
    `<a>${'<b/>'.repeat(10)}${'<a >'.repeat(300_000)}`,
  ])('never lets depth reach the call stack (%#)', (text) => {
    expect(failure(text)).toMatchObject({ code: 'too-deep' });
  });

  it('does not count what is closed, quoted, commented or CDATA as depth', () => {
    const flat = `<a>${`<b c='<' d="/>"/>`.replace("<'", "&lt;'")}${'<e></e>'.repeat(9)}<!--<x><y>--><![CDATA[<x><y>]]><?z <x>?></a>`;

    expect(parseXml(flat, { maxDepth: 2 }).root.children).toHaveLength(13);
  });

  it('refuses more nodes than it may make', () => {
    const many = `<a>${'<b/>'.repeat(1000)}</a>`;

    expect(failure(many, { maxNodes: 1000 })).toMatchObject({ code: 'too-many-nodes', column: 4 + 999 * 4 });
    expect(parseXml(many, { maxNodes: 1001 }).root.children).toHaveLength(1000);
    expect(failure(`<a>${'<b/>'.repeat(300_000)}</a>`)).toMatchObject({ code: 'too-many-nodes' });
  });

  it.each([
    { name: 'carriage returns', text: `<a>${'\r'.repeat(2_000_000)}</a>` },
    { name: 'attributes', text: `<a ${Array.from({ length: 200_000 }, (_, index) => `a${index}=''`).join(' ')}/>` },
    { name: 'references', text: `<a>${'&lt;'.repeat(500_000)}</a>` },
    { name: 'open comments', text: `<a>${'<!--'.repeat(500_000)}` },
    { name: 'quotes in a doctype', text: `<!DOCTYPE a ${'"'.repeat(1_000_001)}` },
    { name: 'brackets in a doctype', text: `<!DOCTYPE a [${']'.repeat(1_000_000)}` },
    { name: 'open tags with quotes', text: `<a>${"<b '".repeat(500_000)}` },
    { name: 'line ends before an error', text: `<a>${'\n'.repeat(2_000_000)}&` },
    { name: 'emoji before an error', text: `<a>${'😀'.repeat(500_000)}\0` },
  ])('takes time in proportion to the text for $name', ({ text }) => {
    const start = performance.now();

    expect(() => printBack(text)).not.toThrow();

    // Quadratic time would be minutes.
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('tells errors of its own from others', () => {
    expect(isXmlError(failure('<'))).toBe(true);
    expect(isXmlError(new Error('<'))).toBe(false);
  });
});

function nested(depth: number): string {
  return '<a>'.repeat(depth) + '</a>'.repeat(depth);
}

function printBack(text: string): void {
  try {
    if (printXml(parseXml(text)) !== text) throw new Error('printed differently');
  } catch (error) {
    if (!isXmlError(error)) throw error;
  }
}

function failure(text: string, limits?: Parameters<typeof parseXml>[1]): XmlError {
  try {
    parseXml(text, limits);
  } catch (error) {
    if (isXmlError(error)) return error;
    throw error;
  }
  throw new Error('expected an XmlError');
}
