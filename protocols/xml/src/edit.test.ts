import { describe, expect, it } from 'vitest';

import {
  child,
  comment,
  element,
  parseXml,
  printXml,
  text,
  withAttribute,
  withChildAdded,
  withChildRemoved,
  withChildren,
  withChildReplaced,
  withElementAt,
  type XmlElement,
} from './index.ts';

const TEXT = '<a z=\'1\' b="2">\n  <c/>\n  <d>x</d>\n</a>';

describe('edits', () => {
  it('leave the old tree as it was', () => {
    const { root } = parseXml(TEXT);

    withAttribute(root, 'z', 3);
    withChildren(root, []);
    withElementAt(root, 'd', () => undefined);

    expect(printXml(root)).toBe(TEXT);
  });

  it.each<{ title: string; edit: (root: XmlElement) => XmlElement; printed: string }>([
    {
      title: 'an attribute changed at its place',
      edit: (root) => withAttribute(root, 'z', 10n),
      printed: "<a z='10' b='2'>\n  <c/>\n  <d>x</d>\n</a>",
    },
    {
      title: 'an attribute added last',
      edit: (root) => withAttribute(root, 'y', 'n'),
      printed: "<a z='1' b='2' y='n'>\n  <c/>\n  <d>x</d>\n</a>",
    },
    {
      title: 'an attribute taken away',
      edit: (root) => withAttribute(root, 'b', undefined),
      printed: "<a z='1'>\n  <c/>\n  <d>x</d>\n</a>",
    },
    {
      title: 'other children',
      edit: (root) => withChildren(root, ['x', undefined, 'y']),
      printed: "<a z='1' b='2'>xy</a>",
    },
    {
      title: 'a child added in line with the last',
      edit: (root) => withChildAdded(root, element('e')),
      printed: "<a z='1' b='2'>\n  <c/>\n  <d>x</d>\n  <e/>\n</a>",
    },
    {
      title: 'a child replaced',
      edit: (root) => withChildReplaced(root, first(root, 'c'), comment('c')),
      printed: "<a z='1' b='2'>\n  <!--c-->\n  <d>x</d>\n</a>",
    },
    {
      title: 'a child removed with its line',
      edit: (root) => withChildRemoved(root, first(root, 'c')),
      printed: "<a z='1' b='2'>\n  <d>x</d>\n</a>",
    },
    {
      title: 'an element deep inside changed',
      edit: (root) => withElementAt(element('top', {}, [root]), 'a/d', (d) => withAttribute(d, 'e', 1)),
      printed: "<top><a z='1' b='2'>\n  <c/>\n  <d e='1'>x</d>\n</a></top>",
    },
    {
      title: 'an element deep inside removed',
      edit: (root) => withElementAt(element('top', {}, [root]), 'a/d', () => undefined),
      printed: "<top><a z='1' b='2'>\n  <c/>\n</a></top>",
    },
  ])('give $title', ({ edit, printed }) => {
    const { root } = parseXml(TEXT);

    const edited = edit(root);

    expect(printXml(edited)).toBe(printed);
  });

  it('add a first child, and one beside a child that has no line of its own', () => {
    expect(printXml(withChildAdded(element('a'), element('b')))).toBe('<a><b/></a>');
    expect(printXml(withChildAdded(element('a', {}, ['x', element('b')]), element('c')))).toBe('<a>x<b/><c/></a>');
  });

  it('share with the old tree what they did not touch', () => {
    const { root } = parseXml(TEXT);

    const edited = withElementAt(root, 'd', (d) => withChildren(d, ['y']));

    expect(child(edited, 'c')).toBe(child(root, 'c'));
  });

  it('remove the element meant even if the same one stands there twice', () => {
    const twin = element('b');

    const edited = withElementAt(element('a', {}, [twin, element('c'), twin]), 'b[2]', () => undefined);

    expect(printXml(edited)).toBe('<a><b/><c/></a>');
  });

  it('refuse to change what is not there', () => {
    const root = element('a');

    expect(() => withElementAt(root, 'b', (b) => b)).toThrow(expect.objectContaining({ code: 'missing', path: 'a/b' }));
    expect(() => withChildRemoved(root, text('x'))).toThrow(expect.objectContaining({ code: 'missing', path: 'a' }));
    expect(() => withChildReplaced(root, text('x'), text('y'))).toThrow(expect.objectContaining({ code: 'missing' }));
  });

  it('refuse a number that is none', () => {
    expect(() => withAttribute(element('a'), 'b', Number.NaN)).toThrow('a/@b: NaN is not a finite number');
  });
});

function first(root: XmlElement, name: string): XmlElement {
  return child(root, name) ?? element('absent');
}
