import { readFile } from 'node:fs/promises';

import { messageOf, type Ignore } from '@smalt/service-runtime';

import type { CallersClock } from './callers-clock.ts';

/** How often a file is read anew at most. */
const KEEP_MS = 2_000;

export interface CachedFileDeps {
  readonly clock: CallersClock;
  readonly ignore: Ignore;
}

/** What a file holds, read anew now and then. While it cannot be read nobody gets in by it. */
export class CachedFile<T> {
  readonly #deps: CachedFileDeps;
  readonly #parse: (text: string, path: string) => T;
  #parsed: { readonly text: string; readonly path: string; readonly value: T } | undefined;
  #kept: { readonly path: string; readonly value: Promise<T | undefined>; readonly until: number } | undefined;

  constructor(deps: CachedFileDeps, parse: (text: string, path: string) => T) {
    this.#deps = deps;
    this.#parse = parse;
  }

  async get(path: string): Promise<T | undefined> {
    const now = this.#deps.clock.now();
    if (this.#kept === undefined || this.#kept.path !== path || now >= this.#kept.until) {
      this.#kept = { path, value: this.#read(path), until: now + KEEP_MS };
    }
    return await this.#kept.value;
  }

  async #read(path: string): Promise<T | undefined> {
    try {
      const text = await readFile(path, 'utf8');
      // Tokens of ten thousand nodes take long to read, and hardly ever change.
      if (this.#parsed?.text !== text || this.#parsed.path !== path) {
        this.#parsed = { text, path, value: this.#parse(text, path) };
      }
      return this.#parsed.value;
    } catch (error) {
      this.#deps.ignore(error, `nobody gets in by ${path} until it can be read: ${messageOf(error)}`);
      return undefined;
    }
  }
}
