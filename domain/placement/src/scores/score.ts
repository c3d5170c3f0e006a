import type { NodeEntry } from '../cluster/node-entry.ts';

/** How well each of the nodes suits the pod, from 0 to 100, in their order. */
export type Score = (entries: readonly NodeEntry[]) => readonly number[];

/** Stretches numbers over 0 to 100; all are 0 when they are the same. */
export function stretch(numbers: readonly number[]): readonly number[] {
  const least = Math.min(...numbers);
  const most = Math.max(...numbers);
  return numbers.map((number) => (most === least ? 0 : ((number - least) * 100) / (most - least)));
}

/** Scales numbers so that the largest is 100; with `isReverse`, zero is 100 and the largest is 0. */
export function normalize(numbers: readonly number[], isReverse: boolean): readonly number[] {
  const most = Math.max(...numbers, 0);
  const scaled = numbers.map((number) => (most === 0 ? 0 : (number * 100) / most));
  return isReverse ? scaled.map((number) => 100 - number) : scaled;
}
