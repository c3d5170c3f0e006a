import { describe, expect, it } from 'vitest';

import { ManualClock } from '../fixtures/manual-clock.ts';
import { WakeUp } from './wake-up.ts';

const GO_ON = new AbortController().signal;

describe('WakeUp', () => {
  it('sleeps as long as it was told', async () => {
    const clock = new ManualClock();
    const sleep = new WakeUp().sleep(clock, 50, GO_ON);

    await clock.advance(50);

    await expect(sleep).resolves.toBeUndefined();
  });

  it('wakes when it is called, without any time passing', async () => {
    const wakeUp = new WakeUp();
    const sleep = wakeUp.sleep(new ManualClock(), 50, GO_ON);

    wakeUp.wake();

    await expect(sleep).resolves.toBeUndefined();
  });

  it('does not sleep when it was called before', async () => {
    const wakeUp = new WakeUp();

    wakeUp.wake();

    await expect(wakeUp.sleep(new ManualClock(), 50, GO_ON)).resolves.toBeUndefined();
  });

  it('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const sleep = new WakeUp().sleep(new ManualClock(), 50, stop.signal);

    stop.abort(new Error('over'));

    await expect(sleep).rejects.toThrow('over');
  });
});
