import { SchemaError } from './schema-error.ts';

/** One line of a schema file, cut into words. */
export interface SchemaLine {
  readonly file: string;
  readonly number: number;
  readonly words: readonly string[];
}

/** A line at the margin and the indented lines below it. */
export interface SchemaBlock {
  readonly head: SchemaLine;
  readonly body: readonly SchemaLine[];
}

/** Cuts a schema file into blocks. Everything from a `#` on that starts a word is a comment. */
export function readBlocks(file: string, text: string): SchemaBlock[] {
  const blocks: { head: SchemaLine; body: SchemaLine[] }[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const content = raw.replace(/(^|\s)#(\s.*)?$/, '').trimEnd();
    if (content === '') continue;

    const line = { file, number: index + 1, words: content.trim().split(/\s+/) };
    if (!content.startsWith(' ')) {
      blocks.push({ head: line, body: [] });
      continue;
    }
    const block = blocks.at(-1);
    if (!block) throw new SchemaError(file, line.number, 'an indented line needs a line at the margin before it');
    block.body.push(line);
  }
  return blocks;
}

/** The error for something wrong on `line`. */
export function errorAt(line: SchemaLine, message: string): SchemaError {
  return new SchemaError(line.file, line.number, message);
}

/** The word at `index`, which `what` describes; refuses a line that ends before it. */
export function wordAt(line: SchemaLine, index: number, what: string): string {
  const word = line.words[index];
  if (word === undefined) throw errorAt(line, `${what} is missing`);
  return word;
}

/** The whole number at `index`, decimal or after `0x`. */
export function numberAt(line: SchemaLine, index: number, what: string): number {
  const word = wordAt(line, index, what);
  if (!/^(0x[0-9a-f]+|-?\d+)$/.test(word)) throw errorAt(line, `${what} must be a whole number, not '${word}'`);
  return Number(word);
}
