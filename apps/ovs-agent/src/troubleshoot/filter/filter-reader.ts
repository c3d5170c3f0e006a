import type { OvsAgentError } from '../../ovs-agent-error.ts';
import { filterError, type FilterWord } from './filter-words.ts';

/** Reads the words of a filter one after another. */
export class FilterReader {
  readonly #words: readonly FilterWord[];
  #next = 0;

  constructor(words: readonly FilterWord[]) {
    this.#words = words;
  }

  peek(ahead: number = 0): string | undefined {
    return this.#words[this.#next + ahead]?.text;
  }

  take(): string | undefined {
    return this.#words[this.#next++]?.text;
  }

  /** Takes the next word if it is this one. */
  takes(word: string): boolean {
    if (this.peek() !== word) return false;
    this.#next++;
    return true;
  }

  expect(word: string): void {
    if (!this.takes(word)) throw this.unexpected(`"${word}"`);
  }

  /** Takes the next word if it is one of these. */
  takeOne<T extends string>(words: readonly T[]): T | undefined {
    const found = words.find((word) => word === this.peek());
    if (found !== undefined) this.#next++;
    return found;
  }

  /** The next word as a whole number within limits, in digits or as 0x…. */
  number(what: string, most: number): number {
    const word = this.peek() ?? '';
    const value = /^(?:\d{1,10}|0x[0-9a-f]{1,8})$/.test(word) ? Number(word) : Number.NaN;
    if (!(value <= most)) throw this.unexpected(`${what} from 0 to ${most}`);
    this.#next++;
    return value;
  }

  unexpected(wanted: string): OvsAgentError {
    const word = this.#words[this.#next];
    const found = word === undefined ? 'it ends' : `${JSON.stringify(word.text)} at character ${word.at} stands`;
    return filterError(`${found} where ${wanted} should be`);
  }
}
