import { describe, expect, it } from 'vitest';

import { attributeNamespace, element, elementNamespace, namespacesOf, splitName } from './index.ts';

describe('namespaces', () => {
  it('splits names at the first colon', () => {
    expect(['disk', 'qemu:arg', 'a:b:c'].map(splitName)).toEqual([
      { prefix: '', localName: 'disk' },
      { prefix: 'qemu', localName: 'arg' },
      { prefix: 'a', localName: 'b:c' },
    ]);
  });

  it('adds the declarations of an element to those around it, and lets them win', () => {
    const outer = namespacesOf(element('a', { xmlns: 'urn:default', 'xmlns:p': 'urn:one', 'xmlns:q': 'urn:q' }));
    const inner = namespacesOf(element('b', { 'xmlns:p': 'urn:two', xmlns: '' }), outer);

    expect(
      [outer, inner].map((scope) => ['c', 'p:c', 'q:c', 'r:c'].map((name) => elementNamespace(name, scope))),
    ).toEqual([
      ['urn:default', 'urn:one', 'urn:q', undefined],
      [undefined, 'urn:two', 'urn:q', undefined],
    ]);
  });

  it('keeps the default namespace from attributes, and knows the xml prefix', () => {
    const scope = namespacesOf(element('a', { xmlns: 'urn:default', 'xmlns:p': 'urn:p' }));

    expect(['b', 'p:b', 'xml:lang', 'xmlns:p'].map((name) => attributeNamespace(name, scope))).toEqual([
      undefined,
      'urn:p',
      'http://www.w3.org/XML/1998/namespace',
      'http://www.w3.org/2000/xmlns/',
    ]);
  });

  it('hands on the scope around when an element declares nothing', () => {
    const scope = namespacesOf(element('a', { 'xmlns:p': 'urn:p' }));

    expect(namespacesOf(element('b'), scope)).toBe(scope);
  });
});
