import { lengthOf } from './code-points.ts';
import { expandMacro } from './expand-macro.ts';
import { OPERATORS, qualifiedNameOf, type ExpressionNode, type MapEntry } from './expression-tree.ts';
import { IssueList } from './issue-list.ts';
import { isNumber, readLiteral } from './parse-literal.ts';
import { KEYWORDS, tokenize, type Token } from './tokenize.ts';

const MAX_CODE_POINTS = 100_000;
const MAX_DEPTH = 250;
const RELATIONS = new Set(['<', '<=', '>=', '>', '==', '!=']);
const RESERVED = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);
const START_OF_OPERAND =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** Reads the text of an expression into a tree in which macros are expanded. Throws with every error it found. */
export function parse(source: string): ExpressionNode {
  const issues = new IssueList(source);
  const size = lengthOf(source);
  if (size > MAX_CODE_POINTS) {
    issues.add(0, `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`);
    throw issues.toError();
  }
  const parser = new Parser(tokenize(source, issues), issues);
  const node = parser.parseAll();
  if (node === undefined || !issues.isEmpty) throw issues.toError();
  return node;
}

/** Thrown to leave the parser at the first syntax error; it is in the list of issues by then. */
class Stop extends Error {}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #issues: IssueList;
  #position = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], issues: IssueList) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  parseAll(): ExpressionNode | undefined {
    try {
      const node = this.#expression();
      if (this.#token.kind !== 'end') this.#unexpected('<EOF>');
      return node;
    } catch (error) {
      if (error instanceof Stop) return undefined;
      throw error;
    }
  }

  #expression(): ExpressionNode {
    this.#enter();
    const condition = this.#logical('||', OPERATORS.or, () => this.#and());
    let node = condition;
    if (this.#is('?')) {
      const { offset } = this.#next();
      const yes = this.#logical('||', OPERATORS.or, () => this.#and());
      this.#expect(':');
      const no = this.#expression();
      node = { kind: 'call', offset, function: OPERATORS.conditional, args: [condition, yes, no] };
    }
    this.#depth--;
    return node;
  }

  #and(): ExpressionNode {
    return this.#logical('&&', OPERATORS.and, () => this.#relation());
  }

  // Long chains of && and || become balanced trees, so that their depth stays small.
  #logical(symbol: string, name: string, operand: () => ExpressionNode): ExpressionNode {
    const terms = [operand()];
    const offsets: number[] = [];
    while (this.#is(symbol)) {
      offsets.push(this.#next().offset);
      terms.push(operand());
    }
    return balance(name, terms, offsets);
  }

  #relation(): ExpressionNode {
    return this.#chain(
      (token) =>
        (token.kind === 'symbol' && RELATIONS.has(token.text)) || (token.kind === 'ident' && token.text === 'in'),
      () => this.#sum(),
    );
  }

  #sum(): ExpressionNode {
    return this.#chain(
      (token) => token.kind === 'symbol' && (token.text === '+' || token.text === '-'),
      () => this.#product(),
    );
  }

  #product(): ExpressionNode {
    return this.#chain(
      (token) => token.kind === 'symbol' && ['*', '/', '%'].includes(token.text),
      () => this.#unary(),
    );
  }

  #chain(isOperator: (token: Token) => boolean, operand: () => ExpressionNode): ExpressionNode {
    let left = operand();
    for (let length = 1; isOperator(this.#token); length++) {
      if (length > MAX_DEPTH) this.#tooDeep();
      const { offset, text } = this.#next();
      const name = text === 'in' ? '@in' : `_${text}_`;
      left = { kind: 'call', offset, function: name, args: [left, operand()] };
    }
    return left;
  }

  #unary(): ExpressionNode {
    const sign = this.#token.text;
    if (this.#token.kind !== 'symbol' || (sign !== '!' && sign !== '-')) return this.#member();
    const { offset } = this.#token;
    let count = 0;
    while (this.#is(sign)) {
      if (sign === '-' && isNumber(this.#tokens[this.#position + 1])) break;
      count++;
      this.#next();
    }
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    return { kind: 'call', offset, function: sign === '!' ? OPERATORS.not : OPERATORS.negate, args: [operand] };
  }

  #member(): ExpressionNode {
    let node = this.#primary();
    for (let length = 1; ; length++) {
      if (length > MAX_DEPTH) this.#tooDeep();
      if (this.#is('.')) node = this.#selection(node);
      else if (this.#is('[')) node = this.#index(node);
      else return node;
    }
  }

  #selection(operand: ExpressionNode): ExpressionNode {
    const { offset } = this.#next();
    const isOptional = this.#accept('?');
    const name = this.#identifier();
    if (isOptional) {
      const field: ExpressionNode = { kind: 'literal', offset: name.offset, value: name.text };
      return { kind: 'call', offset, function: OPERATORS.optionalSelect, args: [operand, field] };
    }
    if (this.#is('(')) return this.#call(name.text, operand);
    if (this.#is('{'))
      return this.#struct(qualifiedNameOf({ kind: 'select', offset, operand, field: name.text, isTest: false }));
    return { kind: 'select', offset, operand, field: name.text, isTest: false };
  }

  #index(operand: ExpressionNode): ExpressionNode {
    const { offset } = this.#next();
    const isOptional = this.#accept('?');
    const index = this.#expression();
    this.#expect(']');
    return {
      kind: 'call',
      offset,
      function: isOptional ? OPERATORS.optionalIndex : OPERATORS.index,
      args: [operand, index],
    };
  }

  #call(name: string, target?: ExpressionNode): ExpressionNode {
    const { offset } = this.#next();
    const args: ExpressionNode[] = [];
    if (!this.#is(')')) {
      do args.push(this.#expression());
      while (this.#accept(','));
    }
    this.#expect(')');
    const call = { kind: 'call', offset, function: name, args, ...(target && { target }) } as const;
    return expandMacro(call, this.#issues) ?? call;
  }

  #primary(): ExpressionNode {
    const token = this.#token;
    const literal = this.#literal(token);
    if (literal !== undefined) return literal;
    if (token.kind === 'ident' && !KEYWORDS.has(token.text)) return this.#named('');
    if (this.#is('.')) {
      this.#next();
      return this.#named('.');
    }
    if (this.#is('(')) {
      this.#next();
      const node = this.#expression();
      this.#expect(')');
      return node;
    }
    if (this.#is('[')) return this.#list();
    if (this.#is('{')) return this.#map();
    return this.#unexpected(START_OF_OPERAND);
  }

  #named(prefix: string): ExpressionNode {
    const token = this.#identifier();
    if (RESERVED.has(token.text)) this.#issues.add(token.offset, `reserved identifier: ${token.text}`);
    if (this.#is('(')) return this.#call(prefix + token.text);
    if (this.#is('{')) return this.#struct(prefix + token.text);
    return { kind: 'ident', offset: token.offset, name: prefix + token.text };
  }

  #literal(token: Token): ExpressionNode | undefined {
    const next = this.#tokens[this.#position + 1];
    const literal = readLiteral(token, next);
    if (literal === undefined) return undefined;
    this.#position += literal.length;
    if (literal.problem !== undefined) this.#issues.add(token.offset, literal.problem);
    return { kind: 'literal', offset: token.offset, value: literal.value };
  }

  #list(): ExpressionNode {
    const { offset } = this.#next();
    const elements: ExpressionNode[] = [];
    const optional = new Set<number>();
    while (!this.#is(']')) {
      if (this.#accept('?')) optional.add(elements.length);
      elements.push(this.#expression());
      if (!this.#accept(',')) break;
    }
    this.#expect(']');
    return { kind: 'list', offset, elements, optional };
  }

  #map(): ExpressionNode {
    const { offset } = this.#next();
    const entries: MapEntry[] = [];
    while (!this.#is('}')) {
      const isOptional = this.#accept('?');
      const key = this.#expression();
      const colon = this.#expect(':');
      entries.push({ offset: colon.offset, key, value: this.#expression(), isOptional });
      if (!this.#accept(',')) break;
    }
    this.#expect('}');
    return { kind: 'map', offset, entries };
  }

  // No type that Kubernetes declares can be built by an expression, so the fields are read past.
  #struct(typeName: string | undefined): ExpressionNode {
    if (typeName === undefined) return this.#unexpected('<EOF>');
    const { offset } = this.#next();
    while (!this.#is('}')) {
      this.#accept('?');
      this.#identifier();
      this.#expect(':');
      this.#expression();
      if (!this.#accept(',')) break;
    }
    this.#expect('}');
    return { kind: 'struct', offset, typeName };
  }

  get #token(): Token {
    const token = this.#tokens[this.#position];
    if (token === undefined) throw new Stop();
    return token;
  }

  #next(): Token {
    const token = this.#token;
    if (token.kind !== 'end') this.#position++;
    return token;
  }

  #is(symbol: string): boolean {
    return this.#token.kind === 'symbol' && this.#token.text === symbol;
  }

  #accept(symbol: string): boolean {
    if (!this.#is(symbol)) return false;
    this.#next();
    return true;
  }

  #expect(symbol: string): Token {
    return this.#is(symbol) ? this.#next() : this.#unexpected(`'${symbol}'`);
  }

  #identifier(): Token {
    const token = this.#token;
    return token.kind === 'ident' && !KEYWORDS.has(token.text) ? this.#next() : this.#unexpected('IDENTIFIER');
  }

  #unexpected(expected: string): never {
    const { text, offset } = this.#token;
    this.#issues.add(offset, `Syntax error: mismatched input '${text}' expecting ${expected}`);
    throw new Stop();
  }

  #enter(): void {
    this.#depth++;
    if (this.#depth > MAX_DEPTH) this.#tooDeep();
  }

  #tooDeep(): never {
    this.#issues.add(0, `expression recursion limit exceeded: ${MAX_DEPTH}`);
    throw new Stop();
  }
}

function balance(name: string, terms: readonly ExpressionNode[], offsets: readonly number[]): ExpressionNode {
  const [first] = terms;
  if (terms.length === 1 && first !== undefined) return first;
  const middle = Math.ceil(offsets.length / 2) - 1 + (offsets.length % 2 === 0 ? 1 : 0);
  const left = balance(name, terms.slice(0, middle + 1), offsets.slice(0, middle));
  const right = balance(name, terms.slice(middle + 1), offsets.slice(middle + 1));
  return { kind: 'call', offset: offsets[middle] ?? 0, function: name, args: [left, right] };
}
