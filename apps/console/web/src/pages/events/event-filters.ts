import type { EventObject } from '../../api/core-kinds.ts';
import { matchesText } from '../../parts/data-table/matches-text.ts';
import { distinctValues, readFilters } from '../../parts/filters/filters.ts';

/** What the events are narrowed to. It lives in the address, so that a view can be sent to somebody. */
export interface EventFilters {
  readonly text?: string;
  /** `Normal` or `Warning`. */
  readonly type?: string;
  /** The kind of what it happened to. */
  readonly kind?: string;
}

/** Reads what the address says; anything else is left out. */
export function parseEventFilters(search: Readonly<Record<string, unknown>>): EventFilters {
  return readFilters(search, ['text', 'type', 'kind']);
}

export function matchesEventFilters(event: EventObject, { text, type, kind }: EventFilters): boolean {
  const { involvedObject, reason = '', message = '' } = event;
  if (type !== undefined && (event.type ?? 'Normal') !== type) return false;
  if (kind !== undefined && involvedObject.kind !== kind) return false;
  const { namespace = '', name = '' } = involvedObject;
  return text === undefined || matchesText(text, `${namespace}/${name} ${reason} ${message}`);
}

/** The kinds that something has happened to, sorted, each once. */
export function kindsOf(events: readonly EventObject[]): readonly string[] {
  return distinctValues(events.map(({ involvedObject }) => involvedObject.kind ?? ''));
}
