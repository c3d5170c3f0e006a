import { CST, Lexer } from 'yaml';

type Type = ReturnType<typeof CST.tokenType>;

const SCALAR_FOLLOWS = '\u001F';
// These are marks of the lexer, not of the text.
const WITHOUT_WIDTH: ReadonlySet<Type> = new Set<Type>(['byte-order-mark', 'doc-mode', 'flow-error-end', 'scalar']);
const BLANK: ReadonlySet<Type> = new Set<Type>(['space', 'newline', 'comment']);
const BLOCK_STARTS: ReadonlySet<Type> = new Set<Type>(['seq-item-ind', 'explicit-key-ind']);
const FLOW_STARTS: ReadonlySet<Type> = new Set<Type>(['flow-map-start', 'flow-seq-start']);
const FLOW_ENDS: ReadonlySet<Type> = new Set<Type>(['flow-map-end', 'flow-seq-end']);

/**
 * Whether YAML text nests more than `limit` deep, told from its tokens alone, so that it can be asked before anything
 * recursive reads the text. A list that stands as far left as the name it belongs to is not counted.
 */
export function isYamlDeeperThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  const nesting = new Nesting();
  for (const token of new Lexer().lex(text)) {
    nesting.take(token);
    if (nesting.depth > limit) return true;
  }
  return false;
}

class Nesting {
  /** The columns at which the blocks begin that are open, each further right than the one before. */
  readonly #blocks: number[] = [];
  #flows = 0;
  #column = 0;
  #isLineStart = true;
  #isScalar = false;

  get depth(): number {
    return this.#blocks.length + this.#flows;
  }

  take(token: string): void {
    const type = this.#isScalar ? null : CST.tokenType(token);
    this.#isScalar = token === SCALAR_FOLLOWS;
    if (WITHOUT_WIDTH.has(type)) return;
    if (!BLANK.has(type)) {
      if (FLOW_STARTS.has(type)) this.#flows++;
      else if (this.#isLineStart || BLOCK_STARTS.has(type)) this.#openBlock();
      if (FLOW_ENDS.has(type)) this.#flows = Math.max(0, this.#flows - 1);
      this.#isLineStart = false;
    }
    this.#advance(token);
  }

  #openBlock(): void {
    if (this.#flows > 0) return;
    while ((this.#blocks.at(-1) ?? -1) > this.#column) this.#blocks.pop();
    if (this.#blocks.at(-1) !== this.#column) this.#blocks.push(this.#column);
  }

  #advance(token: string): void {
    const lineEnd = token.lastIndexOf('\n');
    this.#column = lineEnd < 0 ? this.#column + token.length : token.length - lineEnd - 1;
    if (lineEnd === token.length - 1) this.#isLineStart = true;
  }
}
