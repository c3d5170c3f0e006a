import { messageOf } from '@smalt/service-runtime';

import { BenchmarkError } from '../../src/benchmark-error.ts';

export interface TimeLimit {
  /** What has not happened by then, for the message: `the machines do not run`. */
  readonly otherwise: string;
  readonly limitMs: number;
}

/** Does something that ends with the signal, and with `too-slow` when it takes too long. */
export async function inTime<T>(
  { otherwise, limitMs }: TimeLimit,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await work(AbortSignal.any([signal, limit]));
  } catch (cause) {
    if (signal.aborted || !limit.aborted) throw cause;
    const message = `${otherwise} within ${limitMs / 1_000} s: ${messageOf(cause)}`;
    throw new BenchmarkError('too-slow', message, { cause });
  }
}
