import type { JournalEntry } from '../ports/incident-store.ts';
import type { WebhookSettings } from '../settings/ha-service-settings.ts';

const RANK = { info: 0, warning: 1, critical: 2 } as const;

/** Whether a webhook is to be told of an entry. */
export function isWanted(
  { kind, severity }: Pick<JournalEntry, 'kind' | 'severity'>,
  { kinds, leastSeverity }: Pick<WebhookSettings, 'kinds' | 'leastSeverity'>,
): boolean {
  return (kinds.length === 0 || kinds.includes(kind)) && RANK[severity] >= RANK[leastSeverity];
}
