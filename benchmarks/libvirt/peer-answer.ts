import { BenchmarkError } from '../src/benchmark-error.ts';

/** What a peer reports of one command. */
export interface PeerAnswer {
  readonly operations: number;
  /** How many things came back: calls, or parameters of all domains' statistics. Equal work gives equal items. */
  readonly items: number;
  readonly seconds: number;
  /** CPU time of the peer's process, all threads, user and system. */
  readonly cpuSeconds: number;
}

/** Checks a peer's line. Throws `peer-failed` naming the field that is not a number. */
export function parsePeerAnswer(answer: Readonly<Record<string, unknown>>): PeerAnswer {
  return {
    operations: numberOf(answer, 'operations'),
    items: numberOf(answer, 'items'),
    seconds: numberOf(answer, 'seconds'),
    cpuSeconds: numberOf(answer, 'cpuSeconds'),
  };
}

function numberOf(answer: Readonly<Record<string, unknown>>, field: string): number {
  const value = answer[field];
  if (typeof value === 'number' && value >= 0) return value;
  throw new BenchmarkError('peer-failed', `${field}: ${JSON.stringify(value)} is not a number of at least 0`);
}
