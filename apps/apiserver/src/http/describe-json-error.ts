/** Why text is no JSON, in the words of Go, which people know from other servers; undefined when it is JSON. */
export function describeJsonError(text: string): string | undefined {
  const scanner = new Scanner(text);
  try {
    scanner.document();
    return undefined;
  } catch (error) {
    if (error instanceof Unfit) return error.message;
    throw error;
  }
}

class Unfit extends Error {}

const LITERALS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };
const ESCAPES = '"\\/bfnrt';

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value();
    if (this.#peek() !== undefined) throw this.#unfit('after top-level value');
  }

  #value(): void {
    const first = this.#next('looking for beginning of value');
    if (first === '{') return this.#object();
    if (first === '[') return this.#array();
    if (first === '"') return this.#string();
    if (first === '-' || isDigit(first)) return this.#number(first);
    const literal = Object.hasOwn(LITERALS, first) ? LITERALS[first] : undefined;
    if (literal === undefined) throw this.#unfitBefore('looking for beginning of value');
    for (const expected of literal.slice(1)) this.#expect(expected, `in literal ${literal} (expecting '${expected}')`);
  }

  #object(): void {
    if (this.#skip('}')) return;
    for (;;) {
      if (this.#peek() !== '"') throw this.#unfit('looking for beginning of object key string');
      this.#at += 1;
      this.#string();
      if (!this.#skip(':')) throw this.#unfit('after object key');
      this.#value();
      if (this.#skip('}')) return;
      if (!this.#skip(',')) throw this.#unfit('after object key:value pair');
    }
  }

  #array(): void {
    if (this.#skip(']')) return;
    for (;;) {
      this.#value();
      if (this.#skip(']')) return;
      if (!this.#skip(',')) throw this.#unfit('after array element');
    }
  }

  #string(): void {
    for (;;) {
      const character = this.#take('in string literal');
      if (character === '"') return;
      if (character < ' ') throw this.#unfitBefore('in string literal');
      if (character !== '\\') continue;
      const escaped = this.#take('in string escape code');
      if (escaped === 'u') this.#hexadecimals();
      else if (!ESCAPES.includes(escaped)) throw this.#unfitBefore('in string escape code');
    }
  }

  #hexadecimals(): void {
    for (let count = 0; count < 4; count += 1) {
      const where = String.raw`in \u hexadecimal character escape`;
      if (!/[\da-f]/i.test(this.#take(where))) throw this.#unfitBefore(where);
    }
  }

  #number(first: string): void {
    const digit = first === '-' ? this.#take('in numeric literal') : first;
    if (!isDigit(digit)) throw this.#unfitBefore('in numeric literal');
    if (digit !== '0') this.#digits();
    if (this.#text[this.#at] === '.') {
      this.#at += 1;
      if (!isDigit(this.#take('after decimal point in numeric literal')))
        throw this.#unfitBefore('after decimal point in numeric literal');
      this.#digits();
    }
    if (!/^[eE]$/.test(this.#text[this.#at] ?? '')) return;
    this.#at += /^[eE][+-]/.test(this.#text.slice(this.#at, this.#at + 2)) ? 2 : 1;
    if (!isDigit(this.#take('in exponent of numeric literal')))
      throw this.#unfitBefore('in exponent of numeric literal');
    this.#digits();
  }

  #digits(): void {
    while (isDigit(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #expect(expected: string, where: string): void {
    if (this.#take(where) !== expected) throw this.#unfitBefore(where);
  }

  /** The next character that is no space, which stays where it is. */
  #peek(): string | undefined {
    while (/^[ \t\r\n]$/.test(this.#text[this.#at] ?? '')) this.#at += 1;
    return this.#text[this.#at];
  }

  #skip(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #next(where: string): string {
    this.#peek();
    return this.#take(where);
  }

  #take(where: string): string {
    const character = this.#text[this.#at];
    if (character === undefined) throw this.#unfit(where);
    this.#at += 1;
    return character;
  }

  #unfitBefore(where: string): Unfit {
    this.#at -= 1;
    return this.#unfit(where);
  }

  #unfit(where: string): Unfit {
    const character = this.#text[this.#at];
    if (character === undefined) return new Unfit('unexpected end of JSON input');
    return new Unfit(`invalid character ${quoted(character)} ${where}`);
  }
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9' && character.length === 1;
}

function quoted(character: string): string {
  if (character === "'") return String.raw`'\''`;
  if (character === '"') return `'"'`;
  return `'${JSON.stringify(character).slice(1, -1)}'`;
}
