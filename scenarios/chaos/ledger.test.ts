import { expect, it } from 'vitest';

import { Ledger, type StoredRecord } from './ledger.ts';

const stored = (record?: StoredRecord): ReadonlyMap<string, StoredRecord> => new Map(record ? [['a', record]] : []);

it.each([
  { title: 'what was acknowledged', found: { value: 1, resourceVersion: 5 }, complaints: [] },
  { title: 'a lost write', found: undefined, complaints: ['a is not there, not 1 at 5'] },
  { title: 'an older state', found: { value: 0, resourceVersion: 4 }, complaints: ['a is 0 at 4, not 1 at 5'] },
  { title: 'a write of nobody', found: { value: 9, resourceVersion: 6 }, complaints: ['a is 9 at 6, not 1 at 5'] },
])('judges $title', ({ found, complaints }) => {
  const ledger = new Ledger();
  ledger.acknowledge('a', { value: 1, resourceVersion: 5 });

  expect(ledger.compare(stored(found))).toEqual(complaints);
});

it.each([
  { asked: 2, found: { value: 1, resourceVersion: 5 }, isFine: true },
  { asked: 2, found: { value: 2, resourceVersion: 6 }, isFine: true },
  { asked: 2, found: { value: 2, resourceVersion: 4 }, isFine: false },
  { asked: 2, found: undefined, isFine: false },
  { asked: 'deleted' as const, found: undefined, isFine: true },
  { asked: 'deleted' as const, found: { value: 3, resourceVersion: 6 }, isFine: false },
])('after an unanswered request for $asked, finding $found is fine: $isFine', ({ asked, found, isFine }) => {
  const ledger = new Ledger();
  ledger.acknowledge('a', { value: 1, resourceVersion: 5 });
  ledger.ask('a', asked);

  expect(ledger.compare(stored(found)).length === 0).toBe(isFine);
});

it('complains about an object that nobody has asked for', () => {
  expect(new Ledger().compare(stored({ value: 1, resourceVersion: 1 }))).toEqual(['a is 1 at 1, not not there']);
});
