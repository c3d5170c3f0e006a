import type { JsonObject } from '@smalt/json';
import type { Column } from '@smalt/resource';

import { numberAt, objectAt, textAt, textOf } from '../read-path.ts';
import { ageColumn, ageOf } from './age-column.ts';
import { column, wideColumn } from './make-column.ts';

export const namespaceColumns: readonly Column[] = [
  column('Status', 'Whether the namespace is in use or going away.', (object) => textAt(object, 'status', 'phase')),
  ageColumn,
];

export const configMapColumns: readonly Column[] = [
  column('Data', 'How many entries there are.', (object) => countOf(object, 'data') + countOf(object, 'binaryData')),
  ageColumn,
];

export const secretColumns: readonly Column[] = [
  column('Type', 'What the secret is for.', (object) => textAt(object, 'type')),
  column('Data', 'How many entries there are.', (object) => countOf(object, 'data')),
  ageColumn,
];

export const ageOnly: readonly Column[] = [ageColumn];

export const resourceQuotaColumns: readonly Column[] = [
  column('Request', 'What is used of what may be asked for.', (quota) => usage(quota, false)),
  column('Limit', 'What is used of what may be allowed.', (quota) => usage(quota, true)),
  ageColumn,
];

/** Events show their name last and only with `-o wide`, so the column is given here. */
export const eventColumns: readonly Column[] = [
  column('Last Seen', 'When it happened last.', lastSeen),
  column('Type', 'Whether all is well.', (event) => textAt(event, 'type')),
  column('Reason', 'What happened, in a word.', (event) => textAt(event, 'reason')),
  column('Object', 'Whom it happened to.', target),
  wideColumn('Subobject', 'To which part of it.', (event) => textAt(involved(event), 'fieldPath')),
  wideColumn('Source', 'Who saw it.', source),
  column('Message', 'What happened, in a sentence.', (event) =>
    (textAt(event, 'message') || textAt(event, 'note')).trim(),
  ),
  wideColumn('First Seen', 'When it happened first.', firstSeen),
  wideColumn(
    'Count',
    'How often it happened.',
    (event) =>
      numberAt(event, 'series', 'count') || numberAt(event, 'count') || numberAt(event, 'deprecatedCount') || 1,
  ),
  { ...wideColumn('Name', 'The name of the event.', (event) => textAt(event, 'metadata', 'name')), format: 'name' },
];

function countOf(object: JsonObject, name: string): number {
  return Object.keys(objectAt(object, name)).length;
}

function usage(quota: JsonObject, isLimit: boolean): string {
  const used = objectAt(quota, 'status', 'used');
  return Object.entries(objectAt(quota, 'status', 'hard'))
    .filter(([name]) => name.startsWith('limits.') === isLimit)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, hard]) => `${name}: ${textAt(used, name) || '0'}/${textOf(hard)}`)
    .join(', ');
}

// The two groups that serve events call the same fields by different names.
function involved(event: JsonObject): JsonObject {
  return 'regarding' in event ? objectAt(event, 'regarding') : objectAt(event, 'involvedObject');
}

function target(event: JsonObject): string {
  const kind = textAt(involved(event), 'kind').toLowerCase();
  const name = textAt(involved(event), 'name');
  return name === '' ? kind : `${kind}/${name}`;
}

function firstSeen(event: JsonObject, now: Date): string {
  const first = textAt(event, 'firstTimestamp') || textAt(event, 'deprecatedFirstTimestamp');
  return ageOf(first || textAt(event, 'eventTime'), now);
}

function lastSeen(event: JsonObject, now: Date): string {
  const observed = textAt(event, 'series', 'lastObservedTime');
  if (observed !== '') return ageOf(observed, now);
  const last = textAt(event, 'lastTimestamp') || textAt(event, 'deprecatedLastTimestamp');
  return last === '' ? firstSeen(event, now) : ageOf(last, now);
}

function source(event: JsonObject): string {
  const from = 'deprecatedSource' in event ? objectAt(event, 'deprecatedSource') : objectAt(event, 'source');
  const reporter = textAt(event, 'reportingComponent') || textAt(event, 'reportingController');
  const parts = [textAt(from, 'component') || reporter, textAt(from, 'host') || textAt(event, 'reportingInstance')];
  return parts.filter((part) => part !== '').join(', ');
}
