import { array, assert, boolean, integer, property } from 'fast-check';
import { expect, it } from 'vitest';

import { numbersOf, range } from './fixtures/print-entries.ts';
import { withinLimits } from './memory-entries.ts';

it('makes room in memory without losing a number', () => {
  const kinds = array(boolean(), { minLength: 1, maxLength: 30 });

  assert(
    property(kinds, integer({ min: 0, max: 10 }), (expendable, items) => {
      const entries = expendable.map((isExpendable, index) => {
        return { kind: 'item' as const, sequence: index + 1, body: 'x', isExpendable, storedAt: 0 };
      });

      const kept = withinLimits(entries, { items, bytes: 1e6 });

      expect(numbersOf(kept)).toEqual(range(1, entries.length));
      const left = kept.filter((entry) => entry.kind === 'item');
      expect(left).toHaveLength(Math.min(items, entries.length));
      const events = expendable.filter((isExpendable) => !isExpendable).length;
      expect(left.filter((entry) => !entry.isExpendable)).toHaveLength(Math.min(items, events));
    }),
  );
});
