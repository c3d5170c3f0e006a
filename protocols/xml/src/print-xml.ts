import { refuseElement, refuseLeaf, refuseSurroundings, type Refusal } from './check-node.ts';
import { XmlError } from './error.ts';
import type { XmlDocument, XmlElement, XmlNode, XmlPrintable } from './node.ts';
import { pathStep, stepKey } from './path-step.ts';
import { printLeaf, type XmlLeaf } from './print-leaf.ts';
import { endTag, startTag } from './start-tag.ts';
import { writtenForm } from './written-form.ts';

/** How to print. */
export interface PrintOptions {
  /**
   * Whether nodes that came from a text keep their quotes, references and spaces inside tags; `true` unless told.
   * With `false` equal trees print equal texts.
   */
  readonly asWritten?: boolean;
  /** Puts each child of an element that holds no text on a line of its own, two spaces further in, as libvirt does. */
  readonly indent?: boolean;
}

/**
 * The text of a document or node, in libvirt's style. What was parsed and not edited prints as it was written. Throws
 * an `XmlError` that names the path if a name or value cannot be written so that it reads the same.
 */
export function printXml(node: XmlPrintable, options: PrintOptions = {}): string {
  return node.kind === 'document' ? printDocument(node, options) : new Printer(options).print(node);
}

function printDocument(document: XmlDocument, options: PrintOptions): string {
  const refusal = refuseSurroundings(document);
  if (refusal) throw new XmlError(refusal.code, `document: ${refusal.reason}`, { path: 'document' });
  const parts = [...document.prolog, document.root, ...document.epilog];
  const declaration = document.declaration ? printXml(document.declaration, options) : '';
  return declaration + parts.map((part) => printXml(part, options)).join('');
}

interface Frame {
  readonly element: XmlElement;
  readonly end: string;
  readonly isLaidOut: boolean;
  next: number;
}

class Printer {
  readonly #asWritten: boolean;
  readonly #indent: boolean;
  // The open elements; a list and not the call stack, so that any depth can be printed.
  readonly #open: Frame[] = [];
  #text = '';

  constructor(options: PrintOptions) {
    this.#asWritten = options.asWritten ?? true;
    this.#indent = options.indent ?? false;
  }

  print(root: XmlElement | XmlLeaf): string {
    this.#node(root);
    for (let frame = this.#open.at(-1); frame; frame = this.#open.at(-1)) {
      const child = frame.element.children[frame.next];
      frame.next += 1;
      if (!child) this.#open.pop();
      if (frame.isLaidOut) this.#text += `\n${'  '.repeat(this.#open.length)}`;
      if (child) this.#node(child);
      else this.#text += frame.end;
    }
    return this.#text;
  }

  #node(node: XmlElement | XmlLeaf): void {
    const written = this.#asWritten ? writtenForm(node) : undefined;
    if (!written) this.#check(node);
    if (node.kind !== 'element') {
      this.#text += written?.start ?? printLeaf(node);
      return;
    }
    const isEmpty = node.children.length === 0;
    const end = written?.end ?? (isEmpty ? '' : endTag(node.name));
    this.#text += written?.start ?? startTag(node.name, node.attributes, isEmpty);
    if (isEmpty) this.#text += end;
    else this.#open.push({ element: node, end, isLaidOut: this.#indent && node.children.every(isNotText), next: 0 });
  }

  #check(node: XmlElement | XmlLeaf): void {
    const refusal = node.kind === 'element' ? refuseElement(node) : refuseLeaf(node);
    if (refusal) throw this.#error(refusal, node);
  }

  #error({ code, reason, attribute }: Refusal, node: XmlElement | XmlLeaf): XmlError {
    const root = this.#open[0]?.element ?? node;
    const steps = this.#open.map(({ element, next }) => pathStep(element.children, next - 1));
    const path = [stepKey(root), ...steps, ...(attribute === undefined ? [] : [`@${attribute}`])].join('/');
    return new XmlError(code, `${path}: ${reason}`, { path });
  }
}

function isNotText(node: XmlNode): boolean {
  return node.kind !== 'text' && node.kind !== 'cdata';
}
