import { stripVTControlCharacters, styleText } from 'node:util';

import type { CommandProgram } from './command-program.ts';

type Output = CommandProgram['output'];

/** A part of a terminal that is written over as things change. Elsewhere only what is printed is written. */
export class LiveScreen implements AsyncDisposable {
  readonly #output: Output;
  #drawn = 0;
  #last = '';

  constructor(output: Output) {
    this.#output = output;
  }

  /** Shows these lines in place of those before. Lines that are too long, or too many, are cut: a wrapped one could not be written over. */
  async draw(lines: readonly string[]): Promise<void> {
    if (!this.#output.isTerminal) return;
    const { columns, rows } = this.#output.size;
    const shown = lines.slice(0, Math.max(1, rows - 1)).map((line) => fitted(line, columns));
    const text = shown.join('\n');
    if (text === this.#last && this.#drawn > 0) return;
    await this.#output.write(`${this.#back()}${text}\n`);
    this.#drawn = shown.length;
    this.#last = text;
  }

  /** Writes something that stays, above what is drawn next. */
  async print(text: string): Promise<void> {
    await this.#output.write(`${this.#back()}${text}\n`);
    this.#drawn = 0;
    this.#last = '';
  }

  /** What was drawn last stays. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#drawn = 0;
    await Promise.resolve();
  }

  /** To where the drawing began, with nothing below. */
  #back(): string {
    return this.#drawn === 0 ? '' : `\u001B[${this.#drawn}A\r\u001B[J`;
  }
}

/** As much of a line as fits. What is cut loses its colours: half a colour would stay on. */
export function fitted(line: string, columns: number): string {
  const plain = stripVTControlCharacters(line);
  return plain.length <= columns ? line : `${plain.slice(0, Math.max(0, columns - 1))}…`;
}

/** Colours for a terminal, plain text for everything else and for who has set NO_COLOR. */
export interface Paint {
  readonly good: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly strong: (text: string) => string;
}

const plainPaint: Paint = { good: same, warning: same, bad: same, faint: same, strong: same };

export function paintFor({ output, environment }: Pick<CommandProgram, 'output' | 'environment'>): Paint {
  if (!output.isTerminal || (environment['NO_COLOR'] ?? '') !== '') return plainPaint;
  return {
    good: painted('green'),
    warning: painted('yellow'),
    bad: painted('red'),
    faint: painted('dim'),
    strong: painted('bold'),
  };
}

function painted(format: 'green' | 'yellow' | 'red' | 'dim' | 'bold'): (text: string) => string {
  return (text) => styleText(format, text, { validateStream: false });
}

function same(text: string): string {
  return text;
}
