import { ComputeError } from '@smalt/compute';
import { requeueAfter } from '@smalt/controller-runtime';
import { expect, it } from 'vitest';

import { computeFailure, isRetry, retry } from './compute-failure.ts';

it('is what the compute system said', () => {
  const error = new ComputeError('unavailable', 'Nova is away');

  expect(computeFailure(error)).toBe(error);
});

it.each([
  { what: 'a call that was given up', error: new ComputeError('aborted', 'given up') },
  { what: 'a mistake of ours', error: new TypeError('undefined is not a function') },
])('is not $what', ({ error }) => {
  expect(() => computeFailure(error)).toThrow(error);
});

it('comes again when the compute system asked for it, and with back-off otherwise', () => {
  const busy = new ComputeError('unavailable', 'slow down', { retryAfterMs: 1_500 });
  const broken = new ComputeError('unavailable', 'broken');

  expect(retry(busy)).toMatchObject(requeueAfter(1_500));
  expect(isRetry(retry(busy))).toBe(true);
  expect(isRetry(requeueAfter(1_500))).toBe(false);
  expect(() => retry(broken)).toThrow(broken);
});

it('does not stay away for a day because it was told to', () => {
  const closed = new ComputeError('unavailable', 'come back tomorrow', { retryAfterMs: 86_400_000 });

  expect(retry(closed)).toMatchObject(requeueAfter(300_000));
});
