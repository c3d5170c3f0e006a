import { array, assert, constantFrom, nat, option, property, record, string } from 'fast-check';
import { expect, it } from 'vitest';

import { SortedMap } from './sorted-map.ts';

const KEY = string({ unit: constantFrom('a', 'b', '-', '/', '0'), maxLength: 4 });

it('behaves like a plain map whose keys are sorted', () => {
  const step = record({ key: KEY, value: option(nat(), { nil: undefined }) });
  assert(
    property(array(step, { maxLength: 200 }), KEY, KEY, (steps, from, to) => {
      const sorted = new SortedMap<number>();
      const plain = new Map<string, number>();

      for (const { key, value } of steps) {
        const changes = value === undefined ? [sorted.delete(key), plain.delete(key)] : [];
        if (value !== undefined) sorted.set(key, value);
        if (value !== undefined) plain.set(key, value);
        expect(changes[0]).toBe(changes[1]);
      }

      const keys = [...plain.keys()].filter((key) => key >= from && key < to).toSorted(byText);
      expect(sorted.range(from, to)).toEqual(keys.map((key) => plain.get(key)));
      expect(sorted.size).toBe(plain.size);
      for (const { key } of steps) expect(sorted.get(key)).toBe(plain.get(key));
    }),
  );
});

it('keeps its order over many chunks, whatever the order of arrival', () => {
  const numbers = Array.from({ length: 5000 }, (_, index) => (index * 2741) % 5000);
  const sorted = new SortedMap<number>();

  for (const number of numbers) sorted.set(keyOf(number), number);
  for (const number of numbers) if (number % 3 === 0) sorted.delete(keyOf(number));

  const left = numbers.filter((number) => number % 3 !== 0).toSorted((one, other) => one - other);
  expect(sorted.range()).toEqual(left);
  expect(sorted.range(keyOf(1000), keyOf(1010))).toEqual(left.filter((number) => number >= 1000 && number < 1010));
});

function keyOf(number: number): string {
  return String(number).padStart(5, '0');
}

function byText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
