import { expect, it } from 'vitest';

import type { EventObject } from '../../api/core-kinds.ts';
import { kindsOf, matchesEventFilters, parseEventFilters } from './event-filters.ts';

it('reads filters from an address and leaves out what is none', () => {
  expect(parseEventFilters({ text: 7, type: 'Warning', kind: '', page: 3 })).toEqual({ text: '7', type: 'Warning' });
});

it.each([
  ['the name of its object', { text: 'default/web' }, true],
  ['words of its message', { text: 'no room' }, true],
  ['its reason', { text: 'unschedulable' }, true],
  ['something else', { text: 'db' }, false],
  ['its type', { type: 'Warning' }, true],
  ['the other type', { type: 'Normal' }, false],
  ['its kind', { kind: 'Pod' }, true],
  ['another kind', { kind: 'Node' }, false],
])('finds an event by %s', (_by, filters, expected) => {
  expect(matchesEventFilters(event('Pod', 'Warning'), filters)).toBe(expected);
});

it('takes an event without a type for a normal one', () => {
  expect(matchesEventFilters(event('Pod', undefined), { type: 'Normal' })).toBe(true);
});

it('offers each kind that something has happened to, once', () => {
  expect(kindsOf([event('Pod', 'Normal'), event('Node', 'Normal'), event('Pod', 'Warning')])).toEqual(['Node', 'Pod']);
});

function event(kind: string, type: string | undefined): EventObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'web.1', namespace: 'default' },
    involvedObject: { kind, namespace: 'default', name: 'web' },
    reason: 'Unschedulable',
    message: 'no room anywhere',
    ...(type === undefined ? {} : { type }),
  };
}
