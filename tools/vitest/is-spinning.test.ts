import { expect, it } from 'vitest';

import { isSpinning } from './is-spinning.ts';

it('tells a loop that never pauses from one that does', async () => {
  using spinner = startSpinner();

  const before = await isSpinning();
  spinner.stop();
  const after = await isSpinning();

  expect({ before, after }).toEqual({ before: true, after: false });
});

it('is not misled by work that ends, nor by timers', async () => {
  using _timer = setInterval(() => undefined, 1);
  let left = 100;
  const work = (): void => void (left-- > 0 && setImmediate(work));
  work();

  expect(await isSpinning()).toBe(false);
  expect(left).toBeLessThan(1);
});

function startSpinner(): Disposable & { stop(): void } {
  let next = setImmediate(turn);
  function turn(): void {
    next = setImmediate(turn);
  }
  const stop = (): void => clearImmediate(next);
  return { stop, [Symbol.dispose]: stop };
}
