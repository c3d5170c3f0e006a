import type { JsonObject } from '@smalt/json';
import type { Column } from '@smalt/resource';
import { humanDuration } from '@smalt/kubernetes';

import { textAt } from '../read-path.ts';

/** How long ago a time was; `<unknown>` when there is no such time. */
export function ageOf(time: string, now: Date): string {
  return time === '' ? '<unknown>' : humanDuration(now.getTime() - Date.parse(time));
}

/** The age of an object. */
export const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  description: 'The time since the object was created.',
  priority: 0,
  cell: (object: JsonObject, now: Date): string => ageOf(textAt(object, 'metadata', 'creationTimestamp'), now),
};

/** What kinds without columns of their own show. */
export const createdAtColumn: Column = {
  name: 'Created At',
  type: 'date',
  description: 'When the object was created.',
  priority: 0,
  cell: (object: JsonObject): string => textAt(object, 'metadata', 'creationTimestamp'),
};
