import type { PackageSource } from '../src/message-type.ts';
import { KindsFileError } from './kinds-file-error.ts';

interface Draft {
  readonly kinds: string[];
  readonly enumerations: Record<string, readonly string[]>;
  readonly types: Record<string, string>;
}

/** Reads a `.kinds` file: a `package` line, then `kind`, `enum` and `type` lines; the lines after a type are its fields. */
export function parseKindsFile(key: string, text: string): PackageSource {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [first = '', ...rest] = lines;
  const [word, component, version, group = ''] = first.split(' ');
  if (word !== 'package' || component === undefined || version === undefined) {
    throw new KindsFileError(`${key}: the first line must be 'package COMPONENT VERSION [GROUP]'`);
  }
  const draft: Draft = { kinds: [], enumerations: {}, types: {} };
  let current: string | undefined;
  for (const line of rest) current = readLine(draft, line, current);
  return { key, component, group, version, ...draft };
}

function readLine(draft: Draft, line: string, current: string | undefined): string | undefined {
  const [word = '', name = ''] = line.split(' ');
  if (word === 'kind' && !isFieldLine(name)) {
    draft.kinds.push(line.slice('kind '.length));
    return undefined;
  }
  if (word === 'enum' && !isFieldLine(name)) {
    draft.enumerations[name] = [...line.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '');
    return undefined;
  }
  if (word === 'type' && !isFieldLine(name)) {
    if (Object.hasOwn(draft.types, name)) throw new KindsFileError(`type ${name} is declared twice`);
    draft.types[name] = line.slice('type '.length).slice(name.length).trim();
    return name;
  }
  if (current === undefined) throw new KindsFileError(`'${line}' belongs to no type`);
  draft.types[current] += `\n${line}`;
  return current;
}

// Fields may be called 'kind', 'type' or 'enum' as well; their second word is a number.
function isFieldLine(secondWord: string): boolean {
  return /^\d+$/.test(secondWord);
}
