import type { ConfigField } from './config-fields.ts';
import { suggestion } from './nearest-name.ts';
import { ServiceError } from './service-error.ts';

export interface ParsedFlags {
  /** What was given, by the path of the field; a list that was given more than once is joined. */
  readonly texts: ReadonlyMap<string, string>;
  readonly file?: string;
  readonly isHelp: boolean;
}

/** The flags that every program has besides its own. */
const COMMON_FLAGS = ['config', 'help'] as const;

/** Reads `--name value`, `--name=value`, `--switch` and `--no-switch`. Anything else is an error that names it. */
export function parseFlags(fields: readonly ConfigField[], words: readonly string[]): ParsedFlags {
  const texts = new Map<string, string>();
  let file: string | undefined;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--help' || word === '-h') return { texts, isHelp: true };
    const { name, text } = split(word);
    const field = findField(fields, name);
    if (field === undefined && name !== 'config') throw unknownFlag(fields, name);
    const isSwitch = field?.schema.type === 'boolean';
    // A switch never takes the next word: `--pretty false` would read as a switch and a stray word to most people.
    const value = text ?? (isSwitch ? String(name === field.flag) : words[++index]);
    if (value === undefined) throw invalid(`--${name} needs a value`);
    if (isSwitch && text !== undefined && name !== field.flag) throw invalid(`--${name} takes no value`);
    if (field === undefined) file = value;
    else texts.set(field.path, joined(field, texts.get(field.path), value));
  }
  return { texts, isHelp: false, ...(file === undefined ? {} : { file }) };
}

function split(word: string): { readonly name: string; readonly text?: string } {
  if (!word.startsWith('--') || word.length === 2) throw invalid(`unexpected argument "${word}"`);
  const equals = word.indexOf('=');
  return equals === -1 ? { name: word.slice(2) } : { name: word.slice(2, equals), text: word.slice(equals + 1) };
}

function findField(fields: readonly ConfigField[], name: string): ConfigField | undefined {
  const isNegated = name.startsWith('no-');
  return (
    fields.find(({ flag }) => flag === name) ??
    fields.find(({ flag, schema }) => isNegated && schema.type === 'boolean' && flag === name.slice(3))
  );
}

function joined({ schema }: ConfigField, before: string | undefined, text: string): string {
  return schema.type === 'array' && before !== undefined && before !== '' ? `${before},${text}` : text;
}

function unknownFlag(fields: readonly ConfigField[], name: string): ServiceError {
  const known = [...fields.map(({ flag }) => flag), ...COMMON_FLAGS].map((flag) => `--${flag}`);
  return invalid(`unknown flag --${name}${suggestion(`--${name}`, known)}`);
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid-config', message);
}
