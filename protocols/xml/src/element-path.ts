import { isXmlName } from './characters.ts';
import { XmlError } from './error.ts';

/** One step of a path: the children called `name` (`*`: all elements), or only the one at `position`, from 1. */
export interface PathStep {
  readonly name: string;
  readonly position: number | undefined;
}

/** A path below an element: `devices/disk[2]`, with or without `/@type` at its end. */
export interface ElementPath {
  readonly steps: readonly PathStep[];
  readonly attribute: string | undefined;
}

/** The steps of `path`. Throws an `XmlError` if it is not made of `name`, `name[2]`, `*`, `*[2]` and a last `@name`. */
export function readElementPath(path: string): ElementPath {
  const parts = path.split('/');
  const last = parts.at(-1) ?? '';
  const attribute = last.startsWith('@') ? last.slice(1) : undefined;
  if (attribute !== undefined && !isXmlName(attribute)) throw invalidPath(path, last);
  const steps = (attribute === undefined ? parts : parts.slice(0, -1)).map((part) => readStep(path, part));
  return { steps, attribute };
}

/** The steps of a path that leads to elements; one that ends in an attribute is refused. */
export function readStepsToElement(path: string): readonly PathStep[] {
  const { steps, attribute } = readElementPath(path);
  if (attribute !== undefined) throw new XmlError('invalid-path', `'${path}' leads to an attribute`, { path });
  return steps;
}

/** A step as it is written in a path. */
export function printStep({ name, position }: PathStep): string {
  return position === undefined ? name : `${name}[${position}]`;
}

function readStep(path: string, part: string): PathStep {
  const [, name = '', position] = /^([^[\]]+)(?:\[([1-9][0-9]{0,8})\])?$/.exec(part) ?? [];
  if (name !== '*' && !isXmlName(name)) throw invalidPath(path, part);
  return { name, position: position === undefined ? undefined : Number(position) };
}

function invalidPath(path: string, part: string): XmlError {
  return new XmlError('invalid-path', `'${part}' is not a step of a path, in '${path}'`, { path });
}
