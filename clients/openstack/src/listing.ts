import type { AnswerReader } from './answer-reader.ts';
import { OpenStackError } from './openstack-error.ts';

/** One page of a list, and the query of the next one if there is one. */
interface Page<T> {
  readonly items: readonly T[];
  readonly next: URLSearchParams | undefined;
}

export interface ListingOptions<T> {
  /** The call in the words of errors. */
  readonly what: string;
  readonly query: URLSearchParams;
  readonly fetch: (query: URLSearchParams) => Promise<Page<T>>;
  readonly idOf: (item: T) => string | number;
}

/** A list that is fetched page by page, as it is read. Each reading begins anew. */
export class Listing<T> implements AsyncIterable<T> {
  readonly #options: ListingOptions<T>;

  constructor(options: ListingOptions<T>) {
    this.#options = options;
  }

  /** Everything at once. */
  async all(): Promise<readonly T[]> {
    const items: T[] = [];
    for await (const item of this) items.push(item);
    return items;
  }

  /** The first that fits; no more pages are fetched than it takes. */
  async find(isWanted: (item: T) => boolean): Promise<T | undefined> {
    for await (const item of this) if (isWanted(item)) return item;
    return undefined;
  }

  /**
   * Nothing comes twice, even if it moves from one page to the next meanwhile. A server that gives the same page again
   * would keep us for ever: that is a `bad-answer`.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    const { query, fetch, idOf } = this.#options;
    const seen = new Set<string | number>();
    const asked = new Set<string>();
    const served = new Set<string>();
    for (let next: URLSearchParams | undefined = query; next !== undefined;) {
      this.#notTwice(asked, next.toString());
      const page: Page<T> = await fetch(next);
      const ids = page.items.map((item) => idOf(item));
      if (ids.length > 0) this.#notTwice(served, ids.join(' '));
      for (const [index, item] of page.items.entries()) {
        const id = ids[index] ?? '';
        if (seen.has(id)) continue;
        seen.add(id);
        yield item;
      }
      next = page.next;
    }
  }

  #notTwice(set: Set<string>, key: string): void {
    if (set.has(key)) throw new OpenStackError('bad-answer', `${this.#options.what}: the same page was served twice`);
    set.add(key);
  }
}

/**
 * The query of the next page. Only the query of a link is used, never its host: behind a proxy services often name
 * themselves wrongly, and the token must not go where an answer points to.
 */
export function nextQuery(answer: AnswerReader, linksField: string | undefined): URLSearchParams | undefined {
  const href =
    linksField === undefined
      ? answer.optionalText('next')
      : answer
          .optionalObjects(linksField)
          .find((link) => link.text('rel') === 'next')
          ?.text('href');
  if (href === undefined) return undefined;
  const question = href.indexOf('?');
  return new URLSearchParams(question === -1 ? '' : href.slice(question + 1));
}
