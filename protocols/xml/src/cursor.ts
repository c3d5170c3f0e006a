import { isXmlWhitespace } from './characters.ts';
import { type PathStep, printStep, readElementPath, readStepsToElement } from './element-path.ts';
import { XmlError } from './error.ts';
import {
  attributeNamespace,
  BUILT_IN_NAMESPACES,
  elementNamespace,
  namespacesOf,
  type NamespaceScope,
  splitName,
} from './namespaces.ts';
import type { XmlAttribute, XmlDocument, XmlElement } from './node.ts';
import { pathStep } from './path-step.ts';
import { textContent } from './text-content.ts';

/** A cursor at the root of `tree`. */
export function cursorAt(tree: XmlDocument | XmlElement): XmlCursor {
  return new XmlCursor(tree.kind === 'document' ? tree.root : tree);
}

/**
 * An element together with the way to it from the root: it knows its path, so that errors can say
 * `domain/devices/disk[2]/@type is missing`, and the namespaces in force.
 */
export class XmlCursor {
  readonly element: XmlElement;
  /** The cursor one level up; `undefined` at the root. */
  readonly parent: XmlCursor | undefined;
  /** The place among all children of the parent, from 0. */
  readonly index: number;

  constructor(element: XmlElement, parent?: XmlCursor, index: number = 0) {
    this.element = element;
    this.parent = parent;
    this.index = index;
  }

  /** The path from the root, such as `domain/devices/disk[2]`. */
  get path(): string {
    return this.#line()
      .map((cursor) => cursor.#name())
      .join('/');
  }

  /** All text inside, CDATA included, comments left out. */
  get text(): string {
    return textContent(this.element);
  }

  /** The value of the attribute called `name`, if it is there. */
  attribute(name: string): string | undefined {
    return this.element.attributes.find((attribute) => attribute.name === name)?.value;
  }

  /** The first child element called `name`. */
  child(name: string): XmlCursor | undefined {
    return this.children(name)[0];
  }

  /** The child elements called `name`, or all of them. */
  children(name: string = '*'): readonly XmlCursor[] {
    const found: XmlCursor[] = [];
    for (const [index, child] of this.element.children.entries()) {
      if (child.kind === 'element' && (name === '*' || child.name === name)) {
        found.push(new XmlCursor(child, this, index));
      }
    }
    return found;
  }

  /** The first element at a path below this one, such as `devices/disk[2]`. */
  find(path: string): XmlCursor | undefined {
    return this.findAll(path)[0];
  }

  /** All elements at a path below this one, in the order of the document. */
  findAll(path: string): readonly XmlCursor[] {
    return this.#follow(readStepsToElement(path));
  }

  /** The attribute (`os/type/@arch`) or the text (`os/type`) at a path, if the attribute or the element is there. */
  value(path: string): string | undefined {
    const { steps, attribute } = readElementPath(path);
    const [owner] = this.#follow(steps);
    return attribute === undefined ? owner?.text : owner?.attribute(attribute);
  }

  /** The first element at a path below this one. Throws `missing` if there is none. */
  require(path: string): XmlCursor {
    const steps = readStepsToElement(path);
    const [found] = this.#follow(steps);
    if (!found) throw this.#missing(steps);
    return found;
  }

  /** The attribute called `name`, or at a path such as `os/type/@arch`. Throws `missing` if there is none. */
  requireAttribute(name: string): string {
    const { steps, attribute = name } = readElementPath(name.includes('@') ? name : `@${name}`);
    const [owner] = this.#follow(steps);
    if (!owner) throw this.#missing(steps);
    const value = owner.attribute(attribute);
    if (value === undefined) throw missing(`${owner.path}/@${attribute}`);
    return value;
  }

  /** The text of this element, or of the one at a path. Throws `missing` if it is empty or whitespace. */
  requireText(path?: string): string {
    const owner = path === undefined ? this : this.require(path);
    const content = owner.text;
    if (isXmlWhitespace(content)) throw missing(`${owner.path}/text()`);
    return content;
  }

  /** The namespaces in force inside this element. */
  get namespaces(): NamespaceScope {
    return this.#line().reduce<NamespaceScope>(
      (scope, { element }) => namespacesOf(element, scope),
      BUILT_IN_NAMESPACES,
    );
  }

  /** The namespace this element is in, if any. */
  get namespace(): string | undefined {
    return elementNamespace(this.element.name, this.namespaces);
  }

  /** The child elements in `namespace` called `localName`, or all in it, whatever their prefix. */
  childrenIn(namespace: string, localName?: string): readonly XmlCursor[] {
    const around = this.namespaces;
    return this.children().filter(({ element }) => {
      if (localName !== undefined && splitName(element.name).localName !== localName) return false;
      return elementNamespace(element.name, namespacesOf(element, around)) === namespace;
    });
  }

  /** The value of the attribute in `namespace` called `localName`, whatever its prefix, if it is there. */
  attributeIn(namespace: string, localName: string): string | undefined {
    const scope = this.namespaces;
    const matches = ({ name }: XmlAttribute): boolean =>
      splitName(name).localName === localName && attributeNamespace(name, scope) === namespace;
    return this.element.attributes.find(matches)?.value;
  }

  #follow(steps: readonly PathStep[]): readonly XmlCursor[] {
    let found: readonly XmlCursor[] = [this];
    for (const { name, position } of steps) {
      found = found.flatMap((cursor) => {
        const children = cursor.children(name);
        return position === undefined ? children : children.slice(position - 1, position);
      });
    }
    return found;
  }

  /** The error for steps that lead nowhere: it names the first one without a match, below the last that had one. */
  #missing(steps: readonly PathStep[]): XmlError {
    const count = steps.findIndex((_, index) => this.#follow(steps.slice(0, index + 1)).length === 0);
    const [last = this] = this.#follow(steps.slice(0, count));
    return missing([last.path, ...steps.slice(count, count + 1).map(printStep)].join('/'));
  }

  /** The cursors from the root down to this one. */
  #line(): readonly XmlCursor[] {
    const line: XmlCursor[] = [this];
    for (let at = this.parent; at; at = at.parent) line.push(at);
    return line.toReversed();
  }

  #name(): string {
    return this.parent ? pathStep(this.parent.element.children, this.index) : this.element.name;
  }
}

function missing(path: string): XmlError {
  return new XmlError('missing', `${path} is missing`, { path });
}
