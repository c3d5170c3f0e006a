import type { StatusCause } from '@smalt/kubernetes';
import { isNode, LineCounter, parseDocument, type Document } from 'yaml';

/** Something wrong with a text, at a line of it, counted from 1. */
export interface TextProblem {
  readonly line: number;
  readonly message: string;
}

/** What a text is: an object, or why it is none. */
export type ParsedYaml =
  | { readonly kind: 'object'; readonly object: Readonly<Record<string, unknown>> }
  | { readonly kind: 'problems'; readonly problems: readonly TextProblem[] };

/** Reads one YAML document that has to be an object. */
export function parseYamlObject(text: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors.length > 0) {
    return {
      kind: 'problems',
      problems: document.errors.map(({ pos, message }) => ({
        line: lines.linePos(pos[0]).line,
        message: message.split('\n')[0] ?? message,
      })),
    };
  }
  const value: unknown = document.toJS();
  if (isRecord(value)) return { kind: 'object', object: value };
  return {
    kind: 'problems',
    problems: [{ line: 1, message: 'The text has to be one object with apiVersion and kind' }],
  };
}

/** Puts the server's causes at the lines they speak of; one whose field is not in the text goes to the nearest that is. */
export function placeCauses(text: string, causes: readonly StatusCause[]): readonly TextProblem[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  return causes.map(({ field = '', message = '' }) => ({
    line: lines.linePos(offsetOf(document, fieldPath(field))).line,
    message: field === '' ? message : `${field}: ${message}`,
  }));
}

/** `spec.disks[0].name` as its steps. */
export function fieldPath(field: string): readonly (string | number)[] {
  return [...field.matchAll(/\[(\d+)\]|\[['"]?([^\]'"]+)['"]?\]|([^.[\]]+)/g)].map(([, index, quoted, name]) =>
    index === undefined ? (quoted ?? name ?? '') : Number(index),
  );
}

function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
