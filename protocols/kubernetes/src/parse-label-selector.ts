import { KubernetesError } from './kubernetes-error.ts';
import { labelRequirement, type LabelRequirement, type LabelSelector } from './label-selector.ts';
import { checkQualifiedName } from './name-rules.ts';

const TOKENS = /[ \t\r\n]*(==|!=|[=!<>(),]|[^ \t\r\n=!<>(),]+)/gy;
const SYMBOLS = new Set(['=', '==', '!=', '!', '<', '>', '(', ')', ',']);
const BINARY = new Set(['=', '==', '!=', '<', '>', 'in', 'notin']);
const END = '';

/** Reads a selector as `kubectl -l` and the `labelSelector` parameter have it. Throws a KubernetesError. */
export function parseLabelSelector(text: string): LabelSelector {
  const requirements = new SelectorReader(text).read();
  return { requirements: requirements.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))) };
}

class SelectorReader {
  readonly #tokens: readonly string[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = Array.from(text.matchAll(TOKENS), (match) => match[1] ?? END);
  }

  read(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    while (this.#peek() !== END) {
      if (this.#peek() !== '!' && !this.#isWord()) throw unexpected(this.#peek(), `!, identifier, or 'end of string'`);
      requirements.push(this.#requirement());
      const next = this.#take();
      if (next === END) break;
      if (next !== ',') throw unexpected(next, `',' or 'end of string'`);
      if (this.#peek() !== '!' && !this.#isWord()) throw unexpected(this.#peek(), `identifier after ','`);
    }
    return requirements;
  }

  #requirement(): LabelRequirement {
    try {
      const isNegated = this.#peek() === '!';
      if (isNegated) this.#take();
      const key = this.#key();
      const isLast = this.#peek() === END || this.#peek() === ',';
      if (isNegated || isLast) return labelRequirement(key, isNegated ? '!' : 'exists', []);
      const operator = this.#operator();
      const values = operator === 'in' || operator === 'notin' ? this.#set() : [this.#exactValue()];
      return labelRequirement(key, operator, values);
    } catch (error) {
      if (!(error instanceof KubernetesError)) throw error;
      throw new KubernetesError('invalid-selector', `unable to parse requirement: ${error.message}`);
    }
  }

  #key(): string {
    if (!this.#isWord()) throw unexpected(this.#peek(), 'identifier');
    const key = this.#take();
    const problems = checkQualifiedName(key);
    if (problems.length === 0) return key;
    throw new KubernetesError(
      'invalid-selector',
      `<nil>: Invalid value: ${JSON.stringify(key)}: ${problems.join('; ')}`,
    );
  }

  #operator(): string {
    const operator = this.#take();
    if (BINARY.has(operator)) return operator;
    throw unexpected(operator, `in, notin, =, ==, !=, gt, lt`);
  }

  #exactValue(): string {
    if (this.#peek() === END || this.#peek() === ',') return '';
    if (this.#isWord()) return this.#take();
    throw unexpected(this.#peek(), 'identifier');
  }

  #set(): string[] {
    const opening = this.#take();
    if (opening !== '(') throw new KubernetesError('invalid-selector', `found '${opening}' expected: '('`);
    const values = new Set<string>();
    for (;;) {
      values.add(this.#isWord() ? this.#take() : '');
      const next = this.#take();
      if (next === ')') return [...values].toSorted();
      if (next !== ',') throw unexpected(next, `',' or ')'`);
    }
  }

  #isWord(): boolean {
    return this.#peek() !== END && !SYMBOLS.has(this.#peek());
  }

  #peek(): string {
    return this.#tokens[this.#position] ?? END;
  }

  #take(): string {
    const token = this.#peek();
    this.#position++;
    return token;
  }
}

function unexpected(found: string, expected: string): KubernetesError {
  return new KubernetesError('invalid-selector', `found '${found}', expected: ${expected}`);
}
