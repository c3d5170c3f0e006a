import type { ServiceRequest } from './router.ts';
import { refusal } from './simulator-error.ts';

/** No page is longer, whatever limit is asked for. */
const MOST = 1000;

export interface Page<T> {
  readonly items: readonly T[];
  /** Links to the next page, if there is one. */
  readonly next: readonly { readonly rel: string; readonly href: string }[] | undefined;
}

export interface PageOptions<T> {
  readonly path: string;
  readonly idOf: (item: T) => string;
}

/** The part of a list that a request asks for with `limit` and `marker`. */
export function pageOf<T>(items: readonly T[], request: ServiceRequest, { path, idOf }: PageOptions<T>): Page<T> {
  const { query, baseUrl } = request;
  const limit = Math.min(limitOf(query.get('limit')), MOST);
  const start = startOf(items, query.get('marker'), idOf);
  const page = items.slice(start, start + limit);
  const last = page.at(-1);
  if (last === undefined || start + limit >= items.length) return { items: page, next: undefined };
  const nextQuery = new URLSearchParams(query);
  nextQuery.set('marker', idOf(last));
  return { items: page, next: [{ rel: 'next', href: `${baseUrl}${path}?${nextQuery.toString()}` }] };
}

function limitOf(text: string | null): number {
  if (text === null) return MOST;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 0) {
    throw refusal(400, `Invalid input for query parameters limit. Value: ${text}. '${text}' does not match '^[0-9]*$'`);
  }
  return limit === 0 ? MOST : limit;
}

function startOf<T>(items: readonly T[], marker: string | null, idOf: (item: T) => string): number {
  if (marker === null) return 0;
  const index = items.findIndex((item) => idOf(item) === marker);
  if (index < 0) throw refusal(400, `Marker ${marker} could not be found.`);
  return index + 1;
}
