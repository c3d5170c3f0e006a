import { matchesText } from '../../parts/data-table/matches-text.ts';
import { distinctValues, readFilters } from '../../parts/filters/filters.ts';
import { deedWords, objectWords, outcomeOf, whoWords, type AuditEvent } from './audit-event.ts';

/** What the audit is narrowed to. It lives in the address, so that a view can be sent to somebody. */
export interface AuditFilters {
  readonly text?: string;
  readonly who?: string;
  readonly verb?: string;
  /** `done`, `refused`, `failed` or `begun`. */
  readonly outcome?: string;
  /** `all` for what only reads, and for signs of life, too. */
  readonly what?: string;
}

/** Reads what the address says; anything else is left out. */
export function parseAuditFilters(search: Readonly<Record<string, unknown>>): AuditFilters {
  return readFilters(search, ['text', 'who', 'verb', 'outcome', 'what']);
}

export function matchesAuditFilters(event: AuditEvent, { text, who, verb, outcome }: AuditFilters): boolean {
  if (who !== undefined && whoWords(event) !== who) return false;
  if (verb !== undefined && event.verb !== verb) return false;
  if (outcome !== undefined && outcomeOf(event) !== outcome) return false;
  const { userAgent = '', responseStatus, sourceIPs = [] } = event;
  const words = [whoWords(event), deedWords(event), objectWords(event), userAgent, responseStatus?.message ?? ''];
  return text === undefined || matchesText(text, [...words, ...sourceIPs].join(' '));
}

/** The values that filters can have, each once. */
export function auditChoices(events: readonly AuditEvent[]): {
  readonly people: readonly string[];
  readonly verbs: readonly string[];
} {
  return {
    people: distinctValues(events.map(whoWords)),
    verbs: distinctValues(events.map(({ verb = '' }) => verb)),
  };
}
