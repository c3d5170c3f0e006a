import { expect, it } from 'vitest';

import { inParallel } from './in-parallel.ts';

const never = new AbortController().signal;

it('does something with each, so many at once', async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;

  await inParallel([1, 2, 3, 4, 5], 2, never, async (item) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    done.push(item);
  });

  expect(done.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

it('begins nothing after a failure, and throws it when the others are over', async () => {
  const begun: number[] = [];
  const over: number[] = [];

  const all = inParallel([1, 2, 3, 4], 2, never, async (item, signal) => {
    begun.push(item);
    if (item === 1) throw new Error('one has failed');
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    over.push(item);
  });

  await expect(all).rejects.toThrow('one has failed');
  expect(begun).toEqual([1, 2]);
  expect(over).toEqual([2]);
});

it('ends with the signal', async () => {
  await expect(inParallel([1], 1, AbortSignal.abort(new Error('enough')), async () => undefined)).rejects.toThrow(
    'enough',
  );
});
