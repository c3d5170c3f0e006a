import { ComputeError } from '@smalt/compute';
import { requeueAfter } from '@smalt/controller-runtime';
import { expect, it } from 'vitest';

import { computeFailure, retry } from './compute-failure.ts';

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

  expect(retry(busy)).toEqual(requeueAfter(1_500));
  expect(() => retry(broken)).toThrow(broken);
});
