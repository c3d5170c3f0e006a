import { expect, it } from 'vitest';

import { systemClock } from '../clock.ts';
import { WakeUp } from './wake-up.ts';

const NEVER = new AbortController().signal;

it('resolves at once when it has rung since the last wait, however often, and only once', async () => {
  const wakeUp = new WakeUp(systemClock);
  wakeUp.ring();
  wakeUp.ring();

  await wakeUp.wait(Infinity, NEVER);

  expect(await isOver(wakeUp.wait(Infinity, NEVER))).toBe(false);
});

it('wakes who waits when it rings, when the time is up, and when the signal fires', async () => {
  const wakeUp = new WakeUp(systemClock);
  const stopping = new AbortController();

  const rung = wakeUp.wait(Infinity, NEVER);
  wakeUp.ring();
  await rung;
  await wakeUp.wait(1, NEVER);
  const stopped = wakeUp.wait(Infinity, stopping.signal);
  stopping.abort();
  await stopped;

  await expect(wakeUp.wait(Infinity, stopping.signal)).resolves.toBeUndefined();
});

async function isOver(waiting: Promise<void>): Promise<boolean> {
  const turn = new Promise<boolean>((resolve) => void setImmediate(() => resolve(false)));
  return await Promise.race([waiting.then(() => true), turn]);
}
