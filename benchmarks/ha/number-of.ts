import { BenchmarkError } from '../src/benchmark-error.ts';

/** A number of an answer; one that has none is an error. */
export function numberOf(answer: Readonly<Record<string, unknown>>, name: string): number {
  const value = answer[name];
  if (typeof value !== 'number') throw new BenchmarkError('peer-failed', `the answer has no number ${name}`);
  return value;
}
