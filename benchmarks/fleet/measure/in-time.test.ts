import { setTimeout as delay } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { inTime } from './in-time.ts';

const SOON = { otherwise: 'the machines do not run', limitMs: 5 };
const LATE = { ...SOON, limitMs: 60_000 };

it('gives what comes in time', async () => {
  await expect(inTime(LATE, never(), async () => 7)).resolves.toBe(7);
});

it('says what was too slow, and how far it came', async () => {
  const work = inTime(SOON, never(), async (signal) => {
    await delay(60_000, undefined, { signal }).catch(() => undefined);
    throw new Error('3 of 4 seen');
  });

  const message = 'the machines do not run within 0.005 s: 3 of 4 seen';
  await expect(work).rejects.toMatchObject({ code: 'too-slow', message });
});

it('passes on what failed by itself, and what the caller ended', async () => {
  const failing = inTime(LATE, never(), () => Promise.reject(new Error('broken')));
  const stopped = inTime(LATE, AbortSignal.abort(new Error('stop')), async (signal) => signal.throwIfAborted());

  await expect(failing).rejects.toThrow(/^broken$/);
  await expect(stopped).rejects.toThrow(/^stop$/);
});

function never(): AbortSignal {
  return new AbortController().signal;
}
