import type { XmlElement } from './node.ts';

/** Prefixes and the namespace each stands for; the empty prefix is the default namespace. */
export type NamespaceScope = ReadonlyMap<string, string>;

/** A name apart from its prefix. */
export interface SplitName {
  readonly prefix: string;
  readonly localName: string;
}

/** The two prefixes that need no declaration. */
export const BUILT_IN_NAMESPACES: NamespaceScope = new Map([
  ['xml', 'http://www.w3.org/XML/1998/namespace'],
  ['xmlns', 'http://www.w3.org/2000/xmlns/'],
]);

/** The prefix and the rest of `name`; the prefix of an unprefixed name is empty. */
export function splitName(name: string): SplitName {
  const colon = name.indexOf(':');
  return colon < 0
    ? { prefix: '', localName: name }
    : { prefix: name.slice(0, colon), localName: name.slice(colon + 1) };
}

/** The namespaces in force inside `element`: those around it and those it declares. */
export function namespacesOf(element: XmlElement, around: NamespaceScope = BUILT_IN_NAMESPACES): NamespaceScope {
  const declarations = element.attributes.filter(({ name }) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (declarations.length === 0) return around;
  const scope = new Map(around);
  for (const { name, value } of declarations) scope.set(name === 'xmlns' ? '' : name.slice('xmlns:'.length), value);
  return scope;
}

/** The namespace of an element name: `undefined` if it has none or its prefix is not declared. */
export function elementNamespace(name: string, scope: NamespaceScope): string | undefined {
  // xmlns='' takes the default namespace away.
  return scope.get(splitName(name).prefix) || undefined;
}

/** The namespace of an attribute name. The default namespace does not apply to attributes. */
export function attributeNamespace(name: string, scope: NamespaceScope): string | undefined {
  return name.includes(':') ? elementNamespace(name, scope) : undefined;
}
